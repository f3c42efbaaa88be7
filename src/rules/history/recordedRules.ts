/** The rule release and the policy set that a stored assessment was scored with, if this installation still has them. */

import { Result } from "effect"
import { backtestPoliciesMax } from "../../limits.ts"
import type { Model, PolicySet } from "../../scoring/Model.ts"
import { findRecordedPolicySet } from "../backtest/recordedPolicies.ts"
import type { Root } from "../files/readTree.ts"
import { memoizeBounded } from "../memoizeBounded.ts"
import { listReleases, loadRelease } from "../release/loadRelease.ts"

/** Each gives undefined if the recorded version is missing here or has another digest. */
export interface RecordedRules {
  readonly model: (riskEngineVersion: string) => Model | undefined
  readonly policySet: (policyVersion: string) => PolicySet | undefined
}

const engineForm = /^[^+]+\+(.+)\.([0-9a-f]{8})$/

const findModel = (root: Root, recorded: string): Model | undefined => {
  const [, version = "", digest = ""] = engineForm.exec(recorded) ?? []
  // Invariant: stored bytes may hold any text, so only the version of an installed release becomes part of a path.
  if (!listReleases(root).includes(version)) return undefined
  const read = loadRelease(root, version)
  return Result.isSuccess(read) && read.success.model.digest.startsWith(digest)
    ? read.success.model
    : undefined
}

/** Evidence usually names few versions; the bound holds for a database that names many. */
const memoizeByName = <A>(find: (recorded: string) => A | undefined) =>
  memoizeBounded(backtestPoliciesMax, (recorded: string) => recorded, find)

export const recordedRules = (root: Root): RecordedRules => ({
  model: memoizeByName((recorded) => findModel(root, recorded)),
  policySet: memoizeByName((recorded) => findRecordedPolicySet(root, recorded))
})
