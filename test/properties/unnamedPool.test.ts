/** Callers without a name share one sum: none of them makes another's small action critical, and split actions still add up. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { naiveSnapshot } from "../../src/rules/cases/Situation.ts"
import { anyAction } from "../support/arbitrary/action.ts"
import { model } from "../support/draft.ts"
import { opineAsked } from "../support/opine.ts"
import { theorem } from "../support/theorem.ts"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"

const now = Date.parse("2026-11-16T12:00:00Z")
const halfAnHour = 1_800_000

const opine = (asked: Action, earlier: ReadonlyArray<Action> = []): Opinion =>
  opineAsked({
    action: asked,
    behavior: naiveSnapshot(
      earlier.map((action, i) => ({ record: historyRecord(action, model), atMs: now - halfAnHour - i })),
      historyRecord(asked, model),
      now,
      model.numbers.behavior
    ),
    policies: []
  })

const unnamed = (action: Action): Action => {
  const { agentId: _, ...others } = action
  return others
}

const refund: Action = {
  actionType: "stripe.refunds.create",
  environment: "production",
  targetSystem: "stripe",
  financialValue: 40,
  currency: "USD",
  destination: "acct-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "internal",
  reversibility: "mostly_reversible"
}
const absurd = { financialValue: 1e308, entitiesAffected: Number.MAX_SAFE_INTEGER }

describe("a refund of 40 USD by a caller without a name", () => {
  it("is what it was after one question over 1e308 by another one", () => {
    const other: Action = { ...refund, financialValue: 1e308, destination: "acct-8" }
    expect(opine(other).actionRisk.level).toBe("critical")
    expect(opine(refund, [other]).actionRisk).toEqual(opine(refund).actionRisk)
  })

  it("is critical after five of them, because five may be slices", () => {
    const others = [1, 2, 3, 4, 5].map((n) => ({
      ...refund,
      financialValue: 1e308,
      destination: `acct-${n}`
    }))
    expect(opine(refund, others).actionRisk.level).toBe("critical")
  })
})

it("a caller with a name is held to all that its own question was about", () => {
  const { scoredEntities, scoredUsdCents } = historyRecord(
    { ...refund, ...absurd, agentId: "billing" },
    model
  )
  expect([scoredEntities, scoredUsdCents]).toEqual([100_000, 100_000_000])
  const shared = historyRecord({ ...refund, ...absurd }, model)
  expect([shared.scoredEntities, shared.scoredUsdCents]).toEqual([20_000, 20_000_000])
})

const largeUsd = 800_000
const largeEntities = 80_000

theorem(
  "no one question without a name makes another action critical that is not large itself",
  fc.tuple(anyAction(), anyAction()).map(([asked, other]) => {
    const { entitiesAffected = 1, financialValue = 1 } = asked
    const small: Action = {
      ...asked,
      environment: "production",
      currency: "USD",
      financialValue: financialValue % largeUsd,
      entitiesAffected: entitiesAffected % largeEntities
    }
    return [
      unnamed(small),
      { ...unnamed(other), ...absurd, currency: "USD", environment: "production" }
    ] as const
  }),
  ([asked, other]) =>
    opine(asked).actionRisk.level === "critical" || opine(asked, [other]).actionRisk.level !== "critical"
)

theorem(
  "slices without a name are critical at the latest when they have moved 1.8 times a million",
  fc.integer({ min: 20_000, max: 999_999 }),
  (financialValue) => {
    const slice: Action = { ...refund, financialValue }
    const earlier = Array.from({ length: Math.ceil(1_800_000 / financialValue) }, (_, i) => ({
      ...slice,
      destination: `acct-${i}`
    }))
    return opine(slice, earlier).actionRisk.level === "critical"
  }
)
