/** Conditions outside the dialect. */

import { exporting, factor, high, type Mutation, novel, reviewing, typology } from "./Mutation.ts"

const deep = (depth: number): string => (depth === 0 ? high : `{ "all": [${deep(depth - 1)}] }`)

export const conditionMutations: ReadonlyArray<Mutation> = [
  {
    name: "a misspelt fact",
    file: factor,
    from: high,
    to: high.replace("entities_affected", "entities_afected"),
    lint: "unknown-fact",
    at: `"entities_afected"`,
    says: "unknown fact `entities_afected`, did you mean `entities_affected`?",
    suggestion: "entities_affected"
  },
  {
    name: "a fact that does not exist",
    file: factor,
    from: high,
    to: high.replace("entities_affected", "moon_phase"),
    lint: "unknown-fact",
    at: `"moon_phase"`,
    says: "unknown fact `moon_phase`"
  },
  {
    name: "a fact that is known only at the end",
    file: reviewing,
    from: `"entities_affected"`,
    to: `"confidence_percent_missing"`,
    lint: "unknown-fact",
    at: `"confidence_percent_missing"`,
    says: "`confidence_percent_missing` is known only to completeness factors"
  },
  {
    name: "no fact",
    file: factor,
    from: high,
    to: `{ "operator": "greaterThanInclusive", "value": 1000 }`,
    lint: "unknown-fact",
    at: `{ "operator": "greaterThanInclusive", "value": 1000 }`,
    says: "`fact` is missing"
  },
  {
    name: "a misspelt operator",
    file: typology,
    from: `"equal"`,
    to: `"equals"`,
    lint: "unknown-operator",
    at: `"equals"`,
    says: "unknown operator `equals`, did you mean `equal`?",
    suggestion: "equal"
  },
  {
    name: "an operator of json-rules-engine that is left out",
    file: typology,
    from: `"equal"`,
    to: `"contains"`,
    lint: "unknown-operator",
    at: `"contains"`,
    says: "unknown operator `contains`"
  },
  {
    name: "an operator of one's own",
    file: typology,
    from: `"equal"`,
    to: `"startsWith"`,
    lint: "unknown-operator",
    at: `"startsWith"`,
    says: "unknown operator `startsWith`"
  },
  {
    name: "a count for equality",
    file: factor,
    from: high,
    to: high.replace("greaterThanInclusive", "equal"),
    lint: "unknown-operator",
    at: `"equal"`,
    says: "`entities_affected` is a count: compare it, `equal` is for names and flags",
    suggestion: "greaterThanInclusive"
  },
  {
    name: "a name for size",
    file: typology,
    from: `"equal"`,
    to: `"greaterThan"`,
    lint: "unknown-operator",
    at: `"greaterThan", "value": "delete"`,
    says: "`action_class` is a name: `greaterThan` is for counts and ranks",
    suggestion: "equal"
  },
  {
    name: "a numeric text",
    file: factor,
    from: high,
    to: high.replace("1000", `"1000"`),
    lint: "wrong-type",
    at: `"1000"`,
    says: '`entities_affected` compares with a whole number from 0 up, not `"1000"`',
    suggestion: "1000"
  },
  {
    name: "a threshold with a fraction",
    file: factor,
    from: high,
    to: high.replace("1000", "1000.5"),
    lint: "wrong-value",
    at: `1000.5`,
    says: "compares with a whole number"
  },
  {
    name: "a rank that is too high",
    file: exporting,
    from: `"greaterThanInclusive", "value": 2 }\n`,
    to: `"greaterThanInclusive", "value": 5 }\n`,
    lint: "wrong-value",
    at: `5 }`,
    says: "`data_classification_rank` compares with a whole number from 0 to 4, not `5`"
  },
  {
    name: "a flag as a text",
    file: exporting,
    from: novel,
    to: novel.replace("true", `"true"`),
    lint: "wrong-type",
    at: `"true"`,
    says: '`destination_novel` is true or false, not `"true"`',
    suggestion: "true"
  },
  {
    name: "a name that the fact never has",
    file: typology,
    from: `"value": "delete"`,
    to: `"value": "delet"`,
    lint: "unknown-code",
    at: `"delet"`,
    says: '`action_class` is never `"delet"`, did you mean `delete`?',
    suggestion: "delete"
  },
  {
    name: "a name in a list that the fact never has",
    file: exporting,
    from: `["export", "communicate"]`,
    to: `["export", "comunicate"]`,
    lint: "unknown-code",
    at: `"comunicate"`,
    says: '`action_class` is never `"comunicate"`, did you mean `communicate`?',
    suggestion: "communicate"
  },
  {
    name: "a list for a fact",
    file: typology,
    from: `"fact": "action_class"`,
    to: `"fact": ["action_class"]`,
    lint: "wrong-type",
    at: `["action_class"]`,
    says: '`fact` is the name of a fact, not `["action_class"]`'
  },
  {
    name: "one name where a list belongs",
    file: exporting,
    from: `["export", "communicate"]`,
    to: `"export"`,
    lint: "wrong-type",
    at: `"export" }`,
    says: '`in` takes a list of at least one value, not `"export"`',
    suggestion: `["export"]`
  },
  {
    name: "a list where one name belongs",
    file: typology,
    from: `"value": "delete"`,
    to: `"value": ["delete"]`,
    lint: "wrong-type",
    at: `["delete"]`,
    says: "`equal` takes one value"
  },
  {
    name: "no value",
    file: factor,
    from: high,
    to: `{ "fact": "entities_affected", "operator": "greaterThanInclusive" }`,
    lint: "missing-key",
    at: `{ "fact": "entities_affected", "operator": "greaterThanInclusive" }`,
    says: "`value` is missing"
  },
  {
    name: "the value of another fact",
    file: factor,
    from: high,
    to: high.replace("1000", `{ "fact": "records_affected" }`),
    lint: "not-in-dialect",
    at: `{ "fact": "records_affected" }`,
    says: "a value is a constant, never another fact"
  },
  {
    name: "a negation",
    file: exporting,
    from: novel,
    to: `{ "not": ${novel} }`,
    lint: "not-in-dialect",
    at: `"not"`,
    says: "`not` is not part of the dialect: test the opposite with `notEqual` or `notIn`"
  },
  {
    name: "a negation of everything",
    file: factor,
    from: `{\n        "all": [${high}]\n      }`,
    to: `{ "not": ${high} }`,
    lint: "not-in-dialect",
    at: `"not"`,
    says: "`not` is not part of the dialect"
  },
  {
    name: "a path into a fact",
    file: exporting,
    from: novel,
    to: novel.replace(" }", `, "path": "$.host" }`),
    lint: "not-in-dialect",
    at: `"path"`,
    says: "`path` is not part of the dialect: every fact is a single value"
  },
  {
    name: "parameters of a fact",
    file: exporting,
    from: novel,
    to: novel.replace(" }", `, "params": { "days": 7 } }`),
    lint: "not-in-dialect",
    at: `"params": { "days"`,
    says: "`params` is not part of the dialect: facts take no parameters"
  },
  {
    name: "a priority of a condition",
    file: exporting,
    from: novel,
    to: novel.replace(" }", `, "priority": 5 }`),
    lint: "not-in-dialect",
    at: `"priority"`,
    says: "`priority` is not part of the dialect: rules have no order"
  },
  {
    name: "a named condition",
    file: exporting,
    from: novel,
    to: `{ "condition": "newPlace" }`,
    lint: "not-in-dialect",
    at: `"condition": "newPlace"`,
    says: "`condition` is not part of the dialect: write the condition out"
  },
  {
    name: "an empty any",
    file: exporting,
    from: `[
              { "fact": "environment", "operator": "equal", "value": "production" },
              ${novel}
            ]`,
    to: `[]`,
    lint: "empty-group",
    at: `[]`,
    says: "`any` must be a list of at least one condition"
  },
  {
    name: "an empty all",
    file: factor,
    from: `[${high}]`,
    to: `[]`,
    lint: "empty-group",
    at: `[]`,
    says: "`all` must be a list of at least one condition"
  },
  {
    name: "no group at all",
    file: factor,
    from: `{\n        "all": [${high}]\n      }`,
    to: `{}`,
    lint: "empty-group",
    at: `{}`,
    says: "`conditions` must be a group"
  },
  {
    name: "all and any side by side",
    file: factor,
    from: `"all": [${high}]`,
    to: `"all": [${high}], "any": [${high}]`,
    lint: "mixed-group",
    at: `{\n        "all": [${high}], "any"`,
    says: "`all` and `any` are in the same group: put one inside the other"
  },
  {
    name: "six groups inside each other",
    file: factor,
    from: high,
    to: deep(5),
    lint: "too-deep",
    at: deep(1),
    says: "groups are nested more than 5 deep"
  },
  {
    name: "a condition that is a text",
    file: exporting,
    from: novel,
    to: `"destination_novel"`,
    lint: "wrong-type",
    at: `"destination_novel"`,
    says: "a condition must be an object"
  }
]
