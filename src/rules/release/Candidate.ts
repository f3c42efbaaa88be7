/** A candidate for release (the working rules or a policy set's working folder), with everything that the gates need. */

import { Result } from "effect"
import { join } from "node:path"
import { isRecord } from "../../json/json.ts"
import type { Read } from "../Finding.ts"
import { isStaged } from "../../scoring/control.ts"
import { silenceOf } from "../ScoreAndControl.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../Rulebook.ts"
import { type CasesReport, runCases, runPolicyCases } from "../cases/runCases.ts"
import { scoredLexicon, scoredPart } from "../corpus/compareKnowledge.ts"
import { checkPolicies, type CheckReport, checkRules } from "../check/checkFiles.ts"
import { policyDocument } from "../files/policyFiles.ts"
import { readSource, type Root } from "../files/readTree.ts"
import { releaseDocument, statedText } from "../files/releaseDocument.ts"
import { verifyPolicies, verifyRules } from "../language/verify.ts"
import { listPolicyVersions } from "../policies/loadPolicySet.ts"
import { type ChangelogEntry, readChangelogFile } from "./changelog.ts"
import type { ReleaseKind } from "./frozen.ts"
import { listReleases } from "./loadRelease.ts"

export interface ReleaseCandidate {
  readonly root: Root
  readonly kind: ReleaseKind
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  readonly version: string
  /** The newest released version; null before the first release. */
  readonly newest: string | null
  /** The file that states the version of the working files, and the version in it. */
  readonly stated: { readonly file: string; readonly version: string | null }
  readonly changelog: { readonly file: string; readonly entries: ReadonlyArray<ChangelogEntry> }
  readonly draft: Read<Rulebook>
  /** The newest release; null before the first release. */
  readonly before: Read<Rulebook> | null
  /** The parts of a rulebook that can affect a score or a control, which are compared for equality. */
  readonly scoringParts: (rulebook: Rulebook) => unknown
  readonly check: () => CheckReport
  readonly test: (draft: Rulebook) => CasesReport
  /** The names of the rules on which the two evaluators differ. */
  readonly differing: (draft: Rulebook) => Promise<ReadonlyArray<string>>
  /** The document to freeze, without its digest. */
  readonly document: (draft: Rulebook, releasedAt: string) => { readonly released_at: string }
}

/** Everything except reasons, messages, recommendations and the source of the rates, which affect neither score nor control. */
export const scoringPartsOfRules = ({ release: { files, rules } }: Pick<Rulebook, "release">) => ({
  ruleset: scoredPart(files.ruleset.json),
  currencies: isRecord(files.currencies.json) ? files.currencies.json["currencies"] : undefined,
  lexicon: scoredLexicon(files),
  factors: rules.factors.map(({ condition, match }) => ({
    condition,
    code: match.code,
    hazardBp: match.hazardBp,
    severity: match.severity,
    staged: isStaged(match),
    silence: silenceOf(match)
  })),
  typologies: rules.typologies.map(({ condition, match: { floor, name } }) => ({ condition, name, floor }))
})

/** The working rules as a candidate for release. */
export const ruleCandidate = (root: Root, version: string): ReleaseCandidate => ({
  ...sidesOf(listReleases(root).at(-1) ?? null, (opened) => openRulebook(root, opened)),
  root,
  kind: "rules",
  name: version,
  version,
  stated: statedVersion(root, "rules/ruleset.json"),
  changelog: readChangelogFile(root, "rules/CHANGELOG.md"),
  scoringParts: scoringPartsOfRules,
  check: () => checkRules(root),
  test: (draft) => runCases(root, draft),
  differing: ({ release: { model, rules } }) => verifyRules(rules, model.match),
  document: ({ release: { files } }, releasedAt) => releaseDocument(files, version, releasedAt)
})

const sidesOf = (newest: string | null, open: (version: string) => Read<Rulebook>) => ({
  newest,
  draft: open("draft"),
  before: newest === null ? null : open(newest)
})

/** Floors, factors with their severity, controls, and the catalogue. Notes and recommendations have no effect. */
const scoringPartsOfPolicies = ({ policies: { policySet, rules } }: Rulebook) => ({
  catalogue: policySet.catalogue?.entries ?? [],
  rules: rules.flatMap(({ condition, match: { control, factor, floor, rule } }) =>
    floor === undefined && factor === undefined && control === undefined
      ? []
      : [{ rule, condition, floor, control, severity: factor?.severity }]
  )
})

/** A policy set's working folder as a candidate for release. */
export const policyCandidate = (root: Root, set: string, version: string): ReleaseCandidate => ({
  ...sidesOf(listPolicyVersions(root, set).at(-1) ?? null, (opened) => openPolicyRulebook(root, set, opened)),
  root,
  kind: "policies",
  name: `${set}@${version}`,
  version,
  stated: statedVersion(root, `policies/${set}/policy.json`),
  changelog: readChangelogFile(root, `policies/${set}/CHANGELOG.md`),
  scoringParts: scoringPartsOfPolicies,
  check: () => checkPolicies(root, set),
  test: (draft) => runPolicyCases(root, draft),
  differing: ({ policies: { policySet, rules } }) => verifyPolicies(rules, policySet.match),
  document: ({ policies: { files } }, releasedAt) => policyDocument(files, set, version, releasedAt)
})

/** The version stated in the working files, even if the rest of them is unreadable. */
const statedVersion = (root: Root, file: string) => ({
  file,
  version: Result.match(readSource(root, join(root, file)), {
    onFailure: () => null,
    onSuccess: ({ json }) => statedText(json, "version")
  })
})
