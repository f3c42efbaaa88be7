/** What benches score: every calibration case with its history, a mix of sparse and fully stated requests. By the newest release. */

import { Result } from "effect"
import { readCalibration } from "../src/rules/cases/Case.ts"
import { snapshotOf } from "../src/rules/cases/Situation.ts"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { loadPolicySet } from "../src/rules/policies/loadPolicySet.ts"
import { listReleases, loadRelease } from "../src/rules/release/loadRelease.ts"
import type { Edition } from "../src/scoring/Edition.ts"
import type { Facts } from "../src/scoring/Facts.ts"

const newest = listReleases(packageRoot).at(-1)
if (newest === undefined) throw new Error("freeze a release first")

export const { edition, rules } = Result.getOrThrow(loadRelease(packageRoot, newest))
export const { policySet } = loadPolicySet(packageRoot, "none")

const { cases } = Result.getOrThrow(readCalibration(packageRoot))

/** Every case as a release of that edition scores it: the editions count a history in different ways. */
export const situationsFor = (of: Edition) =>
  cases.map((one) => ({ action: one.request, behavior: snapshotOf(one, of) }))

export const situations = situationsFor(edition)

/** For each situation the record of facts that its score starts from. */
export const recordedFacts: ReadonlyArray<Facts> = situations.map(({ action, behavior }) => {
  const asked: Array<Facts> = []
  const recording = edition.withMatch((facts) => {
    asked.push(facts)
    return edition.match(facts)
  })
  recording.score(action, behavior, policySet)
  const [first] = asked
  if (first === undefined) throw new Error("a score matches its rules at least once")
  return first
})
