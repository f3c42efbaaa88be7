/** Questions about the shipped rules, about impossible conditions, and about every record of facts of a small world. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Box, contains, intersectBoxes, subtractBox } from "../../../src/rules/analysis/Box.ts"
import { all, not, termOf } from "../../../src/rules/analysis/Term.ts"
import { possibleFacts } from "../../../src/rules/analysis/possibleFacts.ts"
import {
  alwaysHolds,
  alwaysShadowed,
  conditionImplies,
  findFacts,
  neverHolds
} from "../../../src/rules/analysis/satisfiability.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"
import { factKinds, type FactName } from "../../../src/scoring/Facts.ts"
import { everything, smallCondition } from "../../support/arbitrary/smallWorld.ts"
import { conditionHolds } from "../../support/asks.ts"
import { boxesOfCondition } from "./boxesOfCondition.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/depth.ts"
import { model, rules } from "../../support/draft.ts"

const possible = possibleFacts(model.numbers)

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
    expect(neverHolds(condition, possible)).toEqual({ is: "yes" })
  })

  it("gives an example of a condition that can hold", () => {
    const condition: Condition = { all: [flag("baseline_missing", true), atLeast("entities_affected", 10)] }
    const answer = neverHolds(condition, possible)
    expect(answer.is).toBe("no")
    expect(answer.is === "no" && conditionHolds(condition, answer.example)).toBe(true)
  })

  it("finds what always holds", () => {
    expect(alwaysHolds({ all: [atLeast("environment_rank", 3)] }, possible).is).toBe("no")
    expect(alwaysHolds({ all: [atLeast("entities_affected", 0)] }, possible)).toEqual({ is: "yes" })
    expect(
      alwaysHolds(
        {
          any: [
            flag("privilege_change", true),
            { fact: "action_class", operator: "notEqual", value: "access" }
          ]
        },
        possible
      )
    ).toEqual({ is: "yes" })
  })

  it("finds facts for which each shipped rule holds, and facts for which it does not", () => {
    for (const { condition, name } of [...rules.factors, ...rules.typologies]) {
      expect([name, neverHolds(condition, possible).is, alwaysHolds(condition, possible).is]).toEqual([
        name,
        "no",
        "no"
      ])
    }
  })

  it("finds facts for which each shipped rule decides the severity", () => {
    for (const rule of rules.factors) {
      const others = rules.factors.filter((other) => other !== rule && other.match.code === rule.match.code)
      expect([rule.name, alwaysShadowed(rule, others, possible).is]).toEqual([rule.name, "no"])
    }
  })

  it("finds a rule that a stronger rule always shadows", () => {
    const rule = rules.factors.find(({ name }) => name === "HIGH_ENTITY_COUNT.moderate")
    if (rule === undefined) throw new Error("the rule is gone")
    const stronger = { ...rule, match: { ...rule.match, severity: "critical" as const } }
    expect(alwaysShadowed(rule, [stronger], possible)).toEqual({ is: "yes" })
    expect(alwaysShadowed(stronger, [rule], possible).is).toBe("no")
  })

  it("distinguishes a threshold from the next one", () => {
    expect(
      conditionImplies(atLeast("entities_affected", 100), atLeast("entities_affected", 99), possible)
    ).toEqual({
      is: "yes"
    })
    const answer = conditionImplies(
      atLeast("entities_affected", 99),
      atLeast("entities_affected", 100),
      possible
    )
    expect(answer.is === "no" && answer.example.entities_affected).toBe(99)
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

  it("have boxes that can be intersected and subtracted", { timeout: timeoutMs(few) }, () => {
    fc.assert(
      fc.property(smallCondition, smallCondition, (one, other) => {
        const [a] = boxesOfCondition(one) ?? []
        const [b] = boxesOfCondition(other) ?? []
        if (a === undefined || b === undefined) return
        const both = intersectBoxes(a, b)
        const rest = subtractBox(a, b)
        const wrong = everything.filter((facts) => {
          const isIn = (box: Box) => contains(box, facts)
          const met = both !== null && isIn(both)
          const left = rest.filter(isIn).length
          return met !== (isIn(a) && isIn(b)) || left !== (isIn(a) && !isIn(b) ? 1 : 0)
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: few }
    )
  })
})
