/** A policy set's working folder as a candidate for release. */

import { runPolicyCases } from "../cases/runCases.ts"
import { checkPolicies } from "../check/checkPolicies.ts"
import { openPolicyRulebook } from "../openRulebook.ts"
import { listPolicyVersions } from "../policies/loadPolicySet.ts"
import { policyDocument } from "../policies/policyDocument.ts"
import type { Root } from "../readTree.ts"
import type { Rulebook } from "../Rulebook.ts"
import { verifyPolicies } from "../verify.ts"
import type { Candidate } from "./Candidate.ts"
import { changelogAt } from "./changelogAt.ts"
import { statedVersion } from "./statedVersion.ts"

/** Floors, and factors by their severity: notes, recommendations and controls move no score. */
const scoringParts = ({ policies: { rules } }: Rulebook) =>
  rules.flatMap(({ condition, match: { factor, floor, rule } }) =>
    floor === undefined && factor === undefined
      ? []
      : [{ rule, condition, floor, severity: factor?.severity }]
  )

export const policyCandidate = (root: Root, set: string, version: string): Candidate => {
  const newest = listPolicyVersions(root, set).at(-1) ?? null
  return {
    root,
    kind: "policies",
    name: `${set}@${version}`,
    version,
    newest,
    stated: statedVersion(root, `policies/${set}/policy.json`),
    changelog: changelogAt(root, `policies/${set}/CHANGELOG.md`),
    draft: openPolicyRulebook(root, set, "draft"),
    before: newest === null ? null : openPolicyRulebook(root, set, newest),
    scoringParts,
    check: () => checkPolicies(root, set),
    test: (draft) => runPolicyCases(root, draft),
    differing: ({ policies: { policySet, rules } }) => verifyPolicies(rules, policySet.match),
    document: ({ policies: { files } }, releasedAt) => policyDocument(files, set, version, releasedAt)
  }
}
