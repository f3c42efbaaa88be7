/** What benches score: every calibration case with its history, a mix of sparse and fully stated requests. */

import { Result } from "effect"
import { readCalibration } from "../src/rules/cases/Case.ts"
import { snapshotOf } from "../src/rules/cases/Situation.ts"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { loadPolicySet } from "../src/rules/policies/loadPolicySet.ts"
import { listReleases, loadRelease } from "../src/rules/release/loadRelease.ts"

const newest = listReleases(packageRoot).at(-1)
if (newest === undefined) throw new Error("freeze a release first")

export const { edition, rules } = Result.getOrThrow(loadRelease(packageRoot, newest))
export const { policySet } = loadPolicySet(packageRoot, "none")

export const situations = Result.getOrThrow(readCalibration(packageRoot)).cases.map((one) => ({
  action: one.request,
  behavior: snapshotOf(one, edition)
}))
