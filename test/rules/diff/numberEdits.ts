/** Single edits of numbers, words and other files of the rules, with what a reviewer must learn about each. */

import type { ChangeKind } from "../../../src/rules/diff/Diff.ts"
import { inClass } from "../../support/rulebooks.ts"
import { type EditCase, factor } from "./edits.ts"

const number = (
  path: string,
  kind: ChangeKind,
  from: string,
  to: string,
  says: string,
  sameScore?: true
) => ({
  ...factor("ruleset", kind, from, to, says, sameScore),
  what: says,
  code: `ruleset.${path}`
})

export const numberEdits: ReadonlyArray<EditCase> = [
  number(
    "severity_floors.critical",
    "looser",
    '"critical":70},"levels"',
    '"critical":65},"levels"',
    "severity_floors.critical 65, was 70"
  ),
  number(
    "severity_floors.critical",
    "stricter",
    '"critical":70},"levels"',
    '"critical":75},"levels"',
    "severity_floors.critical 75, was 70"
  ),
  number(
    "anchors.usd",
    "stricter",
    "[100000,8000]",
    "[100000,8300]",
    "anchors.usd 83 % at 100,000, was 80 % at 100,000"
  ),
  number(
    "anchors.entities",
    "moved",
    "[10,1000],[100,3000]",
    "[10,900],[100,3100]",
    "anchors.entities 9 % at 10, 31 % at 100, was 10 % at 10, 30 % at 100"
  ),
  number(
    "blast_radius.reversibility_bp",
    "looser",
    '"reversibility_bp":3300',
    '"reversibility_bp":1000',
    "blast_radius.reversibility_bp 10 %, was 33 %"
  ),
  number(
    "behavior.step_up_multiple",
    "stricter",
    '"step_up_multiple":10',
    '"step_up_multiple":5',
    "behavior.step_up_multiple 5, was 10"
  ),
  number(
    "behavior.window_days",
    "moved",
    '"window_days":30',
    '"window_days":3',
    "behavior.window_days 3, was 30"
  ),
  number(
    "extents.list.entities",
    "moved",
    '"list":{"entities":5,',
    '"list":{"entities":50,',
    "extents.list.entities 50, was 5"
  ),
  number(
    "kind_bp.container",
    "stricter",
    '"container":1550,',
    '"container":1600,',
    "kind_bp.container 16 %, was 15.5 %"
  ),
  {
    what: "egress of a class",
    edit: inClass("deploy", '"egress":false', '"egress":true'),
    code: "ruleset.classes.deploy.egress",
    kind: "stricter",
    says: "classes.deploy.egress true, was false"
  },
  {
    what: "the weight of one impact of a class",
    edit: inClass("access", '"high":7300', '"high":6000'),
    code: "ruleset.classes.access.weight_bp.high",
    kind: "looser",
    says: "classes.access.weight_bp.high 60 %, was 73 %"
  },
  {
    what: "what a missing amount is taken to be",
    edit: inClass("transact", '"high":10000,', '"high":20000,'),
    code: "ruleset.classes.transact.references.usd.high",
    kind: "stricter",
    says: "references.usd.high 20,000, was 10,000"
  },
  {
    what: "live dependencies from a lower impact on",
    edit: inClass("deploy", '"production_impact_from":"high"', '"production_impact_from":"moderate"'),
    code: "ruleset.classes.deploy.references.production_impact_from",
    kind: "stricter",
    says: "production_impact_from moderate, was high"
  },
  {
    what: "an execution outside production without a figure of its own",
    edit: inClass("execute", '"sandbox":4400,', ""),
    code: "ruleset.classes.execute.factor_bp.sandbox",
    kind: "looser",
    says: "factor_bp.sandbox not stated, was 44 %"
  },
  number(
    "levels.high",
    "looser",
    '"moderate":40,"high":70,',
    '"moderate":40,"high":75,',
    "levels.high 75, was 70",
    true
  ),
  number(
    "confidence.contradiction_percent",
    "looser",
    '"contradiction_percent":85',
    '"contradiction_percent":95',
    "confidence.contradiction_percent 95, was 85",
    true
  )
]

export const otherEdits: ReadonlyArray<EditCase> = [
  {
    what: "a dearer euro",
    edit: ["currencies", '"EUR":{"exponent":2,"usd_per_unit":"', '"EUR":{"exponent":2,"usd_per_unit":"1'],
    code: "currencies.EUR",
    kind: "moved",
    says: "EUR at 11"
  },
  {
    what: "another date of the rates",
    edit: ["currencies", '"as_of":"2026', '"as_of":"2027'],
    code: "currencies",
    kind: "text",
    says: "as_of 2027"
  }
]

interface KnowledgeEdit extends Pick<EditCase, "what" | "edit" | "says"> {
  /** Each code with its kind. */
  readonly changes: ReadonlyArray<string>
}

export const knowledgeEdits: ReadonlyArray<KnowledgeEdit> = [
  {
    what: "a word of administrators forgotten",
    edit: ["words", '"superuser",', ""],
    changes: ["knowledge.access looser", "lexicon looser"],
    says: "words/words: admins"
  },
  {
    what: "a word that no call of the corpus has",
    edit: ["words", '"singulars":[', '"singulars":["zorblish",'],
    changes: ["lexicon moved"],
    says: "0 are read differently"
  },
  {
    what: "a provider's action of a lower impact",
    edit: [
      "stripe",
      '"accounts.reject":{"class":"access","impact":"high"',
      '"accounts.reject":{"class":"access","impact":"low"'
    ],
    changes: ["knowledge.access looser", "lexicon looser"],
    says: "stripe.accounts.reject in production"
  },
  {
    what: "a provider's action of a higher impact",
    edit: [
      "stripe",
      '"accounts.reject":{"class":"access","impact":"high"',
      '"accounts.reject":{"class":"access","impact":"critical"'
    ],
    changes: ["knowledge.access stricter", "lexicon stricter"],
    says: "read as access before and after: 2 rise"
  },
  {
    what: "a provider's action read as another class",
    edit: ["stripe", '"accounts.reject":{"class":"access"', '"accounts.reject":{"class":"write"'],
    changes: ["knowledge.access-as-write looser", "lexicon looser"],
    says: "read as access, now as write"
  },
  {
    what: "a command of a lower impact",
    edit: [
      "programs/npm",
      '"package.unpublish delete high anywhere irreversible"',
      '"package.unpublish write low"'
    ],
    changes: ["knowledge.delete-as-write looser", "lexicon looser"],
    says: "programs/npm: forms"
  },
  {
    what: "a reason for an entry",
    edit: ["stripe", '"accounts.reject":{', '"accounts.reject":{"why":"It ends a business.",'],
    changes: ["lexicon text"],
    says: "providers/stripe: actions.accounts.reject"
  }
]
