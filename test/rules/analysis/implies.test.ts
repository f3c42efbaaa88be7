/** Questions about the shipped rules, and about conditions that no request can meet. */

import { describe, expect, it } from "vitest"
import {
  alwaysHolds,
  alwaysShadowed,
  boxesOfCondition,
  conditionImplies,
  neverHolds
} from "../../../src/rules/analysis/satisfiability.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"
import { factKinds, type FactName } from "../../../src/scoring/Facts.ts"
import { conditionHolds } from "../../support/asks.ts"
import { model, rules } from "../../support/draft.ts"

const { numbers } = model

const equal = (fact: "action_class" | "environment" | "action_category", value: string): Condition => ({
  fact,
  operator: "equal",
  value
})
const flag = (
  fact: "privilege_change" | "baseline_missing" | "destination_missing" | "destination_lookalike",
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
      "a missing destination of a read that imitates another",
      {
        all: [
          equal("action_class", "read"),
          flag("destination_missing", true),
          flag("destination_lookalike", true)
        ]
      }
    ]
  ])("knows that %s never occurs", (_, condition) => {
    expect(neverHolds(condition, numbers)).toEqual({ is: "yes" })
  })

  it("gives an example of a condition that can hold", () => {
    const condition: Condition = { all: [flag("baseline_missing", true), atLeast("entities_affected", 10)] }
    const answer = neverHolds(condition, numbers)
    expect(answer.is).toBe("no")
    expect(answer.is === "no" && conditionHolds(condition, answer.example)).toBe(true)
  })

  it("knows what always holds", () => {
    expect(alwaysHolds({ all: [atLeast("environment_rank", 3)] }, numbers).is).toBe("no")
    expect(alwaysHolds({ all: [atLeast("entities_affected", 0)] }, numbers)).toEqual({ is: "yes" })
    expect(
      alwaysHolds(
        {
          any: [
            flag("privilege_change", true),
            { fact: "action_class", operator: "notEqual", value: "access" }
          ]
        },
        numbers
      )
    ).toEqual({ is: "yes" })
  })

  it("says of every shipped rule that it can hold, and can fail to", () => {
    for (const { condition, name } of [...rules.factors, ...rules.typologies]) {
      expect([name, neverHolds(condition, numbers).is, alwaysHolds(condition, numbers).is]).toEqual([
        name,
        "no",
        "no"
      ])
    }
  })

  it("says of every shipped rule that it decides something", () => {
    for (const rule of rules.factors) {
      const others = rules.factors.filter((other) => other !== rule && other.match.code === rule.match.code)
      expect([rule.name, alwaysShadowed(rule, others, numbers).is]).toEqual([rule.name, "no"])
    }
  })

  it("finds a rule that a stronger one always forestalls", () => {
    const rule = rules.factors.find(({ name }) => name === "HIGH_ENTITY_COUNT.moderate")
    if (rule === undefined) throw new Error("the rule is gone")
    const stronger = { ...rule, match: { ...rule.match, severity: "critical" as const } }
    expect(alwaysShadowed(rule, [stronger], numbers)).toEqual({ is: "yes" })
    expect(alwaysShadowed(stronger, [rule], numbers).is).toBe("no")
  })

  it("tells a threshold from the next one", () => {
    expect(
      conditionImplies(atLeast("entities_affected", 100), atLeast("entities_affected", 99), numbers)
    ).toEqual({
      is: "yes"
    })
    const answer = conditionImplies(
      atLeast("entities_affected", 99),
      atLeast("entities_affected", 100),
      numbers
    )
    expect(answer.is === "no" && answer.example.entities_affected).toBe(99)
  })

  it("lists no boxes rather than some where there are too many", () => {
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
