import { describe, expect, it } from "vitest"
import { cedar } from "../../bench/peers/cedar.ts"
import { jsonRulesEngine } from "../../bench/peers/jsonRulesEngine.ts"
import { zen } from "../../bench/peers/zen.ts"
import { atomHolds, type Condition } from "../../src/rules/language/Rule.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import { rules } from "../support/draft.ts"
import { plainFacts } from "../support/plainFacts.ts"

const all = [...rules.factors, ...rules.typologies]

/** The dialect's meaning, read from the condition itself. */
const means = (condition: Condition, facts: Facts): boolean => {
  if ("all" in condition) return condition.all.every((one) => means(one, facts))
  if ("any" in condition) return condition.any.some((one) => means(one, facts))
  return atomHolds(condition, facts[condition.fact])
}

const held = (facts: Facts) =>
  all
    .filter(({ condition }) => means(condition, facts))
    .map(({ name }) => name)
    .toSorted()

const records = [
  plainFacts(),
  plainFacts({
    action_class: "export",
    environment: "production",
    environment_rank: 3,
    data_classification_rank: 4
  }),
  plainFacts({ action_class: "transact", destination_novel: true, financial_value_usd_cents: 10_000_000 }),
  plainFacts({
    action_class: "unknown",
    agent_missing: true,
    destination_missing: true,
    baseline_missing: true
  }),
  plainFacts({
    action_class: "destroy",
    reversibility_rank: 4,
    entities_affected: 100_000,
    production_impact: true
  })
]

describe.each([jsonRulesEngine(all), zen(all), cedar(all)])("the bench's $name", ({ match }) => {
  it.each(records)("names the rules that hold for a $action_class", async (facts) => {
    expect(await match(facts)).toEqual(held(facts))
  })
})
