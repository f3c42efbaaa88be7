/** How a day of other calls changes an answer: slices add up, and the calls of others do not count towards a caller's own pace. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { type EarlierAssessment, naiveSnapshot } from "../../src/rules/cases/Situation.ts"
import { model } from "../support/draft.ts"
import { opineAsked } from "../support/opine.ts"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"

const now = Date.parse("2026-11-16T12:00:00Z")
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const at = (agoMs: number, action: Action): EarlierAssessment => ({
  record: historyRecord(action, model),
  atMs: now - agoMs
})
const times = <A>(n: number, of: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: n }, (_, i) => of(i))

const opine = (asked: Action, past: ReadonlyArray<EarlierAssessment>) =>
  opineAsked({
    action: asked,
    behavior: naiveSnapshot(past, historyRecord(asked, model), now, model.numbers.behavior),
    policies: []
  })
const codesOf = ({ riskFactors }: ReturnType<typeof opine>) => riskFactors.map(({ code }) => code)

const payment: Action = {
  actionType: "payment.create",
  environment: "production",
  agentId: "payer",
  currency: "USD",
  destination: "acct-7",
  financialValue: 490,
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "internal",
  reversibility: "mostly_reversible"
}
const message: Action = {
  actionType: "slack.chat.postMessage",
  environment: "production",
  agentId: "helper",
  destination: "#general",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "internal"
}
const usual = [2, 3, 4, 5, 6].flatMap((days) =>
  times(12, (i) => at(days * day + i * hour, { ...payment, targetResource: `${i}` })).concat(
    times(12, (i) => at(days * day + i * hour, { ...message, targetResource: `${i}` }))
  )
)

describe("payments of 490 USD by one agent within a day", () => {
  const paid = (usd: number, to: (i: number) => string) =>
    times(Math.ceil(usd / 490) - 1, (i) => at((i + 1) * 40_000, { ...payment, destination: to(i) }))

  it.each([
    ["to one place", () => "acct-7"],
    ["to ever other places", (i: number) => `acct-${i}`]
  ])("%s that come to 600,000 USD are high, and to a million critical, as that sum at once", (_, to) => {
    const score = (usd: number) => opine(payment, [...usual, ...paid(usd, to)]).actionRisk.score
    expect(score(600_000)).toBeGreaterThanOrEqual(70)
    expect(score(1_000_000)).toBeGreaterThanOrEqual(90)
    const atOnce = (financialValue: number) => opine({ ...payment, financialValue }, usual).actionRisk.score
    expect(atOnce(600_000)).toBeGreaterThanOrEqual(score(600_000))
    expect(atOnce(1_000_000)).toBeGreaterThanOrEqual(score(1_000_000))
  })

  it("leave messages as they are, even those of the same agent", () => {
    const past = [...usual, ...paid(1_000_000, (i) => `acct-${i}`)]
    expect(opine(message, past).actionRisk).toEqual(opine(message, usual).actionRisk)
    expect(codesOf(opine({ ...message, agentId: "payer" }, past))).not.toContain("CUMULATIVE_FINANCIAL_VALUE")
  })
})

describe("the pace", () => {
  const faster = "ELEVATED_VELOCITY"
  const daily = (of: (days: number, i: number) => EarlierAssessment) =>
    [2, 3, 4, 5, 6].flatMap((days) => times(12, (i) => of(days, i)))

  it("of an indexer that reads 300 times in an hour does not count for other callers", () => {
    const read = { ...message, actionType: "customer.get", agentId: "indexer" }
    const past = [...usual, ...times(300, (i) => at((i + 1) * 10_000, read))]
    expect(opine(message, past).actionRisk).toEqual(opine(message, usual).actionRisk)
    const known = [...past, ...daily((days, i) => at(days * day + i * hour, read))]
    expect(codesOf(opine(read, known))).toContain(faster)
  })

  it("of an agent's reads is separate from that of its changes, and its changes count", () => {
    const ticket = { ...message, actionType: "ticket.update", agentId: "worker" }
    const reads = times(300, (i) => at((i + 1) * 10_000, { ...ticket, actionType: "ticket.get" }))
    const updates = times(300, (i) => at((i + 1) * 10_000, ticket))
    const known = [...usual, ...daily((days, i) => at(days * day + i * hour, ticket))]
    expect(codesOf(opine(ticket, [...known, ...reads]))).not.toContain(faster)
    expect(codesOf(opine(ticket, [...known, ...updates]))).toContain(faster)
  })

  it("of an unknown agent is compared with a busy hour of the others", () => {
    const unknown = { ...message, agentId: "new" }
    const posted = times(300, (i) => at((i + 1) * 10_000, unknown))
    expect(codesOf(opine(unknown, [...usual, ...posted]))).toContain(faster)
  })

  it("of callers without a name is that of their target system", () => {
    const { agentId: _, ...nameless } = message
    const crowd = times(300, (i) => at((i + 1) * 10_000, { ...nameless, targetSystem: "slack" }))
    expect(codesOf(opine({ ...nameless, targetSystem: "slack" }, [...usual, ...crowd]))).toContain(faster)
    expect(codesOf(opine({ ...nameless, targetSystem: "mail" }, [...usual, ...crowd]))).not.toContain(faster)
  })
})

describe("deletions of an unstated size", () => {
  const remove: Action = {
    actionType: "bash",
    environment: "development",
    agentId: "coder",
    metadata: { command: "rm -rf build" }
  }
  const write: Action = {
    actionType: "file.write",
    environment: "development",
    agentId: "coder",
    targetResource: "notes"
  }

  it("do not count as a mass of entities, so writes by the same agent stay small", () => {
    const past = times(3, (i) => at((i + 1) * minute, remove))
    expect(codesOf(opine(write, past))).not.toContain("CUMULATIVE_VOLUME")
    expect(opine(write, past).recommendedControl).toEqual(opine(write, []).recommendedControl)
  })

  it("still add up once there are many", () => {
    const past = times(250, (i) => at((i + 1) * minute, remove))
    expect(codesOf(opine(write, past))).toContain("CUMULATIVE_VOLUME")
  })
})

describe("payments of 490 USD to one payee, each by another agent", () => {
  const slice = (i: number): Action => ({
    ...payment,
    agentId: `payer${i}`,
    destination: "new-payee"
  })
  const past = (n: number, more: Partial<Action> = {}) =>
    times(n, (i) => at((i + 1) * 1_000, { ...slice(i), ...more }))

  it("are one payment where the payee is not established: high from 250,000 USD on, and critical from a million", () => {
    expect(opine(slice(0), [...usual, ...past(508)]).actionRisk.level).toBe("moderate")
    expect(opine(slice(0), [...usual, ...past(511)]).actionRisk.level).toBe("high")
    expect(opine(slice(0), [...usual, ...past(2_041)]).actionRisk.level).toBe("critical")
  })

  it("are also one payment where each spells the payee differently in a way that a reader does not see", () => {
    const spelled = times(511, (i) =>
      at((i + 1) * 1_000, { ...slice(i), destination: `new${"\u200b".repeat(i)}-payee` })
    )
    expect(opine(slice(0), [...usual, ...spelled]).actionRisk.level).toBe("high")
  })

  it("do not join a small refund to an established payee: it is no slice of a large day", () => {
    const large = times(40, (i) =>
      at((i + 1) * 40_000, { ...slice(i), destination: "acct-7", financialValue: 9_000 })
    )
    const refund = { ...slice(0), destination: "acct-7", financialValue: 40 }
    expect(opine(refund, [...usual, ...large]).actionRisk.score).toBe(opine(refund, usual).actionRisk.score)
  })

  it("and a message to a new place where much was paid stays a message", () => {
    const told = { ...message, destination: "new-payee" }
    expect(opine(told, [...usual, ...past(2_041)]).actionRisk.score).toBe(
      opine(told, [...usual, ...past(1, { financialValue: 1 })]).actionRisk.score
    )
  })
})
