import { describe, expect, it } from "vitest"
import { findingLine } from "../../../src/rules/Finding.ts"
import { type Permissions, readCondition } from "../../../src/rules/language/readCondition.ts"

const raising: Permissions = { raises: true, completeness: false }

const problems = (json: unknown, permissions = raising): ReadonlyArray<string> =>
  readCondition(json, permissions).problems.map((problem) => findingLine({ file: "f", ...problem }).slice(3))

const one = (fact: string, operator: string, value: unknown) => ({ all: [{ fact, operator, value }] })

const nested = (depth: number): unknown =>
  depth === 0
    ? { fact: "data_store", operator: "equal", value: true }
    : { [depth % 2 === 0 ? "all" : "any"]: [nested(depth - 1)] }

describe("a condition", () => {
  it.each([
    one("entities_affected", "greaterThanInclusive", 0),
    one("reversibility_rank", "greaterThan", 3),
    one("action_class", "in", ["delete", "destroy"]),
    one("action_class", "notEqual", "read"),
    one("environment", "in", ["staging", "production"]),
    one("environment", "equal", "production"),
    one("production_impact", "notEqual", false),
    one("destination_missing", "equal", false),
    one("normalized_action_type", "in", ["refund.pay"]),
    nested(5)
  ])("of the dialect is read unchanged: %j", (json) => {
    expect(readCondition(json, raising)).toEqual({ condition: json, problems: [] })
  })

  it.each([
    [null, "`conditions` must be a group: `all` or `any`"],
    [{ fact: "data_store", operator: "equal", value: true }, "`conditions` must be a group: `all` or `any`"],
    [{ all: [] }, "all: `all` must be a list of at least one condition"],
    [{ any: [] }, "any: `any` must be a list of at least one condition"],
    [{ all: {} }, "all: `all` must be a list of conditions"],
    [
      { all: [nested(1)], any: [nested(1)] },
      "`all` and `any` are in the same group: put one inside the other"
    ],
    [
      { all: [nested(1)], priority: 2 },
      "priority: `priority` is not part of the dialect: rules have no order, and every one is evaluated"
    ],
    [
      { not: nested(1) },
      "not: `not` is not part of the dialect: test the opposite with `notEqual` or `notIn`"
    ],
    [
      { all: [{ not: nested(1) }] },
      "all[0].not: `not` is not part of the dialect: test the opposite with `notEqual` or `notIn`"
    ],
    [
      { all: [{ condition: "named" }] },
      "all[0].condition: `condition` is not part of the dialect: write the condition out: there are no named conditions"
    ],
    [{ all: ["data_store"] }, "all[0]: a condition must be an object"],
    [nested(6), "all[0].any[0].all[0].any[0].all[0]: groups are nested more than 5 deep"],
    [
      { all: [{ fact: "data_store", operator: "equal", value: true, path: "$.x" }] },
      "all[0].path: `path` is not part of the dialect: every fact is a single value"
    ],
    [
      { all: [{ fact: "data_store", operator: "equal", value: true, params: {} }] },
      "all[0].params: `params` is not part of the dialect: facts take no parameters"
    ]
  ])("with another shape is refused: %j", (json, problem) => {
    expect(problems(json)).toEqual([problem])
  })

  it.each([
    [
      "entities_afected",
      "greaterThan",
      1,
      "fact: unknown fact `entities_afected`, did you mean `entities_affected`?"
    ],
    ["metadata", "equal", "x", "fact: unknown fact `metadata`"],
    ["constructor", "equal", "x", "fact: unknown fact `constructor`"],
    ["data_store", "equals", true, "operator: unknown operator `equals`, did you mean `equal`?"],
    ["data_store", "contains", true, "operator: unknown operator `contains`"],
    [
      "data_store",
      "greaterThan",
      1,
      "operator: `data_store` is a flag: `greaterThan` is for counts and ranks"
    ],
    ["data_store", "equal", "true", 'value: `data_store` is true or false, not `"true"`'],
    ["data_store", "equal", null, "value: `data_store` is true or false, not `null`"],
    [
      "entities_affected",
      "equal",
      5,
      "operator: `entities_affected` is a count: compare it, `equal` is for names and flags"
    ],
    [
      "entities_affected",
      "greaterThan",
      "1000",
      'value: `entities_affected` compares with a whole number from 0 up, not `"1000"`'
    ],
    [
      "entities_affected",
      "greaterThan",
      { fact: "records_affected" },
      "value: a value is a constant, never another fact"
    ],
    [
      "reversibility_rank",
      "greaterThan",
      2.5,
      "value: `reversibility_rank` compares with a whole number from 0 to 4, not `2.5`"
    ],
    [
      "reversibility_rank",
      "greaterThanInclusive",
      5,
      "value: `reversibility_rank` compares with a whole number from 0 to 4, not `5`"
    ],
    [
      "records_affected",
      "greaterThan",
      -1,
      "value: `records_affected` compares with a whole number from 0 up, not `-1`"
    ],
    [
      "action_class",
      "equal",
      "expport",
      'value: `action_class` is never `"expport"`, did you mean `export`?'
    ],
    ["action_class", "in", "export", 'value: `in` takes a list of at least one value, not `"export"`'],
    ["action_class", "in", [], "value: `in` takes a list of at least one value, not `[]`"],
    ["action_class", "equal", ["export"], 'value: `equal` takes one value, not `["export"]`'],
    ["action_class", "notIn", ["read", 5], "value[1]: `action_class` is a name, not `5`"],
    [
      "normalized_action_type",
      "equal",
      "",
      'value: `normalized_action_type` compares with a string of 1 to 160 characters, not `""`'
    ],
    [
      "confidence_percent_missing",
      "greaterThan",
      5,
      "fact: `confidence_percent_missing` is known only to completeness factors"
    ]
  ])("with %s %s %j is refused", (fact, operator, value, problem) => {
    expect(problems(one(fact, operator, value))).toEqual([`all[0].${problem}`])
  })

  it("lists every problem, each with its place", () => {
    const json = {
      any: [
        { fact: "x", operator: "equal", value: 1 },
        { all: [{ fact: "data_store", operator: "in", value: true }] }
      ]
    }
    expect(problems(json)).toEqual([
      "any[0].fact: unknown fact `x`",
      "any[1].all[0].value: `in` takes a list of at least one value, not `true`"
    ])
  })

  it("of a completeness factor may use confidence", () => {
    const json = one("confidence_percent_missing", "greaterThan", 50)
    expect(problems(json, { raises: true, completeness: true })).toEqual([])
  })
})

describe("a condition that can raise a score", () => {
  it.each([
    ["entities_affected", "lessThan", 5],
    ["reversibility_rank", "lessThanInclusive", 2],
    ["environment", "equal", "staging"],
    ["environment", "notEqual", "production"],
    ["environment", "in", ["development", "production"]],
    ["environment", "notIn", ["staging"]],
    ["privilege_change", "equal", false],
    ["production_impact", "notEqual", true]
  ])("may not hold for a smaller value and fail for a larger one: %s %s %j", (fact, operator, value) => {
    expect(problems(one(fact, operator, value)).join()).toContain(`\`${fact}\``)
    expect(problems(one(fact, operator, value)).join()).toContain("could lower a score")
    expect(problems(one(fact, operator, value), { raises: false, completeness: false })).toEqual([])
  })
})
