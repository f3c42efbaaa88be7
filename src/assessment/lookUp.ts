/** The first step of an assessment: looks up its idempotency key and reads its history, in one database call. */

import { Clock, Effect, Layer, Schedule } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { modes } from "../domain/Caller.ts"
import { makeTimeShare, tenantKey } from "../evenShare.ts"
import {
  answeredKeysMax,
  behaviorReadMsMax,
  idempotencySweepKeysMax,
  idempotencySweepMinutes,
  longReadsMax,
  longReadsRest,
  longReadsRetrySeconds,
  shortTextMax,
  storageReadMsMax,
  storageTotalMsMax
} from "../limits.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import type { StoredAnswer } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { sha256 } from "../storage/sha256.ts"
import { logStorageFailure, retryOnceOrLog } from "../storage/storageErrors.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import { type AssessRequest, orAssessmentUnavailable, timeLeftMs } from "./AssessRequest.ts"
import { countEarlier, type PendingRequest } from "./PendingRequests.ts"
import { Scorer } from "./Scorer.ts"

/** The history with which a request is scored, and the record by which the request itself becomes history. */
export interface BehaviorRead {
  readonly behavior: Behavior
  readonly history: HistoryRecord
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
  /** The time of the assessment, in microseconds since 1970. */
  readonly atMicros: number
  readonly behaviorMs: number
}

/** Either the answer stored under the request's key, or the history for scoring a new answer. */
type Found =
  | { readonly stored: StoredAnswer; readonly read: null }
  | { readonly stored: null; readonly read: BehaviorRead }

export const makeLookUp = Effect.gen(function* () {
  const records = yield* AssessmentRecords
  const readBehavior = yield* makeBehaviorReader
  const answered = makeAnsweredKeys()

  const find = tracedFn("LookUp.find")((request: AssessRequest) => {
    const key = request.call.idempotencyKey
    if (key === null) return Effect.undefined
    return records
      .findByIdempotencyKey(request.owner, key, timeLeftMs(request, storageReadMsMax))
      .pipe(Effect.catchCause(orAssessmentUnavailable("look an idempotency key up")))
  })

  /**
   * A stored answer is read by a separate query. If this process answered the key recently, the request is probably a replay and needs no
   * history.
   */
  const lookUp = Effect.fnUntraced(function* (request: AssessRequest, pending: PendingRequest) {
    const likely = answered.has(request) ? yield* find(request) : undefined
    if (likely !== undefined) return { stored: likely, read: null } satisfies Found
    const { mayBeAnswered, ...read } = yield* readBehavior(request, pending)
    const stored = mayBeAnswered ? yield* find(request) : undefined
    return (stored === undefined ? { stored: null, read } : { stored, read: null }) satisfies Found
  })

  return { find, lookUp, noteAnswered: answered.add }
})

/** Remembers the keys that this process answered most recently. */
const makeAnsweredKeys = () => {
  const keys = new Set<string>()
  // One iterator for all evictions: a new iterator would step over the slots of all deleted keys each time.
  const oldestFirst = keys.values()
  return {
    has: ({ ownedKey }: AssessRequest) => ownedKey !== null && keys.has(ownedKey),
    add: ({ ownedKey }: AssessRequest) => {
      if (ownedKey === null) return
      if (keys.size >= answeredKeysMax) keys.delete(oldestFirst.next().value ?? ownedKey)
      keys.add(ownedKey)
    }
  }
}

const makeBehaviorReader = Effect.gen(function* () {
  const scorer = yield* Scorer
  const snapshots = yield* BehaviorSnapshots
  const readText = textReader(scorer)

  // History uses only the database's clock. An incomplete assessment never becomes history, so this process's clock suffices for it.
  const unavailable = Effect.map(Clock.currentTimeMillis, (ms) => ({
    snapshot: "unavailable" as const,
    atMicros: ms * 1_000,
    answered: true
  }))

  /**
   * Reads a snapshot of the history; `unavailable` if it cannot be read in time. `mayBeAnswered`: whether the request's idempotency key has
   * been answered, or may have been because the look-up failed.
   */
  return tracedFn("LookUp.readBehavior")(
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
})

/** Reads the text of a request into its history record. Long texts take turns, so that other requests need not wait for them. */
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

/**
 * The share of the process's time for long texts. A single text of 64 KB takes tens of milliseconds, and all other requests need time too.
 */
const longReads = {
  placesMax: longReadsMax,
  rests: longReadsRest,
  refuse: () =>
    new AssessmentUnavailable({
      message: "too many long actions are in progress to be read in time; retry later, and more slowly",
      retryAfterSeconds: longReadsRetrySeconds
    })
}

function* inOneStep<A>(work: () => A): Generator<void, A> {
  return work()
}

/** A placeholder id that no organization has. */
const noOrganization = "00000000-0000-0000-0000-000000000000"

/** Reads history once per mode at startup, so that no caller spends its 150 ms on connecting and query planning. */
export const warmUpHistory = Effect.gen(function* () {
  const { baseline, historyRecord } = yield* Scorer
  const snapshots = yield* BehaviorSnapshots
  const warming = { actionType: "history.read", environment: "development" } as const
  const record = historyRecord(warming, "none", yield* Clock.currentTimeMillis)
  const fingerprint = sha256(record.canonicalForm)
  yield* Effect.forEach(
    modes,
    (mode) =>
      // If this fails, the service starts anyway: the first request will meet the same failure and report it.
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

/** Deletes expired idempotency keys, a limited number per statement, as long as the process runs. */
export const forgetExpiredKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* AssessmentRecords
    const sweep = Effect.forEach(modes, (mode) =>
      // Look-ups ignore an expired key even while its row exists, so the next sweep is soon enough.
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
