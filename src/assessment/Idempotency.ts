/** One assessment per idempotency key (specification 4.1.1-2): the first is stored, all others are its replays. */

import { Context, Effect, Layer, Schedule } from "effect"
import {
  AssessmentIncomplete,
  type AssessmentUnavailable,
  IdempotencyKeyReused,
  type RateLimited
} from "../api/Failures.ts"
import { modes } from "../domain/Caller.ts"
import {
  answeredKeysMax,
  idempotencySweepKeysMax,
  idempotencySweepMinutes,
  idempotencyWaitMsMax,
  storageReadMsMax
} from "../limits.ts"
import type { StoredAnswer } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { makeKeyedMutex } from "../storage/keyedMutex.ts"
import { retryOnceOrLog } from "../storage/storageErrors.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import {
  type AssessAnswer,
  type AssessRequest,
  orAssessmentUnavailable,
  timeLeftMs
} from "./AssessRequest.ts"

/** `RateLimited` only as a drill: real limits are held before the use case is asked. */
export type AssessFailure = IdempotencyKeyReused | AssessmentIncomplete | AssessmentUnavailable | RateLimited

type AssessEffect = Effect.Effect<AssessAnswer, AssessFailure>

/**
 * Within the process, questions with one key take turns before they take a connection. Between processes nothing is
 * claimed: several may assess at once, the unique key lets one of them write, and the others find its answer. So a
 * process that dies leaves no claim behind, and a keyed assessment costs no second commit.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * The remembered answer to the question's key, else that of the assessment which `begin` gives. What it begins goes on
     * while the key is looked up, and is left when an answer is remembered; nothing is begun where one is likely.
     */
    readonly once: (question: AssessRequest, begin: Effect.Effect<AssessEffect>) => AssessEffect
  }
>()("action-risk/assessment/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const inTurn = makeKeyedMutex(idempotencyWaitMsMax, () => new AssessmentIncomplete())

      const lookUp = (question: AssessRequest, key: string) =>
        records
          .findByIdempotencyKey(question.owner, key, timeLeftMs(question, storageReadMsMax))
          .pipe(Effect.catchCause(orAssessmentUnavailable("look an idempotency key up")))

      /** Keys that this process answered not long ago: whoever asks under one of them asks again. */
      const answered = new Set<string>()
      // One walk for all: a new one would each time pass over the places of all that were forgotten.
      const oldestFirst = answered.values()
      const remember = (turn: string) => {
        if (answered.size >= answeredKeysMax) answered.delete(oldestFirst.next().value ?? turn)
        answered.add(turn)
      }

      const firstOrReplay = Effect.fnUntraced(function* (
        question: AssessRequest,
        turn: string,
        key: string,
        begin: Effect.Effect<AssessEffect>
      ) {
        const begun = answered.has(turn) ? Effect.flatten(begin) : yield* begin
        const remembered = yield* lookUp(question, key)
        const answer = yield* remembered === undefined ? begun : replayAnswer(question, remembered)
        remember(turn)
        return answer
      })

      const once = tracedFn("Idempotency.once")((
        question: AssessRequest,
        begin: Effect.Effect<AssessEffect>
      ) => {
        const key = question.call.idempotencyKey
        if (key === null) return Effect.flatten(begin)
        const { mode, organizationId } = question.owner
        const turn = `${mode} ${organizationId} ${key}`
        return inTurn(turn, firstOrReplay(question, turn, key, begin))
      })

      return Idempotency.of({ once })
    })
  )
}

/** Answers a question whose idempotency key is remembered: the first answer byte for byte, or why not. */
export const replayAnswer = (
  question: AssessRequest,
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

/** Forgets idempotency keys whose time is over, a bounded number at a time, for as long as the process runs. */
export const forgetExpiredKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* AssessmentRecords
    const sweep = Effect.forEach(modes, (mode) =>
      // An expired key is not remembered whether its row is there or not, so the next sweep is soon enough.
      retryOnceOrLog(
        "forget expired idempotency keys",
        Effect.repeat(records.deleteExpiredKeys(mode, idempotencySweepKeysMax), {
          while: (forgotten) => forgotten === idempotencySweepKeysMax
        })
      )
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(`${idempotencySweepMinutes} minutes`)))
  })
)
