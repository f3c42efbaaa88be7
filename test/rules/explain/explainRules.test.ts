/** Traces of conditions agree with the evaluator, and near misses are near. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { atomTraces, distance, isNear, lacking, trace } from "../../../src/rules/explain/explainRules.ts"
import { type ConditionAtom, type Condition, conditionHolds } from "../../../src/rules/language/Rule.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { anyCondition, factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { plainFacts } from "../../support/plainFacts.ts"
import { theorem } from "../../support/theorem.ts"

const conditionAndFacts = fc
  .tuple(anyCondition, fc.integer())
  .map(([condition, draw]) => ({ condition, seen: factsFrom(draw, 5) }))

describe("a trace", () => {
  theorem("holds if and only if its condition holds", conditionAndFacts, ({ condition, seen }) =>
    seen.every((one) => trace(condition, one).result === conditionHolds(condition, one))
  )

  theorem("lacks an atom if and only if it does not hold", conditionAndFacts, ({ condition, seen }) =>
    seen.every((one) => {
      const tree = trace(condition, one)
      return (lacking(tree).length === 0) === tree.result && lacking(tree).every(({ result }) => !result)
    })
  )

  it.each([
    ["greaterThanInclusive", 1000, 999, 1],
    ["greaterThan", 1000, 1000, 1],
    ["greaterThanInclusive", 1000, 0, 1000],
    ["lessThan", 100, 100, 1],
    ["lessThanInclusive", 100, 103, 3]
  ] as const)("that fails %s %i at %i is short by %i", (operator, value, actual, short) => {
    const atom: ConditionAtom = { fact: "entities_affected", operator, value }
    expect(atomTraces(trace(atom, plainFacts({ entities_affected: actual })))).toEqual([
      { kind: "atom", atom, actual, result: false, shortBy: short }
    ])
  })

  it("that holds has no shortfall, and neither has one about a name", () => {
    const atom: ConditionAtom = { fact: "entities_affected", operator: "greaterThan", value: 5 }
    expect(trace(atom, plainFacts({ entities_affected: 6 }))).not.toHaveProperty("shortBy")
    const name: ConditionAtom = { fact: "environment", operator: "equal", value: "production" }
    expect(trace(name, plainFacts({ environment: "staging" }))).not.toHaveProperty("shortBy")
  })
})

const above = (value: number): Condition => ({
  fact: "entities_affected",
  operator: "greaterThanInclusive",
  value
})
const near = (condition: Condition, own: Partial<Facts>) => isNear(trace(condition, plainFacts(own)))

describe("a near miss", () => {
  it("lacks at most a tenth of one threshold, or one step", () => {
    expect([900, 899, 1000].map((entities) => near(above(1000), { entities_affected: entities }))).toEqual([
      true,
      false,
      false
    ])
    expect(near(above(2), { entities_affected: 1 })).toBe(true)
    expect(near(above(1), { entities_affected: 0 })).toBe(false)
  })

  it("lacks one atom only, and no name or flag", () => {
    const flag: Condition = { fact: "privilege_change", operator: "equal", value: true }
    const both: Condition = { all: [above(1000), flag] }
    expect(near(both, { entities_affected: 999, privilege_change: true })).toBe(true)
    expect(near(both, { entities_affected: 999, privilege_change: false })).toBe(false)
    expect(near(both, { entities_affected: 1000, privilege_change: false })).toBe(false)
  })

  it("with alternatives is judged by the nearest one", () => {
    const either: Condition = { any: [above(1_000_000), above(1000)] }
    const tree = trace(either, plainFacts({ entities_affected: 999 }))
    expect(lacking(tree).map(({ shortBy }) => shortBy)).toEqual([1])
    expect(distance(lacking(tree))).toBeLessThan(
      distance(lacking(trace(above(1_000_000), plainFacts({ entities_affected: 999 }))))
    )
  })
})
