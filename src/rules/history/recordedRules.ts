/** The very rules and policies that a stored assessment names, where this installation has them. */

import { Result } from "effect"
import { backtestPoliciesMax } from "../../limits.ts"
import type { Model, PolicySet } from "../../scoring/Model.ts"
import { findRecordedPolicySet } from "../backtest/recordedPolicies.ts"
import type { Root } from "../files/readTree.ts"
import { listReleases, loadRelease } from "../release/loadRelease.ts"

/** Undefined where they are not here any more, or are not the same. */
export interface RecordedRules {
  readonly model: (riskEngineVersion: string) => Model | undefined
  readonly policySet: (policyVersion: string) => PolicySet | undefined
}

const engineForm = /^[^+]+\+(.+)\.([0-9a-f]{8})$/

const findModel = (root: Root, recorded: string): Model | undefined => {
  const [, version = "", digest = ""] = engineForm.exec(recorded) ?? []
  // Invariant: a version out of stored bytes never becomes part of a path unless it is one of ours.
  if (!listReleases(root).includes(version)) return undefined
  const read = loadRelease(root, version)
  return Result.isSuccess(read) && read.success.model.digest.startsWith(digest)
    ? read.success.model
    : undefined
}

/** Evidence names few versions; memory is bounded whatever it names. */
const memoizeBounded = <A>(find: (recorded: string) => A | undefined) => {
  const known = new Map<string, A | undefined>()
  return (recorded: string): A | undefined => {
    if (!known.has(recorded)) {
      if (known.size === backtestPoliciesMax) known.clear()
      known.set(recorded, find(recorded))
    }
    return known.get(recorded)
  }
}

export const recordedRules = (root: Root): RecordedRules => ({
  model: memoizeBounded((recorded) => findModel(root, recorded)),
  policySet: memoizeBounded((recorded) => findRecordedPolicySet(root, recorded))
})
