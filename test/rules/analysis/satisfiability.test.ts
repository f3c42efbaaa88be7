/** Queries about the shipped rules, about impossible conditions, and about every possible record of a small set of facts. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contains } from "../../../src/rules/analysis/Box.ts"
import { all, not, termOf } from "../../../src/rules/analysis/Term.ts"
import { possibleFacts } from "../../../src/rules/analysis/possibleFacts.ts"
import { findFacts } from "../../../src/rules/analysis/satisfiability.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"
import { factKinds, type FactName } from "../../../src/scoring/Facts.ts"
import { everything, smallCondition } from "../../support/arbitrary/smallWorld.ts"
import { conditionHolds } from "../../support/asks.ts"
import { boxesOfCondition } from "./boxesOfCondition.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/depth.ts"
import { model, rules } from "../../support/draft.ts"

const possible = possibleFacts(model.numbers)

const holding = (condition: Condition) => findFacts(all(termOf(condition), possible))
const failing = (condition: Condition) => findFacts(all(not(termOf(condition)), possible))
const breaking = (premise: Condition, conclusion: Condition) =>
  findFacts(all(termOf(premise), not(termOf(conclusion)), possible))

const equal = (fact: "action_class" | "environment" | "action_category", value: string): Condition => ({
  fact,
  operator: "equal",
  value
})
const flag = (
  fact:
    | "also_exports"
    | "privilege_change"
    | "baseline_missing"
    | "destination_missing"
    | "destination_lookalike",
  value: boolean
): Condition => ({ fact, operator: "equal", value })
const atLeast = (fact: "entities_affected" | "environment_rank", value: number): Condition => ({
  fact,
  operator: "greaterThanInclusive",
  value
})

describe("the analysis of conditions", () => {
  it.each<[name: string, condition: Condition]>([
    [
      "a class and a category that is another's",
      { all: [equal("action_class", "transact"), equal("action_category", "data")] }
    ],
    [
      "access without a privilege change",
      { all: [equal("action_class", "access"), flag("privilege_change", false)] }
    ],
    [
      "production below its rank",
      {
        all: [
          equal("environment", "production"),
          { fact: "environment_rank", operator: "lessThan", value: 3 }
        ]
      }
    ],
    [
      "two sides of one threshold",
      {
        all: [
          atLeast("entities_affected", 10),
          { fact: "entities_affected", operator: "lessThan", value: 10 }
        ]
      }
    ],
    [
      "a lookalike of a destination that a read leaves out",
      {
        all: [
          equal("action_class", "read"),
          flag("also_exports", false),
          flag("destination_missing", true),
          flag("destination_lookalike", true)
        ]
      }
    ]
  ])("finds that %s never occurs", (_, condition) => {
    expect(holding(condition)).toBe("none")
  })

  it("gives an example of a condition that can hold", () => {
    const condition: Condition = { all: [flag("baseline_missing", true), atLeast("entities_affected", 10)] }
    const example = holding(condition)
    expect(typeof example === "object" && conditionHolds(condition, example)).toBe(true)
  })

  it("finds what always holds", () => {
    expect(failing({ all: [atLeast("environment_rank", 3)] })).toBeTypeOf("object")
    expect(failing({ all: [atLeast("entities_affected", 0)] })).toBe("none")
    const notAccess: Condition = { fact: "action_class", operator: "notEqual", value: "access" }
    expect(failing({ any: [flag("privilege_change", true), notAccess] })).toBe("none")
  })

  it("finds facts for which each shipped rule holds, and facts for which it does not", () => {
    for (const { condition, name } of [...rules.factors, ...rules.typologies]) {
      expect([name, typeof holding(condition), typeof failing(condition)]).toEqual([name, "object", "object"])
    }
  })

  it("distinguishes a threshold from the next one", () => {
    expect(breaking(atLeast("entities_affected", 100), atLeast("entities_affected", 99))).toBe("none")
    const found = breaking(atLeast("entities_affected", 99), atLeast("entities_affected", 100))
    expect(typeof found === "object" && found.entities_affected).toBe(99)
  })

  it("lists no boxes at all if there are too many", () => {
    const flags = Object.entries(factKinds).flatMap(([fact, { kind }]) =>
      kind === "flag" ? [fact as FactName] : []
    )
    const either = (fact: FactName, i: number): Condition => ({
      any: [{ fact, operator: "equal", value: true }, atLeast("entities_affected", 1_000 + i)]
    })
    expect(boxesOfCondition({ all: flags.slice(0, 3).map(either) })).toHaveLength(8)
    expect(boxesOfCondition({ all: flags.slice(0, 20).map(either) })).toBeNull()
  })
})

const runs = propertyRuns
const few = Math.ceil(propertyRuns / 20)

describe(`conditions of ${everything.length} records of facts (seed ${seed})`, () => {
  it(
    `imply each other exactly if no record breaks the implication, on ${runs} pairs`,
    { timeout: timeoutMs(runs) },
    () => {
      fc.assert(
        fc.property(smallCondition, smallCondition, (premise, conclusion) => {
          const found = findFacts(all(termOf(premise), not(termOf(conclusion))))
          const tried = everything.some(
            (facts) => conditionHolds(premise, facts) && !conditionHolds(conclusion, facts)
          )
          expect(found !== "none").toBe(tried)
          const shown =
            typeof found === "string" ||
            (conditionHolds(premise, found) && !conditionHolds(conclusion, found))
          expect(shown).toBe(true)
        }),
        { numRuns: runs }
      )
    }
  )

  it(
    "hold for the facts of their boxes and for no others, and the boxes do not overlap",
    { timeout: timeoutMs(few) },
    () => {
      fc.assert(
        fc.property(smallCondition, (condition) => {
          const boxes = boxesOfCondition(condition) ?? []
          const wrong = everything.filter((facts) => {
            const holding = boxes.filter((box) => contains(box, facts)).length
            return holding !== (conditionHolds(condition, facts) ? 1 : 0)
          })
          expect(wrong).toEqual([])
        }),
        { numRuns: few }
      )
    }
  )
})
