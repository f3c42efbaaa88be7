/** The evaluation of a request: its history, its score, and whether the time for a complete opinion has passed. */

import { Clock, Effect } from "effect"
import type { Behavior } from "../domain/Behavior.ts"
import { modes } from "../domain/Caller.ts"
import { assessmentDeadlineMs, behaviorReadMsMax, storageTotalMsMax } from "../limits.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { sha256 } from "../storage/sha256.ts"
import { logStorageFailure, retryOnceOrLog } from "../storage/storageErrors.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import type { AssessRequest } from "./AssessRequest.ts"
import { type Scored, Scorer } from "./Scorer.ts"

/** What history says of a question, and under what the question will be history itself. */
export interface BehaviorRead {
  readonly behavior: Behavior
  readonly history: HistoryRecord
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
  /** The instant of the assessment, microseconds since 1970. */
  readonly atMicros: number
  readonly behaviorMs: number
}

export interface EvaluatedRequest extends BehaviorRead {
  readonly scored: Scored
}

export const makeEvaluator = Effect.gen(function* () {
  const scorer = yield* Scorer
  const snapshots = yield* BehaviorSnapshots

  // History and its windows know the database's clock alone: only an incomplete assessment, which never becomes
  // history, is stamped by this process's.
  const unavailable = Effect.map(Clock.currentTimeMillis, (ms) => ({
    snapshot: "unavailable" as const,
    atMicros: ms * 1_000
  }))

  /** History as it was at an instant, or `unavailable` when it cannot be read in time. */
  const remember = tracedFn("Assess.remember")(
    Effect.fnUntraced(function* (question: AssessRequest) {
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
      return { behavior: snapshot, history, fingerprint, atMicros, behaviorMs } satisfies BehaviorRead
    })
  )

  const evaluate = tracedFn("Assess.evaluate")(
    Effect.fnUntraced(function* ({ call }: AssessRequest, remembered: BehaviorRead) {
      const score = (behavior: Behavior) => scorer.score(call.action, behavior, call.caller.policySet)
      const evaluation: EvaluatedRequest = { ...remembered, scored: yield* score(remembered.behavior) }

      // Contract 3.1: past the deadline the opinion is incomplete, with history at its worst.
      if (performance.now() - call.receivedAtMs <= assessmentDeadlineMs) return evaluation
      return { ...evaluation, behavior: "unavailable" as const, scored: yield* score("unavailable") }
    })
  )

  return { remember, evaluate }
})

/**
 * Reads history once in each mode at start, so that no caller's 150 ms go into connecting and planning.
 * No organization has this id.
 */
const noOrganization = "00000000-0000-0000-0000-000000000000"

export const warmUpHistory = Effect.gen(function* () {
  const { baseline, historyRecord } = yield* Scorer
  const snapshots = yield* BehaviorSnapshots
  const record = historyRecord({ actionType: "history.read", environment: "development" })
  const fingerprint = sha256(record.canonicalForm)
  yield* Effect.forEach(
    modes,
    (mode) =>
      // A database that cannot answer now says so again at the first question, and that one is answered honestly.
      retryOnceOrLog(
        "read history at start",
        snapshots.read(
          { mode, organizationId: noOrganization, record, fingerprint, baseline },
          storageTotalMsMax
        )
      ),
    { concurrency: "unbounded", discard: true }
  )
})
