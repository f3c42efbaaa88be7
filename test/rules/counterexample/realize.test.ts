import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Box,
  contains,
  pointOf,
  valuesWhereFalse,
  valuesWhereTrue
} from "../../../src/rules/analysis/Box.ts"
import { scoreInputOf, traceScore } from "../../../src/rules/cases/tryCase.ts"
import { realize, referenceFacts } from "../../../src/rules/counterexample/realize.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import type { Condition, ConditionAtom } from "../../../src/rules/language/Rule.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { factKinds, type FactName, type Facts } from "../../../src/scoring/Facts.ts"
import { anyAction } from "../../support/arbitrary/action.ts"
import { familiar, noHistory, snapshot } from "../../support/arbitrary/behavior.ts"
import { propertyRuns, seed } from "../../support/depth.ts"
import { model, rules } from "../../support/draft.ts"

const none = loadPolicySet(packageRoot, "none").policySet

/** Whether the first facts that the score matches are in the box; null if there is no situation. */
const liesIn = (box: Box, situation: ReturnType<typeof realize>): boolean | null =>
  situation === null
    ? null
    : contains(box, traceScore(scoreInputOf(situation, undefined, model), model, none).first)

const names = Object.keys(factKinds) as ReadonlyArray<FactName>
/** Without the action type: no shipped rule uses it, and some types have only one spelling. */
const scored = names.filter((name) => name !== "normalized_action_type")

/** An unfamiliar agent has no sum of the last day. */
const couldBe = ({ agent_unfamiliar, cumulative_entities_step, cumulative_value_step }: Facts): boolean =>
  !(agent_unfamiliar && cumulative_entities_step + cumulative_value_step > 0)

/** Only an organization's catalogue has entries that expire, and a situation has none. */
const unreachable = new Set<FactName>(["catalogue_entry_expired"])

const generated = fc
  .sample(
    anyAction().chain((action) =>
      fc
        .oneof(snapshot(action), fc.constant(noHistory(action)), fc.constant(familiar(action)))
        .map((behavior) => referenceFacts(action, behavior, model))
    ),
    { numRuns: Math.ceil(propertyRuns / 10), seed }
  )
  .filter(couldBe)

const atomsOf = (condition: Condition): ReadonlyArray<ConditionAtom> => {
  if ("all" in condition) return condition.all.flatMap(atomsOf)
  return "any" in condition ? condition.any.flatMap(atomsOf) : [condition]
}

const atoms = [
  ...new Map(
    [...rules.factors, ...rules.typologies]
      .flatMap(({ condition }) => atomsOf(condition))
      .map((atom) => [JSON.stringify(atom), atom])
  ).values()
]

/** Only the last match of a score has these facts. */
const finalMatchFacts = new Set<FactName>([
  "confidence_percent_missing",
  "assessment_degraded",
  "policy_evaluation_incomplete"
])

describe("a situation constructed for some facts", () => {
  it(`is found for at least 7 of 10 records of facts, and always has them (${generated.length}, seed ${seed})`, () => {
    const boxes = generated.map((facts) => pointOf(facts, scored))
    const found = boxes.map((box) => liesIn(box, realize(box, model))).filter((lies) => lies !== null)
    console.info(`${found.length} of ${boxes.length} records of facts are realized`)
    expect(found.length).toBeGreaterThanOrEqual(0.7 * boxes.length)
    expect(found).not.toContain(false)
  })

  it.each(atoms.filter(({ fact }) => !finalMatchFacts.has(fact) && !unreachable.has(fact)))(
    "is found with $fact $operator $value true, and with it false",
    (atom) => {
      const boxes: ReadonlyArray<Box> = [
        { [atom.fact]: valuesWhereTrue(atom) },
        { [atom.fact]: valuesWhereFalse(atom) }
      ]
      expect(boxes.map((box) => liesIn(box, realize(box, model)))).toEqual([true, true])
    }
  )

  it("is null for facts that only the last match knows", () => {
    const box: Box = { assessment_degraded: { of: [true] } }
    expect(realize(box, model)).toBeNull()
  })

  it("is null for facts that contradict each other", () => {
    const box: Box = { baseline_missing: { of: [true] }, agent_unfamiliar: { of: [true] } }
    expect(realize(box, model)).toBeNull()
  })

  it("is as plain as its facts allow", () => {
    const many: Box = { entities_affected: { min: 1_000, max: Number.MAX_SAFE_INTEGER } }
    expect(realize(many, model)).toMatchObject({ request: { entitiesAffected: 1_000 } })
    expect(realize(many, model)).not.toHaveProperty("history")
    expect(realize({ action_class: { of: ["transact"] } }, model)?.request.actionType).toBe("invoice.pay")
  })
})
