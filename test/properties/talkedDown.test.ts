/** Requests of others, requests elsewhere or within a day, and reads never lower an answer in production (ADR 25). */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { type EarlierAssessment, naiveSnapshot } from "../../src/rules/cases/Situation.ts"
import { model } from "../support/draft.ts"
import { noHistory, opineAsked } from "../support/opine.ts"
import { anyAction } from "../support/arbitrary/action.ts"
import { theorem } from "../support/theorem.ts"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"

const now = Date.parse("2026-11-16T12:00:00Z")
const hour = 3_600_000
const day = 24 * hour

/** `laterMs`: how much later than `now` all of it happened. */
const snapshotOf = (
  asked: Action,
  past: ReadonlyArray<EarlierAssessment>,
  laterMs: number
): BehaviorSnapshot =>
  naiveSnapshot(
    past.map((row) => ({ ...row, atMs: row.atMs + laterMs })),
    historyRecord(asked, model),
    now + laterMs,
    model.numbers.behavior
  )

const opine = (asked: Action, past: ReadonlyArray<EarlierAssessment>, laterMs = 0): Opinion =>
  opineAsked({ action: asked, behavior: snapshotOf(asked, past, laterMs), policies: [] })

interface Past extends EarlierAssessment {
  readonly action: Action
}

const at = (agoMs: number, action: Action): Past => ({
  record: historyRecord(action, model),
  atMs: now - agoMs,
  action
})

const present = (fields: Readonly<Record<string, unknown>>): Partial<Action> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The action again, or a similar one: by another agent, of another size, to another place, or under another name. */
const alike = (asked: Action) =>
  fc
    .record({
      agentId: fc.constantFrom(asked.agentId, "helper", "PAYER"),
      financialValue: fc.constantFrom(asked.financialValue, 0.01, 900, 12_000, 250_000),
      entitiesAffected: fc.constantFrom(asked.entitiesAffected, 1, 1_500, 100_000),
      destination: fc.constantFrom(asked.destination, "acct-9"),
      actionType: fc.constantFrom(asked.actionType, "customer.read"),
      currency: fc.constantFrom(asked.currency, "USD")
    })
    .map((fields) => present({ ...asked, ...fields }) as Action)

const pasts = (asked: Action, agoMs: fc.Arbitrary<number>, max: number) =>
  fc.array(
    fc
      .record({ action: alike(asked), ago: agoMs, times: fc.constantFrom(1, 1, 6, 30) })
      .map(({ action, ago, times }) => Array.from({ length: times }, (_, i) => at(ago + i, action))),
    { maxLength: max }
  )

/** The same request as a read and as a dry run, which change nothing. */
const triedOut = ({ action, atMs }: Past): ReadonlyArray<EarlierAssessment> =>
  [
    { ...action, actionType: "customer.list" },
    { ...action, metadata: { command: "cat notes.txt" } },
    { ...action, actionType: `${action.actionType}.dry_run` },
    { ...action, actionType: `simulate_${action.actionType}` }
  ]
    .map((tried) => at(now - atMs, tried))
    .filter(({ record }) => !record.changes)

const situations = anyAction().chain((action) => {
  const asked: Action = { ...action, environment: "production" }
  const elsewhere: Action = { ...asked, environment: "sandbox" }
  const anyDay = fc.integer({ min: 1, max: 29 * day })
  return fc.record({
    asked: fc.constant(asked),
    past: pasts(asked, anyDay, 6),
    // Thirty requests took thirty milliseconds, which also count within the day.
    lately: pasts(asked, fc.integer({ min: 1, max: day - 30 }), 3),
    // At any time of the day, midnight too.
    laterMs: fc.oneof(fc.integer({ min: 0, max: day }), fc.constantFrom(12 * hour - 1, 12 * hour)),
    // No change: reads, and dry runs.
    harmless: pasts(asked, anyDay, 4).map((lots) => lots.flat().flatMap(triedOut)),
    // A request whose target names production counts as production, whatever environment it states.
    elsewhere: pasts(elsewhere, anyDay, 3).map((lots) =>
      lots.flat().filter(({ record }) => !record.production)
    )
  })
})

