/** Values that the schemas reject, and names that do not exist. */

import {
  exporting,
  factor,
  type Mutation,
  policy,
  policySet,
  reviewing,
  ruleset,
  typology
} from "./Mutation.ts"

const cases = "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json"
const matches = "rules/typologies/bulk-deletion.cases.json"

export const valueMutations: ReadonlyArray<Mutation> = [
  {
    name: "a share above the whole",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": 10001`,
    lint: "wrong-value",
    at: `10001`,
    says: "expected a value between 0 and 10000, not `10001`"
  },
  {
    name: "a share with a fraction",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": 0.5`,
    lint: "wrong-value",
    at: `0.5`,
    says: "expected an integer, not `0.5`"
  },
  {
    name: "a floor above any score",
    file: typology,
    from: `"floor": 60`,
    to: `"floor": 101`,
    lint: "wrong-value",
    at: `101`,
    says: "expected a value between 0 and 100, not `101`"
  },
  {
    name: "a version of two figures",
    file: policySet,
    from: `"1.0.0"`,
    to: `"1.0"`,
    lint: "wrong-value",
    at: `"1.0"`,
    says: 'expected a version such as 1.0.0, not `"1.0"`'
  },
  {
    name: "levels out of order",
    file: ruleset,
    from: `"minimal": 0`,
    to: `"minimal": 11`,
    lint: "wrong-value",
    at: `{\n    "minimal"`,
    says: "expected figures that never decrease from `minimal` to `critical`"
  },
  {
    name: "a text with spaces around it",
    file: typology,
    from: `"Much is deleted at once"`,
    to: `" Much is deleted at once"`,
    lint: "wrong-value",
    at: `" Much`,
    says: "expected a string with no leading or trailing whitespace"
  },
  {
    name: "an instant without its zone",
    file: "rules/calibration.json",
    from: `"why": "The smallest action there is.",`,
    to: `"why": "The smallest.", "history": { "now": "2026-11-02T09:30:00", "earlier": [] },`,
    lint: "wrong-value",
    at: `"2026-11-02T09:30:00"`,
    says: "expected an instant such as 2026-11-02T09:30:00Z"
  },
  {
    name: "a request that the API would refuse",
    file: "rules/calibration.json",
    from: `"action_type": "`,
    to: `"action_type": "${"x".repeat(161)}`,
    lint: "wrong-value",
    at: `"${"x".repeat(161)}`,
    says: "expected at most 160 characters"
  },
  {
    name: "a day that no calendar has",
    file: "rules/calibration.json",
    from: `"why": "The smallest action there is.",`,
    to: `"why": "The smallest.", "history": { "now": "2026-02-30T09:30:00Z", "earlier": [] },`,
    lint: "wrong-value",
    at: `"2026-02-30T09:30:00Z"`,
    says: "expected a day and a time that exist"
  },
  {
    name: "a text that shows another order than it has",
    file: "rules/calibration.json",
    from: `"why": "The smallest action there is."`,
    to: `"why": "The \\u202esmallest action there is."`,
    lint: "wrong-value",
    at: `"The \\u202esmallest action there is."`,
    says: "contains a line break or an invisible character"
  },
  {
    name: "an unknown severity",
    file: factor,
    from: `"severity": "high"`,
    to: `"severity": "hihg"`,
    lint: "unknown-code",
    at: `"hihg"`,
    says: "unknown name `hihg`, did you mean `high`?",
    suggestion: "high"
  },
  {
    name: "a severity that nothing is like",
    file: factor,
    from: `"severity": "high"`,
    to: `"severity": "disastrous"`,
    lint: "unknown-code",
    at: `"disastrous"`,
    says: "expected one of `low`, `moderate`, `high`, `critical`"
  },
  {
    name: "an unknown category",
    file: factor,
    from: `"category": "volume"`,
    to: `"category": "volumes"`,
    lint: "unknown-code",
    at: `"volumes"`,
    says: "unknown name `volumes`, did you mean `volume`?",
    suggestion: "volume"
  },
  {
    name: "an unknown control",
    file: reviewing,
    from: `"HUMAN_REVIEW_RECOMMENDED"`,
    to: `"HUMAN_REVIEW_RECOMENDED"`,
    lint: "unknown-code",
    at: `"HUMAN_REVIEW_RECOMENDED"`,
    says: "did you mean `HUMAN_REVIEW_RECOMMENDED`?",
    suggestion: "HUMAN_REVIEW_RECOMMENDED"
  },
  {
    name: "an unknown recommendation",
    file: factor,
    from: `"VERIFY_SCOPE"`,
    to: `"VERIFY_SCOP"`,
    lint: "unknown-code",
    at: `"VERIFY_SCOP"`,
    says: "unknown recommendation `VERIFY_SCOP`, did you mean `VERIFY_SCOPE`?",
    suggestion: "VERIFY_SCOPE"
  },
  {
    name: "a recommendation that nobody explains",
    file: policy,
    from: `"ASK_LEGAL"`,
    to: `"PRAY"`,
    lint: "unknown-code",
    at: `"PRAY"`,
    says: "unknown recommendation `PRAY`: describe it in policy.json"
  },
  {
    name: "an unknown lifecycle",
    file: factor,
    from: `"stable"`,
    to: `"stabel"`,
    lint: "unknown-code",
    at: `"stabel"`,
    says: "did you mean `stable`?",
    suggestion: "stable"
  },
  {
    name: "an unknown class of a verb",
    file: "rules/lexicon/words/verbs.json",
    from: `"class": "communicate"`,
    to: `"class": "comunicate"`,
    lint: "unknown-code",
    at: `"comunicate"`,
    says: "did you mean `communicate`?",
    suggestion: "communicate"
  },
  {
    name: "an unknown environment in a case",
    file: matches,
    from: `"environment": "staging", "entities_affected": 9`,
    to: `"environment": "prod", "entities_affected": 9`,
    lint: "unknown-code",
    at: `"prod"`,
    says: "unknown name `prod`"
  },
  {
    name: "an unknown expectation",
    file: cases,
    from: `"expect": "none"`,
    to: `"expect": "nothing"`,
    lint: "unknown-code",
    at: `"nothing"`,
    says: "unknown name `nothing`"
  },
  {
    name: "a code in lower case",
    file: factor,
    from: `"VERIFY_SCOPE"`,
    to: `"verify scope"`,
    lint: "wrong-value",
    at: `"verify scope"`,
    says: 'expected UPPER_SNAKE_CASE, not `"verify scope"`'
  },
  {
    name: "a currency that is no ISO code",
    file: "rules/currencies.json",
    from: `"EUR"`,
    to: `"euro"`,
    lint: "wrong-value",
    at: `"euro"`,
    says: "expected an ISO 4217 code"
  },
  {
    name: "a rate as a number",
    file: "rules/currencies.json",
    from: `"1.1"`,
    to: `1.1`,
    lint: "wrong-type",
    at: `1.1`,
    says: "expected a text, not `1.1`"
  },
  {
    name: "no rules",
    file: exporting,
    from: `"hazard_bp": 500,`,
    to: `"hazard_bp": 500, "triggers": [],`,
    lint: "unknown-key",
    at: `"triggers"`,
    says: "unknown key `triggers`"
  },
  {
    name: "two effects",
    file: reviewing,
    from: `"then": {`,
    to: `"then": { "annotate": { "note": "Reviewed." },`,
    lint: "wrong-value",
    at: `{ "annotate"`,
    says: "expected exactly one effect"
  },
  {
    name: "an unknown effect",
    file: reviewing,
    from: `"require_control"`,
    to: `"requires_control"`,
    lint: "unknown-key",
    at: `"requires_control"`,
    says: "did you mean `require_control`?",
    suggestion: "require_control"
  },
  {
    name: "a rule with a priority",
    file: typology,
    from: `"event": {`,
    to: `"priority": 2, "event": {`,
    lint: "not-in-dialect",
    at: `"priority"`,
    says: "`priority` is not part of the dialect"
  },
  {
    name: "a rule with a callback",
    file: factor,
    from: `"event": { "type": "HIGH_ENTITY_COUNT", "params": { "severity": "high" } }`,
    to: `"onSuccess": "notify", "event": { "type": "HIGH_ENTITY_COUNT", "params": { "severity": "high" } }`,
    lint: "not-in-dialect",
    at: `"onSuccess"`,
    says: "`onSuccess` is not part of the dialect"
  }
]
