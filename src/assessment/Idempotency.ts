/** One assessment per idempotency key (specification 4.1.1-2): the first is kept, all others are its replays. */

import { Context, Effect, Layer, RcMap, Semaphore } from "effect"
import {
  AssessmentIncomplete,
  type AssessmentUnavailable,
  type IdempotencyKeyReused,
  type RateLimited
} from "../api/Failures.ts"
import { idempotencyWaitMsMax, storageReadMsMax } from "../Limits.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import type { AssessAnswer } from "./AssessCall.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { patienceMs, type Question } from "./Question.ts"
import { replay } from "./Replay.ts"

/** `RateLimited` only as a drill: real limits are held before the use case is asked. */
export type AssessFailure = IdempotencyKeyReused | AssessmentIncomplete | AssessmentUnavailable | RateLimited

/**
 * Within the process, questions with one key take turns before they take a connection. Between processes nothing is
 * claimed: several may assess at once, the unique key lets one of them write, and the others find its answer. So a
 * process that dies leaves no claim behind, and a keyed assessment costs no second commit.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** The remembered answer to the question's key, else that of `first`. */
    readonly once: (
      question: Question,
      first: Effect.Effect<AssessAnswer, AssessFailure>
    ) => Effect.Effect<AssessAnswer, AssessFailure>
  }
>()("action-risk/assessment/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const turns = yield* RcMap.make({ lookup: (_key: string) => Semaphore.make(1) })

      const takeTurn = Effect.fnUntraced(function* (key: string) {
        const turn = yield* RcMap.get(turns, key)
        return yield* Semaphore.takeScoped(turn, 1).pipe(
          Effect.timeoutOrElse({
            duration: idempotencyWaitMsMax,
            orElse: () => Effect.fail(new AssessmentIncomplete())
          })
        )
      })

      const once = Effect.fn("Idempotency.once")(function* (
        question: Question,
        first: Effect.Effect<AssessAnswer, AssessFailure>
      ) {
        const key = question.call.idempotencyKey
        if (key === null) return yield* first
        const { mode, organizationId } = question.owner
        yield* takeTurn(`${mode} ${organizationId} ${key}`)
        const remembered = yield* orUnavailable(
          "look an idempotency key up",
          patienceMs(question, storageReadMsMax),
          records.answerOf(question.owner, key)
        )
        return yield* remembered === undefined ? first : replay(question, remembered)
      }, Effect.scoped)

      return Idempotency.of({ once })
    })
  )
}
