/** One assessment per idempotency key (specification 4.1.1-2): the first is stored, and all others replay its answer. */

import { Context, Effect, Layer, Schedule } from "effect"
import {
  AssessmentIncomplete,
  type AssessmentUnavailable,
  IdempotencyKeyReused,
  type RateLimited
} from "../api/Failures.ts"
import { modes } from "../domain/Caller.ts"
import { makeFairTurns } from "../evenShare.ts"
import {
  answeredKeysMax,
  idempotencySweepKeysMax,
  idempotencySweepMinutes,
  idempotencyWaitMsMax,
  storageReadMsMax
} from "../limits.ts"
import type { StoredAnswer } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
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

/**
 * Within one process, requests with one key run one after the other, and they wait before they take a connection.
 * Between processes no request claims its key: several processes may assess at once, the unique index lets one of them
 * write, and the others read its answer. So a process that dies leaves no claim behind, and a request with a key costs no
 * second commit.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** Runs the work after all other requests with the request's key that came before. */
    readonly inTurn: (
      request: AssessRequest,
      work: Effect.Effect<AssessAnswer, AssessFailure>
    ) => Effect.Effect<AssessAnswer, AssessFailure>
    /** The stored answer under the request's key. */
    readonly find: (request: AssessRequest) => Effect.Effect<StoredAnswer | undefined, AssessmentUnavailable>
    /** The same, where this process answered the key recently: such a request is probably a replay, which needs no history. */
    readonly findLikely: (
      request: AssessRequest
    ) => Effect.Effect<StoredAnswer | undefined, AssessmentUnavailable>
  }
>()("action-risk/assessment/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const exclusively = makeFairTurns({
        tenantPlacesMax: 1,
        waitMsMax: idempotencyWaitMsMax,
        refuse: () => new AssessmentIncomplete()
      })
      const answered = makeAnsweredKeys()

      const find = tracedFn("Idempotency.find")((request: AssessRequest) => {
        const key = request.call.idempotencyKey
        if (key === null) return Effect.undefined
        return records
          .findByIdempotencyKey(request.owner, key, timeLeftMs(request, storageReadMsMax))
          .pipe(Effect.catchCause(orAssessmentUnavailable("look an idempotency key up")))
      })

      return Idempotency.of({
        inTurn: (request, work) => {
          const key = ownedKeyOf(request)
          if (key === null) return work
          return exclusively(
            key,
            Effect.tap(work, () => Effect.sync(() => answered.add(key)))
          )
        },
        find,
        findLikely: (request) => {
          const key = ownedKeyOf(request)
          return key !== null && answered.has(key) ? find(request) : Effect.undefined
        }
      })
    })
  )
}

const ownedKeyOf = ({ call, owner }: AssessRequest): string | null =>
  call.idempotencyKey === null ? null : `${owner.mode} ${owner.organizationId} ${call.idempotencyKey}`

/** The keys that this process answered last. */
const makeAnsweredKeys = () => {
  const keys = new Set<string>()
  // One iterator for all evictions: a new iterator would step over the slots of all deleted keys each time.
  const oldestFirst = keys.values()
  return {
    has: (key: string) => keys.has(key),
    add: (key: string) => {
      if (keys.size >= answeredKeysMax) keys.delete(oldestFirst.next().value ?? key)
      keys.add(key)
    }
  }
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
