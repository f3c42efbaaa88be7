/** One assessment per idempotency key (specification 4.1.1-2): the first is kept, all others are its replays. */

import { Context, Effect, Layer } from "effect"
import {
  AssessmentIncomplete,
  type AssessmentUnavailable,
  type IdempotencyKeyReused,
  type RateLimited
} from "../api/Failures.ts"
import { answeredKeysMax, idempotencyWaitMsMax, storageReadMsMax } from "../Limits.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { makeTurns } from "../storage/makeTurns.ts"
import { spanned } from "../storage/spanned.ts"
import type { AssessAnswer } from "./AssessCall.ts"
import { unavailable } from "./unavailable.ts"
import { patienceMs, type Question } from "./Question.ts"
import { replay } from "./Replay.ts"

/** `RateLimited` only as a drill: real limits are held before the use case is asked. */
export type AssessFailure = IdempotencyKeyReused | AssessmentIncomplete | AssessmentUnavailable | RateLimited

export type Assessing = Effect.Effect<AssessAnswer, AssessFailure>

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
    readonly once: (question: Question, begin: Effect.Effect<Assessing>) => Assessing
  }
>()("action-risk/assessment/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const inTurn = makeTurns(idempotencyWaitMsMax, () => new AssessmentIncomplete())

      const lookUp = (question: Question, key: string) =>
        records
          .answerOf(question.owner, key, patienceMs(question, storageReadMsMax))
          .pipe(Effect.catchCause(unavailable("look an idempotency key up")))

      /** Keys that this process answered not long ago: whoever asks under one of them asks again. */
      const answered = new Set<string>()
      // One walk for all: a new one would each time pass over the places of all that were forgotten.
      const oldestFirst = answered.values()
      const remember = (turn: string) => {
        if (answered.size >= answeredKeysMax) answered.delete(oldestFirst.next().value ?? turn)
        answered.add(turn)
      }

      const firstOrReplay = Effect.fnUntraced(function* (
        question: Question,
        turn: string,
        key: string,
        begin: Effect.Effect<Assessing>
      ) {
        const begun = answered.has(turn) ? Effect.flatten(begin) : yield* begin
        const remembered = yield* lookUp(question, key)
        const answer = yield* remembered === undefined ? begun : replay(question, remembered)
        remember(turn)
        return answer
      })

      const once = spanned("Idempotency.once")((question: Question, begin: Effect.Effect<Assessing>) => {
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
