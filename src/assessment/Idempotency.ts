/** One assessment per idempotency key (specification 4.1.1-2): the first is stored, and all others replay its answer. */

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

/** `RateLimited` comes from a drill only: the server applies the real limits before it calls the use case. */
export type AssessFailure = IdempotencyKeyReused | AssessmentIncomplete | AssessmentUnavailable | RateLimited

type AssessEffect = Effect.Effect<AssessAnswer, AssessFailure>

interface AnswerLook {
  readonly mayBeAnswered: boolean
}

/**
 * Within one process, requests with one key run one after the other, and they wait before they take a connection.
 * Between processes no request claims its key: several processes may assess at once, the unique index lets one of them
 * write, and the others read its answer. So a process that dies leaves no claim behind, and a request with a key costs no
 * second commit.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Gives the stored answer to the request's key. Where there is none, assesses with what `look` gives: it reads the
     * history, and whether the key was answered, in one statement, so that a new request waits for one. Where a stored answer is
     * likely, the key is looked up first.
     */
    readonly once: <Looked extends AnswerLook>(
      request: AssessRequest,
      look: Effect.Effect<Looked, AssessmentUnavailable>,
      assess: (looked: Looked) => AssessEffect
    ) => AssessEffect
  }
>()("action-risk/assessment/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const exclusively = makeKeyedMutex(idempotencyWaitMsMax, () => new AssessmentIncomplete())

      const lookUp = (request: AssessRequest, key: string) =>
        records
          .findByIdempotencyKey(request.owner, key, timeLeftMs(request, storageReadMsMax))
          .pipe(Effect.catchCause(orAssessmentUnavailable("look an idempotency key up")))

      /** Keys that this process answered recently: another request with such a key is probably a replay. */
      const answered = new Set<string>()
      // One iterator for all evictions: a new iterator would step over the slots of all deleted keys each time.
      const oldestFirst = answered.values()
      const rememberAnswered = (ownedKey: string) => {
        if (answered.size >= answeredKeysMax) answered.delete(oldestFirst.next().value ?? ownedKey)
        answered.add(ownedKey)
      }

      const assessOrReplay = Effect.fnUntraced(function* <Looked extends AnswerLook>(
        request: AssessRequest,
        ownedKey: string,
        key: string,
        look: Effect.Effect<Looked, AssessmentUnavailable>,
        assess: (looked: Looked) => AssessEffect
      ) {
        const likely = answered.has(ownedKey) ? yield* lookUp(request, key) : undefined
        if (likely !== undefined) return yield* replayAnswer(request, likely)
        const looked = yield* look
        const stored = looked.mayBeAnswered ? yield* lookUp(request, key) : undefined
        const answer = yield* stored === undefined ? assess(looked) : replayAnswer(request, stored)
        rememberAnswered(ownedKey)
        return answer
      })

      const once = tracedFn("Idempotency.once")(<Looked extends AnswerLook>(
        request: AssessRequest,
        look: Effect.Effect<Looked, AssessmentUnavailable>,
        assess: (looked: Looked) => AssessEffect
      ) => {
        const key = request.call.idempotencyKey
        if (key === null) return Effect.flatMap(look, assess)
        const { mode, organizationId } = request.owner
        const ownedKey = `${mode} ${organizationId} ${key}`
        return exclusively(ownedKey, assessOrReplay(request, ownedKey, key, look, assess))
      })

      return Idempotency.of({ once })
    })
  )
}

/** Gives the stored answer byte for byte, or fails where the request may not have it. */
export const replayAnswer = (
  request: AssessRequest,
  stored: StoredAnswer
): Effect.Effect<AssessAnswer, IdempotencyKeyReused | AssessmentIncomplete> => {
  // Spec 4.1.2: the same key with another body is an error of the caller.
  if (Buffer.compare(stored.inputDigest, request.inputDigest) !== 0)
    return Effect.fail(new IdempotencyKeyReused())
  if (request.call.strict && !stored.complete) return Effect.fail(new AssessmentIncomplete())
  // Spec 4.1.1: a replay gives the original assessment.
  return Effect.succeed({
    body: stored.response,
    requestId: stored.requestId,
    replayed: true,
    complete: stored.complete
  })
}

/** Deletes expired idempotency keys, a limited number per statement, for as long as the process runs. */
export const forgetExpiredKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* AssessmentRecords
    const sweep = Effect.forEach(modes, (mode) =>
      // Lookups ignore an expired key even while its row exists, so the next sweep is soon enough.
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
