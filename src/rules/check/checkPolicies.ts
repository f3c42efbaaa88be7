/** Checks the working files of policy sets and everything frozen of them: does it parse, type-check, and make sense? */

import { Result } from "effect"
import { runPolicyCases } from "../cases/runCases.ts"
import { checkDigests } from "../digests.ts"
import type { LocatedFinding } from "../LocatedFinding.ts"
import { locateFindings } from "../locate.ts"
import { loadDraft } from "../loadRelease.ts"
import { openPolicyRulebook } from "../openRulebook.ts"
import { listPolicySets, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"
import type { Rulebook } from "../Rulebook.ts"
import { boundariesIn } from "./cases/boundaries.ts"
import type { CheckReport } from "./CheckReport.ts"
import { type Examined, examine } from "./examine.ts"
import { type Background, lintFiles } from "./lintFiles.ts"
import { reportOn } from "./reportOn.ts"
import { readBackground, withOwn } from "./background.ts"

/** The working set over the working rules: where those do not read, over the newest release. */
const openOverDraft = (root: Root, set: string): Read<Rulebook> =>
  Result.match(loadDraft(root), {
    onFailure: () => openPolicyRulebook(root, set, "draft"),
    onSuccess: (release) =>
      Result.map(loadPolicyVersion(root, set, "draft"), (policies) => ({ label: set, release, policies }))
  })

/** What only shows when all files of a set are taken together. */
const asSet = (
  root: Root,
  set: string,
  examined: ReadonlyArray<Examined>,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  Result.match(openOverDraft(root, set), {
    onFailure: (findings) => locateFindings(root, findings),
    onSuccess: (draft) =>
      examined.some(({ cases }) => cases !== undefined)
        ? boundariesIn(runPolicyCases(root, draft, { coverage: true }), unclear)
        : []
  })

const checkSet = (root: Root, set: string, background: Background) => {
  const examined = examine(root, `policies/${set}`)
  const found = locateFindings(root, lintFiles(root, examined, withOwn(background, examined)))
  const unclear = new Set(found.map(({ file }) => file))
  return {
    files: examined.map(({ file }) => file),
    findings: [...found, ...asSet(root, set, examined, unclear)]
  }
}

/** `set` alone, or every set. */
export const checkPolicies = (root: Root, set?: string): CheckReport => {
  const background = readBackground(root)
  const sets = set === undefined ? listPolicySets(root) : [set]
  const checked = sets.map((name) => checkSet(root, name, background))
  const frozen = checkDigests(root, "policies").filter(
    ({ file }) => set === undefined || file.startsWith(`policies/releases/${set}@`)
  )
  return reportOn(
    [...checked.flatMap(({ findings }) => findings), ...frozen],
    checked.flatMap(({ files }) => files),
    []
  )
}
