/** Evaluates a request: reads its history and scores it, and after the deadline scores it again without history. */

import { Clock, Effect } from "effect"
import type { Behavior } from "../domain/Behavior.ts"
import { modes } from "../domain/Caller.ts"
import { makeTimeShare, tenantKey } from "../evenShare.ts"
import {
  assessmentDeadlineMs,
  behaviorReadMsMax,
  longReadsMax,
  longReadsRest,
  longReadsRetrySeconds,
  shortTextMax,
  storageTotalMsMax
} from "../limits.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { sha256 } from "../storage/sha256.ts"
import { logStorageFailure, retryOnceOrLog } from "../storage/storageErrors.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { AssessRequest } from "./AssessRequest.ts"
import { countEarlier, type PendingRequest } from "./PendingRequests.ts"
import { type Scored, Scorer } from "./Scorer.ts"

/** The history that a request is scored with, and the record by which the request itself becomes history. */
interface BehaviorRead {
  readonly behavior: Behavior
  readonly history: HistoryRecord
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
  /** The time of the assessment, in microseconds since 1970. */
  readonly atMicros: number
  readonly behaviorMs: number
  /** Whether the request's idempotency key was answered, or might have been, because the history could not be read. */
  readonly mayBeAnswered: boolean
}

export interface EvaluatedRequest extends BehaviorRead {
  readonly scored: Scored
}

export const makeEvaluator = Effect.gen(function* () {
  const scorer = yield* Scorer
  const snapshots = yield* BehaviorSnapshots

  // History is timed by the database's clock alone. An incomplete assessment never becomes history, so this process's
  // clock is good enough for it.
  const unavailable = Effect.map(Clock.currentTimeMillis, (ms) => ({
    snapshot: "unavailable" as const,
    atMicros: ms * 1_000,
    answered: true
  }))

  const readText = textReader(scorer)

  /**
   * Reads a snapshot of the history and whether the idempotency key was answered, in one call of the database. Gives `unavailable` for a
   * history that cannot be read in time.
   */
  const readBehavior = tracedFn("Assess.readBehavior")(
    Effect.fnUntraced(function* (request: AssessRequest, pending: PendingRequest) {
      const history = yield* readText(request)
      const fingerprint = sha256(history.canonicalForm)
      const earlier = pending.enter(history)
      const key = request.call.idempotencyKey
      const query = { ...request.owner, record: history, fingerprint, baseline: scorer.baseline, key }
      const startedAtMs = performance.now()
      const read =
        request.drill === "incomplete"
          ? unavailable
          : Effect.catchCause(snapshots.read(query, behaviorReadMsMax), (cause) =>
              Effect.andThen(logStorageFailure("read history", cause), unavailable)
            )
      const { answered, atMicros, snapshot } = yield* read
      const behaviorMs = performance.now() - startedAtMs
      const behavior = snapshot === "unavailable" ? snapshot : countEarlier(snapshot, earlier)
      return { behavior, history, fingerprint, atMicros, behaviorMs, mayBeAnswered: answered }
    })
  )

  const evaluate = tracedFn("Assess.evaluate")(
    Effect.fnUntraced(function* ({ call }: AssessRequest, behaviorRead: BehaviorRead) {
      const score = (behavior: Behavior) => scorer.score(call.action, behavior, call.caller.policySet)
      const evaluated: EvaluatedRequest = { ...behaviorRead, scored: yield* score(behaviorRead.behavior) }

      // Contract 3.1: after the deadline the opinion is incomplete and assumes the worst history.
      if (performance.now() - call.receivedAtMs <= assessmentDeadlineMs) return evaluated
      return { ...evaluated, behavior: "unavailable" as const, scored: yield* score("unavailable") }
    })
  )

  return { readBehavior, evaluate }
})

/** Reads the text of a request into its history record. Long texts take turns, so that other requests do not wait for them. */
const textReader = (scorer: Scorer["Service"]) => {
  const { inTurn } = makeTimeShare(longReads)
  return Effect.fnUntraced(function* ({ call, input, owner }: AssessRequest) {
    const { action, caller } = call
    const nowMs = yield* Clock.currentTimeMillis
    const record = () => scorer.historyRecord(action, caller.policySet, nowMs)
    if (input.length <= shortTextMax || !scorer.isLong(action)) return record()
    return yield* inTurn(tenantKey(owner), inOneStep(record))
  })
}

/** The share of the process's time for long texts. Somebody's 64 KB take tens of milliseconds, and others have a second for all. */
const longReads = {
  placesMax: longReadsMax,
  rests: longReadsRest,
  refuse: () =>
    new AssessmentUnavailable({
      message: "more long actions are under way than can be read in time; ask again, and more slowly",
      retryAfterSeconds: longReadsRetrySeconds
    })
}

function* inOneStep<A>(work: () => A): Generator<void, A> {
  return work()
}

/** No organization has this id. */
const noOrganization = "00000000-0000-0000-0000-000000000000"

/** Reads history once in each mode at start, so that no caller spends its 150 ms on connecting and planning. */
export const warmUpHistory = Effect.gen(function* () {
  const { baseline, historyRecord } = yield* Scorer
  const snapshots = yield* BehaviorSnapshots
  const warming = { actionType: "history.read", environment: "development" } as const
  const record = historyRecord(warming, "none", yield* Clock.currentTimeMillis)
  const fingerprint = sha256(record.canonicalForm)
  yield* Effect.forEach(
    modes,
    (mode) =>
      // If this fails, the service starts all the same: the first request meets the same failure, and its answer says so.
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
