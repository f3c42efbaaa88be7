/** The entry point of the thread that considers assessments of older releases again. Keeps a few releases open. */

import type { Root } from "../../rules/files/readTree.ts"
import { recordedRules } from "../../rules/history/recordedRules.ts"
import { olderReleasesMax } from "../../limits.ts"
import type { StoredEvidence } from "../../storage/assessments/AssessmentRecord.ts"
import { answerQuestions } from "../../threads.ts"
import { type RecordedQuestion, type Reconsidered, reconsiderSteps } from "./reconsider.ts"

/** A question to the thread. */
export interface OlderQuestion {
  readonly stored: StoredEvidence
  readonly question: RecordedQuestion
}

answerQuestions((root: Root) => {
  const rules = recordedRules(root, olderReleasesMax)
  return ({ question, stored }: OlderQuestion): Reconsidered => {
    const steps = reconsiderSteps(stored, question, rules)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
  }
})
