/** The rule release and the policy set with which a stored assessment was scored, if they are still installed. */

import { Result } from "effect"
import { backtestPoliciesMax } from "../../limits.ts"
import { policyVersionOf, readEngineVersion, readPolicyVersion } from "../../domain/versionNames.ts"
import type { Root } from "../files/readTree.ts"
import { memoizeBounded } from "../memoize.ts"
import type { PreparedPolicySet } from "../policies/PreparedPolicySet.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import { listReleases, loadRelease, type Prepared } from "../release/loadRelease.ts"

/** Each returns undefined if the recorded version is not installed or has another digest. */
export interface RecordedRules {
  readonly release: (riskEngineVersion: string) => Prepared | undefined
  readonly policies: (policyVersion: string) => PreparedPolicySet | undefined
}

const findRelease = (root: Root, recorded: string): Prepared | undefined => {
  const { digest, version } = readEngineVersion(recorded)
  // Invariant: stored bytes may contain any text, so only the version of an installed release may become part of a path.
  if (!listReleases(root).includes(version)) return undefined
  const read = loadRelease(root, version)
  return Result.isSuccess(read) && read.success.model.digest.startsWith(digest) ? read.success : undefined
}

/** The policy set with exactly the recorded rules: a frozen version, or the working folder if its digest is equal. */
export const findRecordedPolicies = (root: Root, recorded: string): PreparedPolicySet | undefined => {
  const { set, version } = readPolicyVersion(recorded)
  // Invariant: a name from a history may become part of a path only if it is the name of an installed set.
  if (!listPolicySets(root).includes(set)) return undefined
  const frozen = listPolicyVersions(root, set).includes(version) ? [version] : []
  return [...frozen, "draft"]
    .map((wanted) => loadPolicyVersion(root, set, wanted))
    .flatMap((read) => (Result.isSuccess(read) ? [read.success] : []))
    .find(({ policySet }) => policyVersionOf(policySet) === recorded)
}

/** Bounded: records usually name few versions, but a history or database may name many. */
export const memoizeByName = <A>(
  find: (recorded: string) => A,
  entriesMax: number = backtestPoliciesMax
): ((recorded: string) => A) => memoizeBounded(entriesMax, (recorded: string) => recorded, find)

/** `releasesMax`: how many releases are kept open. */
export const recordedRules = (root: Root, releasesMax?: number): RecordedRules => ({
  release: memoizeByName((recorded) => findRelease(root, recorded), releasesMax),
  policies: memoizeByName((recorded) => findRecordedPolicies(root, recorded))
})
