/** Keeps an assessment before it is answered; what is not kept is not answered. */

import { Effect, Fiber } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { storageReadMsMax, storageWriteMsMax } from "../Limits.ts"
import type { AssessmentRecord } from "../storage/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import type { AssessAnswer } from "./AssessCall.ts"
import { logStorageFailure, orUnavailable, within } from "./orUnavailable.ts"
import { patienceMs, type Question } from "./Question.ts"
import { replay } from "./Replay.ts"

export const makeKeep = Effect.gen(function* () {
  const records = yield* AssessmentRecords

  /**
   * False when the id or the idempotency key is taken. An attempt without an answer may have been committed all the
   * same: the second one finds the assessment by its id then, and writes it otherwise.
   */
  const write = Effect.fnUntraced(function* (question: Question, record: AssessmentRecord) {
    const attempt = records.write(question.owner, record)
    return yield* within(patienceMs(question, storageWriteMsMax), attempt).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          logStorageFailure("store an assessment at once", cause),
          orUnavailable("store an assessment", patienceMs(question, storageWriteMsMax), attempt)
        )
      )
    )
  })

  const settle = Effect.fnUntraced(function* (question: Question, record: AssessmentRecord) {
    const kept: AssessAnswer = {
      body: record.response,
      requestId: record.requestId,
      replayed: false,
      complete: record.complete
    }
    const written = yield* write(question, record)
    // Without a key only an earlier attempt of our own can have taken the id.
    if (written || record.idempotencyKey === null) return kept
    const holder = yield* orUnavailable(
      "look an idempotency key up",
      patienceMs(question, storageReadMsMax),
      records.answerOf(question.owner, record.idempotencyKey)
    )
    if (holder === undefined) return yield* new AssessmentUnavailable()
    return holder.assessmentId === record.assessmentId ? kept : yield* replay(question, holder)
  })

  // Invariant: a caller that goes away interrupts the wait, never the writing, which has bounds of its own.
  return (question: Question, record: AssessmentRecord, whenKept: () => void) =>
    settle(question, record).pipe(
      Effect.tap(({ replayed }) => Effect.sync(() => (replayed ? undefined : whenKept()))),
      Effect.forkDetach({ startImmediately: true }),
      Effect.flatMap(Fiber.join)
    )
})
