/** Which policies a record is scored with: the ones that it names, if this installation has them. */

import type { PolicySet } from "../../scoring/Model.ts"
import type { Root } from "../files/readTree.ts"
import {
  findRecordedPolicySet,
  memoizeByName,
  policyVersionOf,
  recordedSetName
} from "../history/recordedRules.ts"
import { listPolicySets, loadPolicySet } from "../policies/loadPolicySet.ts"
import type { PolicyUse } from "./Backtest.ts"

export interface ComparedPolicies {
  readonly from: PolicySet
  readonly to: PolicySet
  readonly use: Omit<PolicyUse, "records">
}

/** By the policy version that a record names. */
export type PolicyLookup = (recorded: string) => ComparedPolicies

/** The newest version of the recorded set, or a set without rules if this installation does not have the set. */
const newestOfSet = (root: Root, recorded: string): PolicySet => {
  const set = recordedSetName(recorded)
  return loadPolicySet(root, listPolicySets(root).includes(set) ? set : "none").policySet
}

export const recordedPolicies = (root: Root): PolicyLookup =>
  memoizeByName((recorded) => {
    const found = findRecordedPolicySet(root, recorded)
    const policySet = found ?? newestOfSet(root, recorded)
    const use = { recorded, scoredWith: policyVersionOf(policySet), exact: found !== undefined }
    return { from: policySet, to: policySet, use }
  })

/** The same two sets for every record, whatever was recorded. */
export const fixedPolicies = (from: PolicySet, to: PolicySet): PolicyLookup => {
  const versions = [from, to].map(policyVersionOf)
  const scoredWith = [...new Set(versions)].join(" and ")
  return (recorded) => ({ from, to, use: { recorded, scoredWith, exact: versions.includes(recorded) } })
}
