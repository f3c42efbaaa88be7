/** The entry point of the thread that considers assessments of older releases again. It keeps a few releases open. */

import { parentPort, workerData } from "node:worker_threads"
import type { Root } from "../../rules/files/readTree.ts"
import { recordedRules } from "../../rules/history/recordedRules.ts"
import { olderReleasesMax } from "../../limits.ts"
import type { StoredEvidence } from "../../storage/assessments/AssessmentRecord.ts"
import { type RecordedQuestion, type Reconsidered, reconsiderSteps } from "./reconsider.ts"

/** What the thread is asked. */
export interface OlderQuestion {
  readonly stored: StoredEvidence
  readonly question: RecordedQuestion
}

// Invariant: `olderReleases.ts` starts this file with the root.
const rules = recordedRules(workerData as Root, olderReleasesMax)

const answerTo = ({ question, stored }: OlderQuestion): Reconsidered => {
  const steps = reconsiderSteps(stored, question, rules)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

parentPort?.on("message", (asked: OlderQuestion) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
  parentPort?.postMessage(answerTo(asked))
})
