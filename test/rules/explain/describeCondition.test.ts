import { describe, expect, it } from "vitest"
import { describeCondition } from "../../../src/rules/explain/describeCondition.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"

const cases: ReadonlyArray<readonly [Condition, string]> = [
  [
    {
      all: [
        { fact: "action_class", operator: "in", value: ["export", "transact"] },
        { fact: "entities_affected", operator: "greaterThanInclusive", value: 1000 }
      ]
    },
    "the action class is export or transact, and entities_affected is at least 1,000"
  ],
  [
    { fact: "action_class", operator: "notIn", value: ["read", "write"] },
    "the action class is none of read, write"
  ],
  [{ fact: "environment", operator: "notEqual", value: "production" }, "the environment is not production"],
  [{ fact: "destination_novel", operator: "equal", value: true }, "the destination is novel"],
  [{ fact: "destination_novel", operator: "notEqual", value: true }, "the destination is not novel"],
  [{ fact: "agent_missing", operator: "in", value: [true, false] }, "always"],
  [{ fact: "agent_missing", operator: "notIn", value: [true, false] }, "never"],
  [
    { fact: "financial_value_usd_cents", operator: "lessThan", value: 250050 },
    "financial_value is below 2,500.50 USD"
  ],
  [
    { fact: "data_classification_rank", operator: "greaterThanInclusive", value: 2 },
    "data_classification is at least confidential"
  ],
  [
    { fact: "reversibility_rank", operator: "greaterThanInclusive", value: 4 },
    "reversibility is irreversible"
  ],
  [
    { fact: "reversibility_rank", operator: "greaterThan", value: 2 },
    "reversibility is above partially reversible"
  ],
  [
    { fact: "velocity_multiplier_x100", operator: "greaterThanInclusive", value: 350 },
    "the last hour is at least 3.5 times a usual busy hour"
  ],
  [
    { fact: "confidence_percent_missing", operator: "greaterThan", value: 50 },
    "what confidence lacks is above 50 %"
  ],
  [
    {
      all: [
        { fact: "privilege_change", operator: "equal", value: true },
        {
          any: [
            { fact: "entities_affected", operator: "lessThanInclusive", value: 10 },
            { all: [{ fact: "admin_named", operator: "equal", value: true }] }
          ]
        }
      ]
    },
    "privileges change, and (entities_affected is at most 10, or something administrative is named)"
  ],
  [{ all: [] }, "always"],
  [{ any: [] }, "never"]
]

describe("a condition in plain English", () => {
  it.each(cases)("%j reads: %s", (condition, text) => {
    expect(describeCondition(condition)).toBe(text)
  })
})
