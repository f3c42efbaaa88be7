import { describe, expect, it } from "vitest"
import type { PolicyRuleGroup } from "../../../src/rules/Rulebook.ts"
import { coverageOf, edgesOf } from "../../../src/rules/cases/coverage.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"

const ladder = (condition: Condition): PolicyRuleGroup => ({
  kind: "policy",
  code: "a-rule",
  file: "a-rule.json",
  rules: [
    {
      name: "a-rule",
      condition,
      match: { policy: "p", rule: "a-rule", effect: "annotate", recommendations: [] }
    }
  ]
})

const [any] = factsFrom(1, 1)
const facts = (own: Partial<Facts>): Facts => Object.assign({}, any, own)

const gaps = (condition: Condition, seen: ReadonlyArray<Facts>) =>
  coverageOf([ladder(condition)], new Map([["a-rule", seen]])).gaps.map(({ kind, message }) => [
    kind,
    message
  ])

describe("coverage", () => {
  const condition: Condition = {
    all: [
      { fact: "entities_affected", operator: "greaterThanInclusive", value: 10 },
      { fact: "privilege_change", operator: "equal", value: true }
    ]
  }

  it("without cases is 0", () => {
    const { percent, reached, reachable } = coverageOf([ladder(condition)], new Map())
    expect([reached, reachable, percent]).toEqual([0, 7, 0])
  })

  it("is complete if the rule holds, each atom has both answers, and the threshold has a case on both sides", () => {
    expect(
      gaps(condition, [
        facts({ entities_affected: 10, privilege_change: true }),
        facts({ entities_affected: 9, privilege_change: false })
      ])
    ).toEqual([])
  })

  it("has a gap for a rule that never holds, although each atom has both answers", () => {
    expect(
      gaps(condition, [
        facts({ entities_affected: 10, privilege_change: false }),
        facts({ entities_affected: 9, privilege_change: true })
      ])
    ).toEqual([["rule", "no case makes `a-rule` hold"]])
  })

  it("has a gap for an answer that no case gives", () => {
    expect(
      gaps(condition, [
        facts({ entities_affected: 10, privilege_change: true }),
        facts({ entities_affected: 9, privilege_change: true })
      ])
    ).toEqual([["atom", "no case answers no to: privileges change"]])
  })

  it("has a gap for a side of a threshold without a case directly on it", () => {
    expect(
      gaps(condition, [
        facts({ entities_affected: 11, privilege_change: true }),
        facts({ entities_affected: 9, privilege_change: false })
      ])
    ).toEqual([["boundary", "no case is directly on the threshold, at `entities_affected` 10"]])
  })
})

describe("the edges of a threshold", () => {
  const fact = "entities_affected"
  it("are the last value on one side and the first value on the other", () => {
    expect(edgesOf({ fact, operator: "greaterThanInclusive", value: 10 })).toEqual([9, 10])
    expect(edgesOf({ fact, operator: "greaterThan", value: 10 })).toEqual([10, 11])
    expect(edgesOf({ fact, operator: "lessThan", value: 10 })).toEqual([9, 10])
    expect(edgesOf({ fact, operator: "lessThanInclusive", value: 10 })).toEqual([10, 11])
  })

  it("are values that the fact can have", () => {
    expect(edgesOf({ fact, operator: "greaterThanInclusive", value: 0 })).toEqual([0])
    expect(edgesOf({ fact: "reversibility_rank", operator: "greaterThan", value: 4 })).toEqual([4])
  })
})
