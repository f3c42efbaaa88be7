/** Keys that the schemas do not know or that are missing, and values of another type. */

import { factor, type Mutation, policy, policySet, ruleset, typology } from "./Mutation.ts"

export const shapeMutations: ReadonlyArray<Mutation> = [
  {
    name: "a misspelt key",
    file: factor,
    from: `"lifecycle"`,
    to: `"lifecyle"`,
    lint: "unknown-key",
    at: `"lifecyle"`,
    says: "unknown key `lifecyle`, did you mean `lifecycle`?",
    suggestion: "lifecycle"
  },
  {
    name: "a key in camelCase",
    file: factor,
    from: `"hazard_bp"`,
    to: `"hazardBp"`,
    lint: "unknown-key",
    at: `"hazardBp"`,
    says: "did you mean `hazard_bp`?",
    suggestion: "hazard_bp"
  },
  {
    name: "a key that nothing is like",
    file: typology,
    from: `"floor": 60,`,
    to: `"floor": 60, "enabled": true,`,
    lint: "unknown-key",
    at: `"enabled"`,
    says: "unknown key `enabled`"
  },
  {
    name: "a key left out",
    file: factor,
    from: `\n  "lifecycle": "stable",`,
    to: ``,
    lint: "missing-key",
    at: `{\n  "$schema"`,
    says: "`lifecycle` is missing"
  },
  {
    name: "no reason",
    file: factor,
    from: `\n  "why": "What touches many things at once is expensive to undo one by one.",`,
    to: ``,
    lint: "missing-why",
    at: `{\n  "$schema"`,
    says: "`why` is missing"
  },
  {
    name: "an empty reason",
    file: policy,
    from: `"Because it was agreed."`,
    to: `""`,
    lint: "missing-why",
    at: `""`,
    says: "`why` says nothing"
  },
  {
    name: "nothing that a factor misses",
    file: factor,
    from: `\n  "misses": "Few things that matter much.",`,
    to: ``,
    lint: "missing-misses",
    at: `{\n  "$schema"`,
    says: "`misses` is missing"
  },
  {
    name: "nothing that a policy misses",
    file: policy,
    from: `\n  "misses": "What is done outside.",`,
    to: ``,
    lint: "missing-misses",
    at: `{\n  "$schema"`,
    says: "say what the rule cannot see"
  },
  {
    name: "a policy without an owner",
    file: policy,
    from: `\n  "owner": "security",`,
    to: ``,
    lint: "missing-owner",
    at: `{\n  "$schema"`,
    says: "`owner` is missing"
  },
  {
    name: "a set without an owner",
    file: policySet,
    from: `"owner": "security"`,
    to: `"owner": ""`,
    lint: "missing-owner",
    at: `""`,
    says: "`owner` says nothing"
  },
  {
    name: "a number as a text",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": "500"`,
    lint: "wrong-type",
    at: `"500"`,
    says: 'expected a number, not `"500"`',
    suggestion: "500"
  },
  {
    name: "a text as a number",
    file: factor,
    from: `"message": "The action affects {entities_affected} entities."`,
    to: `"message": 7`,
    lint: "wrong-type",
    at: `7`,
    says: "expected a text, not `7`"
  },
  {
    name: "a flag as a text",
    file: ruleset,
    from: `"harmless": true`,
    to: `"harmless": "true"`,
    lint: "wrong-type",
    at: `"true"`,
    says: "expected true or false",
    suggestion: "true"
  },
  {
    name: "a list as an object",
    file: factor,
    from: `["VERIFY_SCOPE", "EXECUTE_IN_BATCHES"]`,
    to: `{ "0": "VERIFY_SCOPE" }`,
    lint: "wrong-type",
    at: `{ "0"`,
    says: "expected a list"
  },
  {
    name: "an object as a list",
    file: typology,
    from: `"event": { "type": "BULK_DELETION" }`,
    to: `"event": ["BULK_DELETION"]`,
    lint: "wrong-type",
    at: `["BULK_DELETION"]`,
    says: "expected an object"
  },
  {
    name: "null for a text",
    file: policy,
    from: `"owner": "security"`,
    to: `"owner": null`,
    lint: "wrong-type",
    at: `null`,
    says: "expected a text, not `null`"
  }
]
