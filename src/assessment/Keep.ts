/** Keeps an assessment before it is answered; what is not kept is not answered. */

import { Effect } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { storageReadMsMax, storageWriteMsMax } from "../Limits.ts"
import type { AssessmentRecord } from "../storage/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { logStorageFailure } from "../storage/logStorageFailure.ts"
import type { AssessAnswer } from "./AssessCall.ts"
import { unavailable } from "./unavailable.ts"
import { patienceMs, type Question } from "./Question.ts"
import { replay } from "./Replay.ts"

export const makeKeep = Effect.gen(function* () {
  const records = yield* AssessmentRecords

  /**
   * False when the id or the idempotency key is taken. An attempt without an answer may have been committed all the
   * same: the second one finds the assessment by its id then, and writes it otherwise.
   */
  const write = (question: Question, record: AssessmentRecord) => {
    const attempt = Effect.suspend(() =>
      records.write(question.owner, record, patienceMs(question, storageWriteMsMax))
    )
    const again = Effect.catchCause(attempt, unavailable("store an assessment"))
    return Effect.catchCause(attempt, (cause) =>
      Effect.andThen(logStorageFailure("store an assessment at once", cause), again)
    )
  }

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
    const holder = yield* records
      .answerOf(question.owner, record.idempotencyKey, patienceMs(question, storageReadMsMax))
      .pipe(Effect.catchCause(unavailable("look an idempotency key up")))
    if (holder === undefined) return yield* new AssessmentUnavailable()
    return holder.assessmentId === record.assessmentId ? kept : yield* replay(question, holder)
  })

  // Invariant: a caller that goes away interrupts nothing of the writing, which has bounds of its own.
  return (question: Question, record: AssessmentRecord, whenKept: () => void) =>
    settle(question, record).pipe(
      Effect.tap(({ replayed }) => Effect.sync(() => (replayed ? undefined : whenKept()))),
      Effect.uninterruptible
    )
})
