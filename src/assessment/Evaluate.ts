/** The opinion on a question: history, score, and whether the time for a complete one has passed. */

import { Clock, Effect } from "effect"
import type { Behavior } from "../domain/Behavior.ts"
import { assessmentDeadlineMs, behaviorReadMsMax } from "../Limits.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { BehaviorSnapshots } from "../storage/BehaviorSnapshots.ts"
import { logStorageFailure, within } from "./orUnavailable.ts"
import type { Question } from "./Question.ts"
import { type Scored, Scorer } from "./Scorer.ts"
import { sha256 } from "./sha256.ts"

export interface Evaluation {
  readonly scored: Scored
  readonly behavior: Behavior
  readonly history: HistoryRecord
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
  /** The instant of the assessment, microseconds since 1970. */
  readonly atMicros: number
  readonly behaviorMs: number
}

export const makeEvaluate = Effect.gen(function* () {
  const scorer = yield* Scorer
  const snapshots = yield* BehaviorSnapshots

  /** History as it was at an instant, or `unavailable` when it cannot be read in time. */
  const readBehavior = Effect.fnUntraced(function* (
    question: Question,
    record: HistoryRecord,
    fingerprint: Uint8Array
  ) {
    // History and its windows know the database's clock alone: only an incomplete assessment, which never becomes
    // history, is stamped by this process's.
    const unavailable = Effect.map(Clock.currentTimeMillis, (ms) => ({
      behavior: "unavailable" as const,
      atMicros: ms * 1_000
    }))
    if (question.drill === "incomplete") return yield* unavailable
    const read = snapshots.read({ ...question.owner, record, fingerprint, baseline: scorer.baseline })
    return yield* within(behaviorReadMsMax, read).pipe(
      Effect.map(({ atMicros, snapshot }) => ({ behavior: snapshot, atMicros })),
      Effect.catchCause((cause) => Effect.andThen(logStorageFailure("read history", cause), unavailable))
    )
  })

  return Effect.fn("Assess.evaluate")(function* (question: Question) {
    const { action, caller, receivedAtMs } = question.call
    const score = (behavior: Behavior) => scorer.score(action, behavior, caller.policySet)
    const history = scorer.historyRecord(action)
    const fingerprint = sha256(history.canonicalForm)

    const startedAtMs = performance.now()
    const read = yield* readBehavior(question, history, fingerprint)
    const behaviorMs = performance.now() - startedAtMs
    const scored = yield* score(read.behavior)
    const evaluation: Evaluation = { ...read, scored, history, fingerprint, behaviorMs }

    // Contract 3.1: past the deadline the opinion is incomplete, with history at its worst.
    if (performance.now() - receivedAtMs <= assessmentDeadlineMs) return evaluation
    return { ...evaluation, behavior: "unavailable" as const, scored: yield* score("unavailable") }
  })
})