const neverLower = (before: Opinion, after: Opinion): boolean =>
  before.actionRisk.score <= after.actionRisk.score &&
  before.actionRisk.range.low <= after.actionRisk.range.low &&
  before.actionRisk.range.high <= after.actionRisk.range.high

theorem(
  "whatever other environments ask, and whatever anybody asks within 24 hours, no answer in production is lower for it",
  situations,
  ({ asked, elsewhere, lately, laterMs, past }) => {
    const before = past.flat()
    return neverLower(
      opine(asked, before, laterMs),
      opine(asked, [...before, ...elsewhere, ...lately.flat()], laterMs)
    )
  }
)

theorem(
  "no number of reads and simulations, at any time, makes an answer to a change lower",
  situations.filter(({ asked }) => historyRecord(asked, model).changes),
  ({ asked, harmless, laterMs, past }) => {
    const before = past.flat()
    return neverLower(opine(asked, before, laterMs), opine(asked, [...before, ...harmless], laterMs))
  }
)

const payment: Action = {
  actionType: "payment.create",
  environment: "production",
  agentId: "payer",
  currency: "USD",
  destination: "acct-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "internal",
  reversibility: "mostly_reversible"
}
const update: Action = {
  actionType: "record.update",
  environment: "production",
  agentId: "payer",
  targetSystem: "crm",
  recordsAffected: 1_500,
  dataClassification: "internal",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
}
const dayBefore = [1, 2, 3, 4, 5]
/** Five days with five small payments each, and one small update. */
const small = dayBefore.flatMap((days) => [
  ...dayBefore.map((n) => at(days * day + n, { ...payment, financialValue: 100, targetResource: `${n}` })),
  at(days * day, { ...update, entitiesAffected: 10 })
])
const times = <A>(n: number, of: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: n }, (_, i) => of(i))

describe("a score that was talked down in an attack", () => {
  it.each([
    ["a payment of 12,000 USD after 27 questions in the sandbox", { ...payment, financialValue: 12_000 }, 27],
    ["one of 100,000 USD after 55", { ...payment, financialValue: 100_000 }, 55],
    ["an update of 1,500 entities after 27", { ...update, entitiesAffected: 1_500 }, 27]
  ])("%s is unchanged", (_, asked, n) => {
    const sandbox = times(n, (i) =>
      at((i % 2) * day + i + 1, {
        ...asked,
        agentId: "helper",
        environment: "sandbox",
        reversibility: "fully_reversible",
        ...(asked.financialValue === undefined
          ? { entitiesAffected: 1_500 + i }
          : { financialValue: asked.financialValue + i })
      })
    )
    expect(opine(asked, [...small, ...sandbox]).actionRisk).toEqual(opine(asked, small).actionRisk)
  })

  it("is not lower for the same questions in production", () => {
    const asked: Action = { ...payment, financialValue: 100_000 }
    const helped = times(55, (i) => at(i + 1, { ...asked, agentId: "helper", financialValue: 100_000 + i }))
    expect(opine(asked, [...small, ...helped]).actionRisk.score).toBeGreaterThanOrEqual(
      opine(asked, small).actionRisk.score
    )
  })
})

const codesOf = ({ riskFactors }: Opinion) => riskFactors.map(({ code }) => code)
const summed = "CUMULATIVE_FINANCIAL_VALUE"

