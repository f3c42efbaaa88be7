/** Conditions within the dialect that no author can mean: they could lower a score, hold always or never, or repeat themselves. */

import {
  exporting,
  factor,
  high,
  type Mutation,
  noting,
  novel,
  policy,
  reviewing,
  typology
} from "./Mutation.ts"

export const meaningMutations: ReadonlyArray<Mutation> = [
  {
    name: "a factor that looks downwards",
    file: factor,
    from: high,
    to: high.replace("greaterThanInclusive", "lessThan"),
    lint: "could-lower",
    at: `"lessThan"`,
    says: "`lessThan` on `entities_affected` could lower a score"
  },
  {
    name: "a control that looks downwards",
    file: reviewing,
    from: `"greaterThanInclusive"`,
    to: `"lessThanInclusive"`,
    lint: "could-lower",
    at: `"lessThanInclusive"`,
    says: "could lower a score: only annotate and add_recommendation may use it"
  },
  {
    name: "a note that becomes a floor",
    file: noting,
    from: `"annotate": {
      "note": "A small read."
    }`,
    to: `"raise_floor": { "score": 50 }`,
    lint: "could-lower",
    at: `"lessThan"`,
    says: "`lessThan` on `entities_affected` could lower a score"
  },
  {
    name: "a factor of the safer environments",
    file: policy,
    from: `"equal", "value": "production"`,
    to: `"notEqual", "value": "production"`,
    lint: "could-lower",
    at: `"production"`,
    says: "`environment` is risk-ordered, so this could lower a score"
  },
  {
    name: "a rank above the highest",
    file: exporting,
    from: `"operator": "greaterThanInclusive", "value": 2 },
          {`,
    to: `"operator": "greaterThan", "value": 4 },
          {`,
    lint: "never-matches",
    at: `{
        "all": [
          { "fact": "action_class", "operator": "equal"`,
    says: "`SENSITIVE_EXPORT.high` cannot hold for any request"
  },
  {
    name: "two classes at once",
    file: policy,
    from: `"all": [`,
    to: `"all": [{ "fact": "action_class", "operator": "equal", "value": "read" },`,
    lint: "never-matches",
    at: `{
        "all": [{`,
    says: "`exports-ask-legal` cannot hold for any request"
  },
  {
    name: "a branch that nothing takes",
    file: exporting,
    from: novel,
    to: `${novel}, { "fact": "action_category", "operator": "equal", "value": "financial" }`,
    lint: "never-matches",
    at: `{ "fact": "action_category"`,
    says: "this branch cannot hold for any request"
  },
  {
    name: "a threshold of nothing",
    file: exporting,
    from: `"operator": "in", "value": ["export", "communicate"] },`,
    to: `"operator": "in", "value": ["export", "communicate"] },
          { "fact": "environment_rank", "operator": "greaterThanInclusive", "value": 0 },`,
    lint: "always-matches",
    at: `{ "fact": "environment_rank"`,
    says: "this holds for every request and tests nothing"
  },
  {
    name: "either answer",
    file: policy,
    from: `{ "fact": "environment", "operator": "equal", "value": "production" }`,
    to: `{ "fact": "environment", "operator": "equal", "value": "production" },
          { "fact": "destination_missing", "operator": "in", "value": [true, false] }`,
    lint: "always-matches",
    at: `{ "fact": "destination_missing"`,
    says: "this holds for every request and tests nothing"
  },
  {
    name: "one question twice",
    file: typology,
    from: `"operator": "greaterThan", "value": 9 }`,
    to: `"operator": "greaterThan", "value": 9 },
          { "fact": "action_class", "operator": "equal", "value": "delete" }`,
    lint: "duplicate-condition",
    at: `{ "fact": "action_class", "operator": "equal", "value": "delete" }\n`,
    says: "the conditions next to it already test this: the action class is delete"
  },
  {
    name: "one question in other words",
    file: policy,
    from: `{ "fact": "environment", "operator": "equal", "value": "production" }`,
    to: `{ "fact": "environment", "operator": "equal", "value": "production" },
          { "fact": "environment", "operator": "in", "value": ["staging", "production"] }`,
    lint: "duplicate-condition",
    at: `{ "fact": "environment", "operator": "in"`,
    says: "the conditions next to it already test this"
  },
  {
    name: "a branch inside another",
    file: exporting,
    from: novel,
    to: `${novel}, { "all": [${novel}, { "fact": "privilege_change", "operator": "equal", "value": true }] }`,
    lint: "shadowed",
    at: `{ "all": [${novel}`,
    says: "another branch holds whenever this one does"
  }
]
