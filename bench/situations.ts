/** The requests that benches score by the newest release: every calibration case with its history, a mix of sparse and fully stated ones. */

import { Result } from "effect"
import { readCalibration } from "../src/rules/cases/Case.ts"
import { snapshotOf } from "../src/rules/cases/Situation.ts"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { loadPolicySet } from "../src/rules/policies/loadPolicySet.ts"
import { listReleases, loadRelease } from "../src/rules/release/loadRelease.ts"
import type { Facts } from "../src/scoring/Facts.ts"
import { score } from "../src/scoring/score.ts"

const newest = listReleases(packageRoot).at(-1)
if (newest === undefined) throw new Error("freeze a release first")

export const { model, rules } = Result.getOrThrow(loadRelease(packageRoot, newest))
export const { policySet } = loadPolicySet(packageRoot, "none")

const { cases } = Result.getOrThrow(readCalibration(packageRoot))

export const situations = cases.map((one) => ({ action: one.request, behavior: snapshotOf(one, model) }))

/** For each situation the record of facts that its score starts from. */
export const recordedFacts: ReadonlyArray<Facts> = situations.map(({ action, behavior }) => {
  const asked: Array<Facts> = []
  const recording = {
    ...model,
    match: (facts: Facts) => {
      asked.push(facts)
      return model.match(facts)
    }
  }
  score(action, behavior, recording, policySet)
  const [first] = asked
  if (first === undefined) throw new Error("a score matches its rules at least once")
  return first
})
