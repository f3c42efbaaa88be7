/** Files that are valid alone but conflict with their names, their rules, their cases, or each other. */

import { exporting, factor, type Mutation, policy, policySet, typology } from "./Mutation.ts"

const cases = "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json"
const high = `{ "fact": "entities_affected", "operator": "greaterThanInclusive", "value": 1000 }`

export const togetherMutations: ReadonlyArray<Mutation> = [
  {
    name: "a code that is not the file's",
    file: factor,
    from: `"code": "HIGH_ENTITY_COUNT"`,
    to: `"code": "ENTITY_COUNT"`,
    lint: "misnamed-file",
    at: `"ENTITY_COUNT"`,
    says: "`ENTITY_COUNT` is in a file named `HIGH_ENTITY_COUNT`",
    suggestion: "HIGH_ENTITY_COUNT"
  },
  {
    name: "a category that is not the folder's",
    file: factor,
    from: `"volume"`,
    to: `"data"`,
    lint: "misnamed-file",
    at: `"data"`,
    says: "`data` is in a folder named `volume`",
    suggestion: "volume"
  },
  {
    name: "an event of another name",
    file: typology,
    from: `"BULK_DELETION"`,
    to: `"MASS_DELETION"`,
    lint: "misnamed-file",
    at: `"MASS_DELETION"`,
    says: "the event is named `MASS_DELETION`, but the rule raises `BULK_DELETION`",
    suggestion: "BULK_DELETION"
  },
  {
    name: "an event named error",
    file: typology,
    from: `"BULK_DELETION"`,
    to: `"error"`,
    lint: "wrong-value",
    at: `"error"`,
    says: "expected UPPER_SNAKE_CASE"
  },
  {
    name: "a policy id that is not the file's",
    file: policy,
    from: `"id": "exports-ask-legal"`,
    to: `"id": "exports"`,
    lint: "misnamed-file",
    at: `"exports"`,
    says: "`exports` is in a file named `exports-ask-legal`",
    suggestion: "exports-ask-legal"
  },
  {
    name: "a set that is not the folder's",
    file: policySet,
    from: `"name": "house"`,
    to: `"name": "home"`,
    lint: "misnamed-file",
    at: `"home"`,
    says: "`home` is in a folder named `house`",
    suggestion: "house"
  },
  {
    name: "a figure that does not exist",
    file: factor,
    from: `{entities_affected} entities`,
    to: `{entities} entities`,
    lint: "unknown-placeholder",
    at: `"The action affects`,
    says: "`{entities}` is not a fact"
  },
  {
    name: "a misspelt figure",
    file: factor,
    from: `{entities_affected} entities`,
    to: `{entities_afected} entities`,
    lint: "unknown-placeholder",
    at: `"The action affects`,
    says: "`{entities_afected}` is not a fact, did you mean `entities_affected`?",
    suggestion: "entities_affected"
  },
  {
    name: "a hazard that falls",
    file: exporting,
    from: `"hazard_bp": 2000`,
    to: `"hazard_bp": 100`,
    lint: "hazard-falls",
    at: `{ "severity": "high", "hazard_bp": 100 }`,
    says: "`SENSITIVE_EXPORT.high` carries 100, the milder `SENSITIVE_EXPORT.moderate` 500"
  },
  {
    name: "two rules of one name",
    file: factor,
    from: `"name": "HIGH_ENTITY_COUNT.high"`,
    to: `"name": "HIGH_ENTITY_COUNT.moderate"`,
    lint: "duplicate-rule",
    at: `"HIGH_ENTITY_COUNT.moderate",
      "conditions": {
        "all": [${high}]`,
    says: "`HIGH_ENTITY_COUNT.moderate` already names a rule in rules/factors/volume/HIGH_ENTITY_COUNT.json"
  },
  {
    name: "a milder rule that needs more",
    file: factor,
    from: `    }
  ]
}`,
    to: `    },
    {
      "name": "HIGH_ENTITY_COUNT.again",
      "conditions": { "all": [${high}] },
      "event": { "type": "HIGH_ENTITY_COUNT", "params": { "severity": "moderate" } }
    }
  ]
}`,
    lint: "shadowed",
    at: `{ "all": [{`,
    says: "`HIGH_ENTITY_COUNT.again` never decides"
  },
  {
    name: "no schema on the second line",
    file: factor,
    from: `  "$schema": "../../../schemas/factor.schema.json",\n`,
    to: ``,
    lint: "missing-schema-line",
    at: `{\n  "code"`,
    says: "the second line must be",
    suggestion: `"$schema": "../../../schemas/factor.schema.json"`
  },
  {
    name: "the schema of another kind of file",
    file: factor,
    from: `schemas/factor.schema.json`,
    to: `schemas/typology.schema.json`,
    lint: "missing-schema-line",
    at: `"../../../schemas/typology.schema.json"`,
    says: "is not the schema of this file",
    suggestion: `"$schema": "../../../schemas/factor.schema.json"`
  },
  {
    name: "a schema somewhere else",
    file: policySet,
    from: `"../../schemas/`,
    to: `"../../../schemas/`,
    lint: "missing-schema-line",
    at: `"../../../schemas/`,
    says: "is not the schema of this file",
    suggestion: `"$schema": "../../schemas/policy-set.schema.json"`
  },
  {
    name: "two cases of one name",
    file: cases,
    from: `"999 entities"`,
    to: `"100 entities"`,
    lint: "duplicate-case",
    at: `"100 entities",
      "request": {
        "action_type": "customers.update",
        "environment": "staging",
        "entities_affected": 999`,
    says: "another case is named `100 entities`"
  },
  {
    name: "no case that must not match",
    file: "policies/house/exports-ask-legal.cases.json",
    from: `"expect": "none"
    },
    {
      "name": "a look",
      "request": { "action_type": "customers.get", "environment": "production" },
      "expect": "none"
    }`,
    to: `"expect": "matched"
    }`,
    lint: "no-must-not-case",
    at: `[\n`,
    says: "no case says where `exports-ask-legal` must not match: expect `none` of one"
  },
  {
    name: "no case that must match",
    file: "policies/house/exports-ask-legal.cases.json",
    from: `"expect": "matched"`,
    to: `"expect": "none"`,
    lint: "no-must-case",
    at: `[\n`,
    says: "no case says where `exports-ask-legal` must match"
  },
  {
    name: "no case of one severity",
    file: cases,
    from: `"expect": "high"`,
    to: `"expect": "moderate"`,
    lint: "no-must-case",
    at: `[\n`,
    says: "no case says where `HIGH_ENTITY_COUNT` must be high"
  },
  {
    name: "a threshold that its cases do not know",
    file: "rules/typologies/bulk-deletion.cases.json",
    from: `"environment": "staging", "entities_affected": 9 }`,
    to: `"environment": "staging", "entities_affected": 8 }`,
    lint: "boundary-without-case",
    in: typology,
    at: `9 }`,
    says: "no case is directly outside the threshold, at `entities_affected` 9"
  },
  {
    name: "a history from the future",
    file: "rules/calibration.json",
    from: `"name": "one customer is read",`,
    to: `"name": "one customer is read", "history": { "now": "2026-11-02T09:30:00Z", "earlier": [{ "at": "2026-11-03T09:30:00Z", "request": { "action_type": "customers.get", "environment": "staging" } }] },`,
    lint: "wrong-value",
    at: `{ "at": "2026-11-03T09:30:00Z"`,
    says: "is not before `now`"
  }
]
