/** What is about to be released, and what the gates ask about it: alike for the rules and for a policy set. */

import { Result } from "effect"
import { join } from "node:path"
import type { Read } from "../Finding.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../Rulebook.ts"
import { type CasesReport, runCases, runPolicyCases } from "../cases/runCases.ts"
import { checkPolicies, type CheckReport, checkRules } from "../check/checkFiles.ts"
import { policyDocument } from "../files/policyFiles.ts"
import { readSource, type Root } from "../files/readTree.ts"
import { releaseDocument, statedText } from "../files/releaseDocument.ts"
import { verifyPolicies, verifyRules } from "../language/verify.ts"
import { listPolicyVersions } from "../policies/loadPolicySet.ts"
import { type ChangelogEntry, readChangelogFile } from "./changelog.ts"
import type { ReleaseKind } from "./frozen.ts"
import { listReleases } from "./loadRelease.ts"

/** What of a rulebook can move a score, to be compared with another's. */
type ScoringParts = unknown

export interface ReleaseCandidate {
  readonly root: Root
  readonly kind: ReleaseKind
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  readonly version: string
  /** The newest version released before; null where there is none. */
  readonly newest: string | null
  /** Where the working files state their version. */
  readonly stated: { readonly file: string; readonly version: string | null }
  readonly changelog: { readonly file: string; readonly entries: ReadonlyArray<ChangelogEntry> }
  readonly draft: Read<Rulebook>
  /** The newest release; null where there is none. */
  readonly before: Read<Rulebook> | null
  readonly scoringParts: (rulebook: Rulebook) => ScoringParts
  readonly check: () => CheckReport
  readonly test: (draft: Rulebook) => CasesReport
  /** Names of what the two evaluators differ on. */
  readonly differing: (draft: Rulebook) => Promise<ReadonlyArray<string>>
  /** What is frozen, without its digest. */
  readonly document: (draft: Rulebook, releasedAt: string) => { readonly released_at: string }
}

/**
 * The working rules as a candidate for release.
 * Everything but words: what a reader is told, and what is recommended, moves no score.
 */
const scoringPartsOfRules = ({ release: { model, rules } }: Rulebook) => ({
  numbers: model.numbers,
  currencies: model.currencies.table,
  lexicon: model.lexicon,
  factors: rules.factors.map(({ condition, match: { code, hazardBp, severity } }) => ({
    condition,
    code,
    hazardBp,
    severity
  })),
  typologies: rules.typologies.map(({ condition, match: { floor, name } }) => ({ condition, name, floor }))
})

export const ruleCandidate = (root: Root, version: string): ReleaseCandidate => {
  const newest = listReleases(root).at(-1) ?? null
  return {
    root,
    kind: "rules",
    name: version,
    version,
    newest,
    stated: statedVersion(root, "rules/ruleset.json"),
    changelog: readChangelogFile(root, "rules/CHANGELOG.md"),
    draft: openRulebook(root, "draft"),
    before: newest === null ? null : openRulebook(root, newest),
    scoringParts: scoringPartsOfRules,
    check: () => checkRules(root),
    test: (draft) => runCases(root, draft),
    differing: ({ release: { model, rules } }) => verifyRules(rules, model.match),
    document: ({ release: { files } }, releasedAt) => releaseDocument(files, version, releasedAt)
  }
}

/**
 * A policy set's working folder as a candidate for release.
 * Floors, and factors by their severity: notes, recommendations and controls move no score.
 */
const scoringPartsOfPolicies = ({ policies: { rules } }: Rulebook) =>
  rules.flatMap(({ condition, match: { factor, floor, rule } }) =>
    floor === undefined && factor === undefined
      ? []
      : [{ rule, condition, floor, severity: factor?.severity }]
  )

export const policyCandidate = (root: Root, set: string, version: string): ReleaseCandidate => {
  const newest = listPolicyVersions(root, set).at(-1) ?? null
  return {
    root,
    kind: "policies",
    name: `${set}@${version}`,
    version,
    newest,
    stated: statedVersion(root, `policies/${set}/policy.json`),
    changelog: readChangelogFile(root, `policies/${set}/CHANGELOG.md`),
    draft: openPolicyRulebook(root, set, "draft"),
    before: newest === null ? null : openPolicyRulebook(root, set, newest),
    scoringParts: scoringPartsOfPolicies,
    check: () => checkPolicies(root, set),
    test: (draft) => runPolicyCases(root, draft),
    differing: ({ policies: { policySet, rules } }) => verifyPolicies(rules, policySet.match),
    document: ({ policies: { files } }, releasedAt) => policyDocument(files, set, version, releasedAt)
  }
}

/** The version that working files give themselves, also where the rest of them cannot be read. */
const statedVersion = (root: Root, file: string) => ({
  file,
  version: Result.match(readSource(root, join(root, file)), {
    onFailure: () => null,
    onSuccess: ({ json }) => statedText(json, "version")
  })
})
