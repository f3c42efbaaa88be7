/** Answers a question whose idempotency key is remembered: the first answer byte for byte, or why not. */

import { Effect } from "effect"
import { AssessmentIncomplete, IdempotencyKeyReused } from "../api/Failures.ts"
import type { StoredAnswer } from "../storage/AssessmentRecord.ts"
import type { AssessAnswer } from "./AssessCall.ts"
import type { Question } from "./Question.ts"

export const replay = (
  question: Question,
  stored: StoredAnswer
): Effect.Effect<AssessAnswer, IdempotencyKeyReused | AssessmentIncomplete> => {
  // Spec 4.1.2: the same key with another body is a mistake of the caller.
  if (Buffer.compare(stored.inputDigest, question.inputDigest) !== 0)
    return Effect.fail(new IdempotencyKeyReused())
  if (question.call.strict && !stored.complete) return Effect.fail(new AssessmentIncomplete())
  // Spec 4.1.1: the original assessment.
  return Effect.succeed({
    body: stored.response,
    requestId: stored.requestId,
    replayed: true,
    complete: stored.complete
  })
}
