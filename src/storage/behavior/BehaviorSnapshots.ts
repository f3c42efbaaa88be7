/** Reads what an organization's own history says about an action, in one round trip that many requests share. */

import { Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { Mode } from "../../domain/Caller.ts"
import { batchQueueMax, outdatedReadsMax, readBatchesInFlightMax, readBatchMax } from "../../limits.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { makeBatchedStatement } from "../sql/BatchedStatement.ts"
import { ModeSql } from "../sql/Sql.ts"
import { type StorageTimeout, withBatchTimeout, withTimeout } from "../timeouts.ts"
import { tracedFn } from "../tracedFn.ts"
import {
  type BaselineSettings,
  type BaselineWindow,
  baselineWindowOfRow,
  baselineWindowParameters,
  type BaselineWindowRow,
  baselineWindowStatement,
  combinedMedian,
  emptyHistogram,
  type Histogram,
  makeBaselineWindowCache
} from "./BaselineWindow.ts"
import {
  type SharedTodayRow,
  todayParameters,
  type TodayQuery,
  type TodayRow,
  todayRowsOf,
  todayStatement
} from "./todaysActivity.ts"

interface SnapshotQuery extends TodayQuery {
  readonly mode: Mode
  readonly baseline: BaselineSettings
}

interface ReadSnapshot {
  readonly snapshot: BehaviorSnapshot
  /** `takenAt` in microseconds since 1970, by the database's clock: one clock for all replicas. */
  readonly atMicros: number
}

export class BehaviorSnapshots extends Context.Service<
  BehaviorSnapshots,
  {
    /** Fails with `StorageSilent` once the patience is over. */
    readonly read: (
      question: SnapshotQuery,
      patienceMs: number
    ) => Effect.Effect<ReadSnapshot, SqlError.SqlError | StorageTimeout>
  }
>()("action-risk/storage/BehaviorSnapshots") {
  static readonly layer = Layer.effect(
    BehaviorSnapshots,
    Effect.gen(function* () {
      const readers = { live: yield* readerOf("live"), test: yield* readerOf("test") }
      const read = tracedFn("BehaviorSnapshots.read")((question: SnapshotQuery, patienceMs: number) =>
        readers[question.mode](question, patienceMs)
      )
      return BehaviorSnapshots.of({ read })
    })
  )
}

/** Invariant: a snapshot joins a past and a today of one and the same day. */
function readerOf(mode: Mode) {
  return Effect.gen(function* () {
    const sql = (yield* ModeSql).for(mode)
    const pasts = yield* makeBaselineWindowCache(({ baseline, organizationId }) =>
      withBatchTimeout(
        sql.unsafe<BaselineWindowRow>(
          baselineWindowStatement,
          baselineWindowParameters(organizationId, baseline)
        )
      ).pipe(Effect.map(([row]): BaselineWindow => baselineWindowOfRow(row as BaselineWindowRow)))
    )
    const today = yield* makeBatchedStatement({
      name: "read_behavior",
      batchMax: readBatchMax,
      inFlightMax: readBatchesInFlightMax,
      waitingMax: batchQueueMax,
      run: (questions: ReadonlyArray<SnapshotQuery>) =>
        Effect.map(sql.unsafe<SharedTodayRow>(todayStatement, todayParameters(questions)), (rows) =>
          todayRowsOf(questions, rows)
        )
    })

    /** Of many that find the same past outdated the first forgets it, and all wait for the next. */
    const again = (question: SnapshotQuery) => ({
      past: (outdated: BaselineWindow) => {
        if (pasts.cached(question) === outdated) pasts.invalidate(question)
        return pasts.read(question)
      },
      today: today(question)
    })

    const join = (question: SnapshotQuery, past: BaselineWindow, row: TodayRow): ReadSnapshot => ({
      snapshot: assembleSnapshot(past, row, question.record, question.baseline.windowDays),
      atMicros: row.at_micros
    })

    const settle = (question: SnapshotQuery, past: BaselineWindow, row: TodayRow) =>
      Effect.map(joinSameDay([past, row], again(question)), (agreed) => join(question, ...agreed))

    const readBoth = (question: SnapshotQuery) =>
      Effect.flatMap(Effect.all([pasts.read(question), today(question)], { concurrency: 2 }), ([past, row]) =>
        settle(question, past, row)
      )

    return Effect.fnUntraced(function* (question: SnapshotQuery, patienceMs: number) {
      const past = pasts.cached(question)
      if (past === null) return yield* withTimeout(patienceMs, readBoth(question))
      const row = yield* today(question, patienceMs)
      // Nearly every question ends here, without a timer and a fiber of its own.
      if (areSameDay(past, row)) return join(question, past, row)
      return yield* withTimeout(patienceMs, settle(question, past, row))
    })
  })
}

/** Brings a past and a today together that are of one and the same day, and know of the same reviews. */
export interface DayRevision {
  /** `2026-11-20` */
  readonly today: string
  /** What a review took out of the past must not make anything look familiar. */
  readonly revision: number
}

/** Below 0 where `one` was read before the day or the review that `other` knows of. */
const compareRevisions = (one: DayRevision, other: DayRevision): number =>
  one.today === other.today ? one.revision - other.revision : one.today < other.today ? -1 : 1

const areSameDay = (one: DayRevision, other: DayRevision): boolean => compareRevisions(one, other) === 0

/**
 * Whichever is behind is read again. Joined unchecked, a past of tomorrow and a today of today would count today twice,
 * and what the asked action itself was today would be among the others: repeating a question would be evidence.
 */
export const joinSameDay = Effect.fnUntraced(function* <P extends DayRevision, T extends DayRevision, E>(
  read: readonly [past: P, today: T],
  again: {
    readonly past: (outdated: P) => Effect.Effect<P, E>
    readonly today: Effect.Effect<T, E>
  }
): Effect.fn.Return<readonly [past: P, today: T], E | SqlError.SqlError> {
  let [past, today] = read
  for (let reads = 0; !areSameDay(past, today); reads++) {
    if (reads === outdatedReadsMax) return yield* keptChanging()
    if (compareRevisions(past, today) < 0) past = yield* again.past(past)
    else today = yield* again.today
  }
  return [past, today]
})

const message = `the past changed at each of ${outdatedReadsMax} further looks`

/** With the SQLSTATE of what it is: other transactions won, and asking again can succeed at once. */
const keptChanging = () =>
  new SqlError.SqlError({
    reason: new SqlError.SerializationError({
      cause: Object.assign(new Error(message), { code: "40001" }),
      message,
      operation: "read behavior"
    })
  })

/** A snapshot from what the days before today and today itself say. */
const roundedOrNull = (figure: number | null): number | null =>
  figure === null ? null : firstTwoDigits(figure)

const assembleSnapshot = (
  past: BaselineWindow,
  today: TodayRow,
  { actionCategory, destinationKey }: HistoryRecord,
  windowDays: number
): BehaviorSnapshot => {
  const pastOf = (measure: string): Histogram => past.figures.get(measure) ?? emptyHistogram
  const volumes = combinedMedian(pastOf("entities"), today.volumes, roundedOrNull(today.own_entities))
  const ownAmount = today.own_category === true ? roundedOrNull(today.own_usd_cents) : null
  const amounts = combinedMedian(pastOf(actionCategory), today.amounts, ownAmount)
  return {
    takenAt: new Date(Math.floor(today.at_micros / 1_000)).toISOString(),
    windowDays,
    sampleSize: past.units + today.units - (today.has_own ? 1 : 0),
    entityVolume: volumes,
    financialValue: { units: amounts.units, medianUsdCents: amounts.median },
    // This assessment is not yet in history, and counts.
    velocity: { lastHour: today.last_hour + 1, ...past.velocity },
    destination:
      destinationKey === null
        ? null
        : {
            days: today.destination_days,
            firstSeenHours: today.destination_hours,
            largestEntities: today.destination_entities,
            largestUsdCents: today.destination_usd_cents,
            lookalike: past.isLookalikeOfEstablished(destinationKey)
          },
    actionTypeSeen: today.action_type_seen,
    agentSeen: today.agent_seen,
    last24Hours: { entities: today.recent_entities, usdCents: today.recent_usd_cents }
  }
}