describe("27 lists of 900 entities shortly before midnight", () => {
  const lists = times(27, (i) =>
    at((i + 10) * 60_000, { ...update, actionType: "customer.list", entitiesAffected: 900 + i })
  )
  it("make an update of 1,500 entities after midnight no lower, nor on any day after", () => {
    const asked: Action = { ...update, entitiesAffected: 1_500 }
    const tenPastMidnight = 12 * hour + 10 * 60_000
    const daysLater = (days: number) => tenPastMidnight + days * day
    for (const days of [0, 1, 2, 3]) {
      const listed = lists.map((row) => ({ ...row, atMs: row.atMs - days * day }))
      const before = opine(asked, small, daysLater(days)).actionRisk
      expect(before.score).toBeGreaterThanOrEqual(70)
      expect(opine(asked, [...small, ...listed], daysLater(days)).actionRisk).toEqual(before)
    }
  })
})

describe("110 payments of 9,900 USD", () => {
  const slice: Action = { ...payment, financialValue: 9_900 }
  it.each([
    ["that are identical", () => slice],
    ["by agents whose name changes", (i: number) => ({ ...slice, agentId: `payer${i}` })],
    [
      "by an agent whose name changes in case",
      (i: number) => ({ ...slice, destination: `acct-${i}`, agentId: i % 2 === 0 ? "payer" : "PAYER" })
    ],
    [
      "by other agents to other places",
      (i: number) => ({ ...slice, agentId: `a${i}`, destination: `acct-${i}` })
    ]
  ])("%s add up to the sum", (_, sliceOf) => {
    const past = times(109, (i) => at((110 - i) * 1_000, sliceOf(i)))
    const last = opine(sliceOf(109), past)
    expect(codesOf(last)).toContain(summed)
    expect(["high", "critical"]).toContain(last.actionRisk.level)
  })

  it("do not affect a refund of 40 USD by another agent, or a message", () => {
    const past = times(109, (i) =>
      at((110 - i) * 1_000, { ...slice, agentId: `a${i}`, destination: `acct-${i}` })
    )
    for (const asked of [
      { ...slice, agentId: "support", destination: "acct-1", financialValue: 40 },
      { ...slice, actionType: "slack.chat.postMessage", agentId: "support", financialValue: 0 }
    ])
      expect(codesOf(opine(asked, past))).not.toContain(summed)
  })

  it("of an organization that moves as much every day are usual, by other agents to other places", () => {
    const sliceOf = (i: number) => ({ ...slice, agentId: `a${i}`, destination: `acct-${i}` })
    const usual = dayBefore.flatMap((days) => times(60, (i) => at(days * day + i, sliceOf(i))))
    const past = times(109, (i) => at((110 - i) * 1_000, sliceOf(i)))
    expect(codesOf(opine(sliceOf(109), [...usual, ...past]))).not.toContain(summed)
  })
})

describe("a destination that is left out", () => {
  const exports: Action = { ...payment, actionType: "customer.export", financialValue: 0 }
  it.each([
    ["a payment", payment],
    ["an export", exports],
    ["a message", { ...exports, actionType: "email.send" }],
    ["what nobody knows", { ...exports, actionType: "frobnicate.thing" }]
  ])("of %s counts as one never seen, in the typologies too", (_, asked) => {
    const { destination: _destination, ...unstated } = asked
    for (const financialValue of [0, 900, 12_000, 100_000, 250_000])
      for (const reversibility of ["mostly_reversible", "irreversible"] as const) {
        const sizes = {
          financialValue,
          reversibility,
          dataClassification: "restricted",
          recordsAffected: 4_800
        } as const
        const known = { ...noHistory, sampleSize: 50, actionTypeSeen: true, agentSeen: true }
        const score = (action: Action, destination: BehaviorSnapshot["destination"]) =>
          opineAsked({ action, behavior: { ...known, destination }, policies: [] }).actionRisk.score
        const never = { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false }
        const once = { ...never, days: 1, firstSeenHours: 20, largestUsdCents: 1 }
        const novel = score({ ...asked, ...sizes }, never)
        expect(score({ ...unstated, ...sizes }, null)).toBe(novel)
        // A destination that is tried with a cent today is as new as before, and tomorrow no less risky than a stranger.
        expect(score({ ...asked, ...sizes }, once)).toBeGreaterThanOrEqual(novel)
      }
  })
})
