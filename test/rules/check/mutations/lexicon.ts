/** Words, catalogues and commands in which something is never read, or is read milder than it sounds. */

import type { Mutation } from "./Mutation.ts"

const verbs = "rules/lexicon/words/verbs.json"
const objects = "rules/lexicon/words/objects.json"
const words = "rules/lexicon/words/words.json"
const signals = "rules/lexicon/words/signals.json"
const catalogue = "rules/lexicon/providers/stripe.json"
const program = "rules/lexicon/programs"

export const lexiconMutations: ReadonlyArray<Mutation> = [
  {
    name: "a meaning for an object that is misspelt",
    file: verbs,
    from: `"by": { "key":`,
    to: `"by": { "kee":`,
    lint: "unknown-word",
    at: `"kee"`,
    says: "no object is named `kee`, did you mean `key`?",
    suggestion: "key"
  },
  {
    name: "a meaning for an object that does not exist",
    file: verbs,
    from: `{ "@people": { "impact": "moderate" } }`,
    to: `{ "spaceship": { "impact": "moderate" } }`,
    lint: "unknown-word",
    at: `"spaceship"`,
    says: "no object is named `spaceship`"
  },
  {
    name: "a group with an object that does not exist",
    file: verbs,
    from: `["customer"]`,
    to: `["custommer"]`,
    lint: "unknown-word",
    at: `"custommer"`,
    says: "no object is named `custommer`, did you mean `customer`?",
    suggestion: "customer"
  },
  {
    name: "a group that does not exist",
    file: verbs,
    from: `"@people"`,
    to: `"@peeple"`,
    lint: "wrong-value",
    at: `{ "impact": "moderate" }`,
    says: "there is no group `peeple`"
  },
  {
    name: "a place of too many words",
    file: verbs,
    from: `"tax office"`,
    to: `"office of the taxes"`,
    lint: "unknown-word",
    at: `"office of the taxes"`,
    says: "`office of the taxes` never matches: a place has at most 3 words"
  },
  {
    name: "an object of an unknown kind",
    file: objects,
    from: `"is": "person"`,
    to: `"is": "persons"`,
    lint: "unknown-code",
    at: `"persons"`,
    says: "did you mean `person`?",
    suggestion: "person"
  },
  {
    name: "a spelling of two objects",
    file: objects,
    from: `["disbursement"]`,
    to: `["disbursement", "client"]`,
    lint: "ambiguous-word",
    at: `"client"] }\n`,
    says: "`client` is already a spelling of `customer`"
  },
  {
    name: "a spelling that is the name of another object",
    file: objects,
    from: `["disbursement"]`,
    to: `["disbursement", "key"]`,
    lint: "ambiguous-word",
    at: `"key"] }\n`,
    says: "`key` has its own entry"
  },
  {
    name: "a spelling of two verbs",
    file: verbs,
    from: `"pay": { "class": "transact" }`,
    to: `"pay": { "class": "transact", "forms": ["exporting"] }`,
    lint: "ambiguous-word",
    at: `"exporting"] },\n    "send"`,
    says: "`exporting` is already a spelling of `export`"
  },
  {
    name: "a word twice in a list",
    file: words,
    from: `["bulk", "mass"]`,
    to: `["bulk", "mass", "bulk"]`,
    lint: "ambiguous-word",
    at: `"bulk"],`,
    says: "`bulk` is already in this list"
  },
  {
    name: "a word in two lists that contradict each other",
    file: words,
    from: `["no", "non"]`,
    to: `["no", "prod"]`,
    lint: "ambiguous-word",
    at: `"prod"],\n  "stop_words"`,
    says: "`prod` is in `production` as well, and cannot mean both"
  },
  {
    name: "a direction that is no preposition",
    file: words,
    from: `["to"]`,
    to: `["to", "towards"]`,
    lint: "unknown-word",
    at: `"towards"`,
    says: "`towards` does nothing here unless it is also in `prepositions`"
  },
  {
    name: "a verb of a word list that does not exist",
    file: words,
    from: `"outward": ["send"]`,
    to: `"outward": ["sned"]`,
    lint: "unknown-word",
    at: `"sned"`,
    says: "no verb is named `sned`, did you mean `send`?",
    suggestion: "send"
  },
  {
    name: "a signal that excepts a verb that does not exist",
    file: signals,
    from: `"lowers": true,`,
    to: `"lowers": true, "unless_verbs": ["snd"],`,
    lint: "unknown-word",
    at: `"snd"`,
    says: "no verb is named `snd`, did you mean `send`?",
    suggestion: "send"
  },
  {
    name: "a signal that lowers without a reason",
    file: signals,
    from: `,\n      "why": "Nothing is changed."`,
    to: ``,
    lint: "missing-why",
    at: `{\n      "id": "dry-run"`,
    says: "`why` is missing"
  },
  {
    name: "an entry of an unknown class",
    file: catalogue,
    from: `"class": "read", "extent"`,
    to: `"class": "reads", "extent"`,
    lint: "unknown-code",
    at: `"reads"`,
    says: "unknown name `reads`, did you mean `read`?",
    suggestion: "read"
  },
  {
    name: "an entry of an unknown impact",
    file: catalogue,
    from: `"impact": "high"`,
    to: `"impact": "severe"`,
    lint: "unknown-code",
    at: `"severe"`,
    says: "expected one of `low`, `moderate`, `high`, `critical`"
  },
  {
    name: "an entry of an unknown extent",
    file: catalogue,
    from: `"extent": "list"`,
    to: `"extent": "lots"`,
    lint: "unknown-code",
    at: `"lots"`,
    says: "did you mean `list`?",
    suggestion: "list"
  },
  {
    name: "an entry twice, in two spellings",
    file: catalogue,
    from: `"list_customers": {`,
    to: `"List-Customers": { "class": "read" },\n    "list_customers": {`,
    lint: "wrong-value",
    at: `{ "class": "read", "extent"`,
    says: "is another spelling of `List-Customers`: one entry covers both"
  },
  {
    name: "a deletion that is taken for harmless without a reason",
    file: catalogue,
    from: `, "why": "Shows all customers again."`,
    to: ``,
    lint: "unexplained-mildness",
    at: `"delete_customer_filter"`,
    says: "`delete_customer_filter` sounds like delete of moderate impact but is treated as read of low impact: say why"
  },
  {
    name: "a form behind one that always fits",
    file: `${program}/git.json`,
    from: `["push", "branch.push write moderate"]`,
    to: `["push", "branch.push write moderate"], ["push --tags", "tag.push write low"]`,
    lint: "shadowed",
    at: `"push --tags"`,
    says: "`push --tags` never decides: `push` comes before it and matches whenever it does"
  },
  {
    name: "an act of an unknown word",
    file: `${program}/rm.json`,
    from: `"file.delete delete low"`,
    to: `"file.delete delete lowest"`,
    lint: "wrong-value",
    at: `"file.delete delete lowest"`,
    says: "unknown word `lowest`"
  }
]
