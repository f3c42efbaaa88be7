/** The working rules as a candidate for release. */

import { runCases } from "../cases/runCases.ts"
import { checkRules } from "../check/checkRules.ts"
import { listReleases } from "../loadRelease.ts"
import { openRulebook } from "../openRulebook.ts"
import type { Root } from "../readTree.ts"
import { releaseDocument } from "../releaseDocument.ts"
import type { Rulebook } from "../Rulebook.ts"
import { verifyRules } from "../verify.ts"
import type { Candidate } from "./Candidate.ts"
import { changelogAt } from "./changelogAt.ts"
import { statedVersion } from "./statedVersion.ts"

/** Everything but words: what a reader is told, and what is recommended, moves no score. */
const scoringParts = ({ release: { model, rules } }: Rulebook) => ({
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

export const ruleCandidate = (root: Root, version: string): Candidate => {
  const newest = listReleases(root).at(-1) ?? null
  return {
    root,
    kind: "rules",
    name: version,
    version,
    newest,
    stated: statedVersion(root, "rules/ruleset.json"),
    changelog: changelogAt(root, "rules/CHANGELOG.md"),
    draft: openRulebook(root, "draft"),
    before: newest === null ? null : openRulebook(root, newest),
    scoringParts,
    check: () => checkRules(root),
    test: (draft) => runCases(root, draft),
    differing: ({ release: { model, rules } }) => verifyRules(rules, model.match),
    document: ({ release: { files } }, releasedAt) => releaseDocument(files, version, releasedAt)
  }
}
