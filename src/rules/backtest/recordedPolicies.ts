/** Which policies a record is scored with: those that it names, where this installation has them. */

import { Result } from "effect"
import { backtestPoliciesMax } from "../../limits.ts"
import type { PolicySet } from "../../scoring/Model.ts"
import type { Root } from "../files/readTree.ts"
import {
  listPolicySets,
  listPolicyVersions,
  loadPolicySet,
  loadPolicyVersion
} from "../policies/loadPolicySet.ts"
import type { PolicyUse } from "./Backtest.ts"

export interface ComparedPolicies {
  readonly from: PolicySet
  readonly to: PolicySet
  readonly use: Omit<PolicyUse, "records">
}

/** By the policy version that a record names. */
export type PolicyLookup = (recorded: string) => ComparedPolicies

const versionOf = ({ digest, name, version }: PolicySet): string => `${name}@${version}+${digest.slice(0, 8)}`

const recordedForm = /^(.+)@(.+)\+([0-9a-f]{8})$/

/** The very rules that were recorded: a frozen version, or the working folder while its digest is the same. */
export const findRecordedPolicySet = (root: Root, recorded: string): PolicySet | undefined => {
  const [, set = "", version = ""] = recordedForm.exec(recorded) ?? []
  // Invariant: a name out of a history never becomes part of a path unless it is one of ours.
  if (!listPolicySets(root).includes(set)) return undefined
  const frozen = listPolicyVersions(root, set).includes(version) ? [version] : []
  return [...frozen, "draft"]
    .map((wanted) => loadPolicyVersion(root, set, wanted))
    .flatMap((read) => (Result.isSuccess(read) ? [read.success.policySet] : []))
    .find((policySet) => versionOf(policySet) === recorded)
}

/** The newest version of the recorded set, else no policies at all. */
const newestOfSet = (root: Root, recorded: string): PolicySet => {
  const [, set = ""] = recordedForm.exec(recorded) ?? []
  return loadPolicySet(root, listPolicySets(root).includes(set) ? set : "none").policySet
}

/** Records name few policy versions; a file that names ever new ones is not given memory for each. */
const memoizedLookup = (look: PolicyLookup): PolicyLookup => {
  const known = new Map<string, ComparedPolicies>()
  return (recorded) => {
    const found = known.get(recorded)
    if (found !== undefined) return found
    if (known.size === backtestPoliciesMax) known.clear()
    const policies = look(recorded)
    known.set(recorded, policies)
    return policies
  }
}

export const recordedPolicies = (root: Root): PolicyLookup =>
  memoizedLookup((recorded) => {
    const found = findRecordedPolicySet(root, recorded)
    const policySet = found ?? newestOfSet(root, recorded)
    const use = { recorded, scoredWith: versionOf(policySet), exact: found !== undefined }
    return { from: policySet, to: policySet, use }
  })

/** Whatever was recorded: the same two sets for every record. */
export const fixedPolicies = (from: PolicySet, to: PolicySet): PolicyLookup => {
  const versions = [from, to].map(versionOf)
  const scoredWith = [...new Set(versions)].join(" and ")
  return (recorded) => ({ from, to, use: { recorded, scoredWith, exact: versions.includes(recorded) } })
}
