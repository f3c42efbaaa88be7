/** Files that are no longer JSON, or JSON that two readers could read differently. */

import { factor, type Mutation, policy, ruleset } from "./Mutation.ts"

const why = `"why": "What touches many things at once is expensive to undo one by one."`

export const jsonMutations: ReadonlyArray<Mutation> = [
  {
    name: "a comma before a closing brace",
    file: factor,
    from: `{ "severity": "high" }`,
    to: `{ "severity": "high", }`,
    lint: "not-json",
    at: `, }`,
    says: "a comma comes before the closing `}`: remove it"
  },
  {
    name: "a comma before a closing bracket",
    file: factor,
    from: `"EXECUTE_IN_BATCHES"]`,
    to: `"EXECUTE_IN_BATCHES",]`,
    lint: "not-json",
    at: `,]`,
    says: "a comma comes before the closing `]`"
  },
  {
    name: "a comma left out",
    file: factor,
    from: `"category": "volume",`,
    to: `"category": "volume"`,
    lint: "not-json",
    at: `"lifecycle"`,
    says: "a comma is missing before this"
  },
  {
    name: "two commas",
    file: factor,
    from: `"category": "volume",`,
    to: `"category": "volume",,`,
    lint: "not-json",
    at: `,\n  "lifecycle"`,
    says: "a key in double quotes is missing"
  },
  {
    name: "a colon left out",
    file: policy,
    from: `"owner": "security"`,
    to: `"owner" "security"`,
    lint: "not-json",
    at: `"security"`,
    says: "a colon is missing between key and value"
  },
  {
    name: "a value left out",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": `,
    lint: "not-json",
    at: `,\n  "rules"`,
    says: "a value is missing"
  },
  {
    name: "a brace left out",
    file: policy,
    from: `"VERIFY_SCOPE"]\n    }\n  }\n}`,
    to: `"VERIFY_SCOPE"]\n    }\n  }`,
    lint: "not-json",
    at: "",
    says: "a closing `}` is missing: the file ends too early"
  },
  {
    name: "a bracket left out",
    file: factor,
    from: `["VERIFY_SCOPE", "EXECUTE_IN_BATCHES"]`,
    to: `["VERIFY_SCOPE", "EXECUTE_IN_BATCHES"`,
    lint: "not-json",
    at: `: 0,`,
    says: "a comma is missing before this"
  },
  {
    name: "something after the end",
    file: policy,
    from: `"VERIFY_SCOPE"]\n    }\n  }\n}`,
    to: `"VERIFY_SCOPE"]\n    }\n  }\n}\n[]`,
    lint: "not-json",
    at: `[]`,
    says: "something follows the end of the document"
  },
  {
    name: "a comment",
    file: factor,
    from: `"hazard_bp": 0,`,
    to: `"hazard_bp": 0, // none`,
    lint: "not-json",
    at: `// none`,
    says: "comments are not JSON: put the reason into `why`"
  },
  {
    name: "a comment of several lines",
    file: ruleset,
    from: `"classes": {`,
    to: `"classes": /* all\n of them */ {`,
    lint: "not-json",
    at: `/* all`,
    says: "comments are not JSON"
  },
  {
    name: "single quotes",
    file: factor,
    from: `"stable"`,
    to: `'stable'`,
    lint: "not-json",
    at: `'stable'`,
    says: "strings take double quotes, not single ones"
  },
  {
    name: "a key without quotes",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `hazard_bp: 0`,
    lint: "not-json",
    at: `hazard_bp`,
    says: "the key `hazard_bp` must be in double quotes",
    suggestion: `"hazard_bp"`
  },
  {
    name: "another language's constant",
    file: "rules/factors/data/SENSITIVE_EXPORT.json",
    from: `"value": true`,
    to: `"value": True`,
    lint: "not-json",
    at: `True`,
    says: "`True` is not a JSON value, did you mean `true`?",
    suggestion: "true"
  },
  {
    name: "a number that is none",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": NaN`,
    lint: "not-json",
    at: `NaN`,
    says: "`NaN` is not a JSON value"
  },
  {
    name: "a number that overflows",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": 1e400`,
    lint: "not-json",
    at: `1e400`,
    says: "a number is too large to be read"
  },
  {
    name: "half of a character",
    file: factor,
    from: `"code": "HIGH_ENTITY_COUNT"`,
    to: `"code": "HIGH_ENTITY_COUNT\\ud800"`,
    lint: "not-json",
    at: `"HIGH_ENTITY_COUNT\\ud800"`,
    says: "half of a surrogate pair"
  },
  {
    name: "a number with a zero in front",
    file: factor,
    from: `"hazard_bp": 0`,
    to: `"hazard_bp": 0500`,
    lint: "not-json",
    at: `0500`,
    says: "a number does not start with 0"
  },
  {
    name: "a text that does not end",
    file: factor,
    from: `one by one."`,
    to: `one by one.`,
    lint: "not-json",
    at: `"What touches`,
    says: "a string does not end on its line"
  },
  {
    name: "a tab in a text",
    file: factor,
    from: `at once is`,
    to: `at\tonce is`,
    lint: "not-json",
    at: `"What touches`,
    says: "a string contains a control character: escape it"
  },
  {
    name: "a backslash that escapes nothing",
    file: factor,
    from: `at once is`,
    to: String.raw`at \once is`,
    lint: "not-json",
    at: `"What touches`,
    says: "a backslash does not escape anything here: write it twice"
  },
  {
    name: "a key twice",
    file: factor,
    from: `"hazard_bp": 0,`,
    to: `"hazard_bp": 0,\n  "hazard_bp": 900,`,
    lint: "duplicate-key",
    at: `"hazard_bp": 900`,
    says: "`hazard_bp` occurs twice in one object, and only the last would count"
  },
  {
    name: "a key twice, once escaped",
    file: policy,
    from: `"severity": "moderate",`,
    to: String.raw`"severity": "moderate", "severit\u0079": "low",`,
    lint: "duplicate-key",
    at: String.raw`"severit\u0079"`,
    says: "`severity` occurs twice"
  },
  {
    name: "a prototype for a key",
    file: factor,
    from: why,
    to: `${why},\n  "__proto__": { "hazard_bp": 0 }`,
    lint: "prototype-key",
    at: `"__proto__"`,
    says: "`__proto__` is a name that every object already has"
  },
  {
    name: "a constructor for a class",
    file: ruleset,
    from: `"classes": {`,
    to: `"classes": { "constructor": {},`,
    lint: "prototype-key",
    at: `"constructor"`,
    says: "`constructor` is a name that every object already has"
  }
]
