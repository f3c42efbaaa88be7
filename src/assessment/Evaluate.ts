/** The opinion on a question: history, score, and whether the time for a complete one has passed. */

import { Clock, Effect } from "effect"
import type { Behavior } from "../domain/Behavior.ts"
import { assessmentDeadlineMs, behaviorReadMsMax } from "../Limits.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { BehaviorSnapshots } from "../storage/BehaviorSnapshots.ts"
import { logStorageFailure } from "../storage/logStorageFailure.ts"
import { spanned } from "../storage/spanned.ts"
import type { Question } from "./Question.ts"
import { type Scored, Scorer } from "./Scorer.ts"
import { sha256 } from "../storage/sha256.ts"

/** What history says of a question, and under what the question will be history itself. */
export interface Remembered {
  readonly behavior: Behavior
  readonly history: HistoryRecord
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
  /** The instant of the assessment, microseconds since 1970. */
  readonly atMicros: number
  readonly behaviorMs: number
}

export interface Evaluation extends Remembered {
  readonly scored: Scored
}

export const makeEvaluate = Effect.gen(function* () {
  const scorer = yield* Scorer
  const snapshots = yield* BehaviorSnapshots

  // History and its windows know the database's clock alone: only an incomplete assessment, which never becomes
  // history, is stamped by this process's.
  const unavailable = Effect.map(Clock.currentTimeMillis, (ms) => ({
    snapshot: "unavailable" as const,
    atMicros: ms * 1_000
  }))

  /** History as it was at an instant, or `unavailable` when it cannot be read in time. */
  const remember = spanned("Assess.remember")(
    Effect.fnUntraced(function* (question: Question) {
      const history = scorer.historyRecord(question.call.action)
      const fingerprint = sha256(history.canonicalForm)
      const asked = { ...question.owner, record: history, fingerprint, baseline: scorer.baseline }
      const startedAtMs = performance.now()
      const read =
        question.drill === "incomplete"
          ? unavailable
          : Effect.catchCause(snapshots.read(asked, behaviorReadMsMax), (cause) =>
              Effect.andThen(logStorageFailure("read history", cause), unavailable)
            )
      const { atMicros, snapshot } = yield* read
      const behaviorMs = performance.now() - startedAtMs
      return { behavior: snapshot, history, fingerprint, atMicros, behaviorMs } satisfies Remembered
    })
  )

  const evaluate = spanned("Assess.evaluate")(
    Effect.fnUntraced(function* ({ call }: Question, remembered: Remembered) {
      const score = (behavior: Behavior) => scorer.score(call.action, behavior, call.caller.policySet)
      const evaluation: Evaluation = { ...remembered, scored: yield* score(remembered.behavior) }

      // Contract 3.1: past the deadline the opinion is incomplete, with history at its worst.
      if (performance.now() - call.receivedAtMs <= assessmentDeadlineMs) return evaluation
      return { ...evaluation, behavior: "unavailable" as const, scored: yield* score("unavailable") }
    })
  )

  return { remember, evaluate }
})
