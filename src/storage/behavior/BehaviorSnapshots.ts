/** Reads the behavior snapshot of an action from the organization's history, in one round trip that many requests share. */

import { Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { Mode } from "../../domain/Caller.ts"
import { batchQueueMax, outdatedReadsMax, readBatchesInFlightMax, readBatchMax } from "../../limits.ts"
import { type BaselineSettings, comparesChangesOnly } from "../../scoring/Edition.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import { makeBatchedStatement } from "../sql/BatchedStatement.ts"
import { ModeSql } from "../sql/Sql.ts"
import { type StorageTimeout, withBatchTimeout, withTimeout } from "../timeouts.ts"
import { tracedFn } from "../tracedFn.ts"
import {
  type BaselineWindow,
  baselineWindowOfRow,
  baselineWindowParameters,
  type BaselineWindowRow,
  baselineWindowStatement,
  makeBaselineWindowCache,
  noFigures
} from "./BaselineWindow.ts"
import { readEstablished } from "./establishedDestinations.ts"
import { todayParameters, type TodayQuery, type TodayRow, todayStatement } from "./todaysActivity.ts"

interface SnapshotQuery extends TodayQuery {
  readonly mode: Mode
  readonly baseline: BaselineSettings
}

interface ReadSnapshot {
  readonly snapshot: BehaviorSnapshot
  /** `takenAt` in microseconds since 1970, by the clock of the database: all replicas share it. */
  readonly atMicros: number
}

export class BehaviorSnapshots extends Context.Service<
  BehaviorSnapshots,
  {
    /** Fails with `StorageTimeout` when the timeout is over. */
    readonly read: (
      query: SnapshotQuery,
      timeoutMs: number
    ) => Effect.Effect<ReadSnapshot, SqlError.SqlError | StorageTimeout>
  }
>()("action-risk/storage/BehaviorSnapshots") {
  static readonly layer = Layer.effect(
    BehaviorSnapshots,
    Effect.gen(function* () {
      const readers = { live: yield* readerOf("live"), test: yield* readerOf("test") }
      const read = tracedFn("BehaviorSnapshots.read")((query: SnapshotQuery, timeoutMs: number) =>
        readers[query.mode](query, timeoutMs)
      )
      return BehaviorSnapshots.of({ read })
    })
  )
}

/** Invariant: a snapshot joins a baseline window and activity of the same day. */
function readerOf(mode: Mode) {
  return Effect.gen(function* () {
    const sql = (yield* ModeSql).for(mode)
    const windows = yield* makeBaselineWindowCache(
      Effect.fnUntraced(function* (key) {
        const [first] = yield* withBatchTimeout(
          sql.unsafe<BaselineWindowRow>(baselineWindowStatement, baselineWindowParameters(key))
        )
        // The statement gives one row, whatever it finds.
        const row = first as BaselineWindowRow
        // A review that is rejected meanwhile shows: the row has the revision from before.
        const query = { ...key, until: row.until, atMicros: row.at_micros }
        return yield* baselineWindowOfRow(row, yield* readEstablished(sql, query), key.baseline)
      })
    )
    const today = yield* makeBatchedStatement({
      name: "read_behavior",
      batchMax: readBatchMax,
      inFlightMax: readBatchesInFlightMax,
      waitingMax: batchQueueMax,
      tenantOf: ({ organizationId }: SnapshotQuery) => organizationId,
      run: (queries: ReadonlyArray<SnapshotQuery>) =>
        sql.unsafe<TodayRow>(todayStatement, todayParameters(queries))
    })

    const keyOf = ({ baseline, organizationId, record }: SnapshotQuery) => ({
      organizationId,
      production: record.production,
      changesOnly: comparesChangesOnly(record, baseline),
      baseline
    })

    /** Of several requests that find the same window outdated, the first invalidates it, and all wait for the next. */
    const rereads = (query: SnapshotQuery) => ({
      window: (outdated: BaselineWindow) => {
        const key = keyOf(query)
        if (windows.cached(key) === outdated) windows.invalidate(key)
        return windows.read(key)
      },
      today: today(query)
    })

    const toSnapshot = (query: SnapshotQuery, window: BaselineWindow, row: TodayRow): ReadSnapshot => ({
      snapshot: assembleSnapshot(window, row, query.record, query.baseline.windowDays),
      atMicros: row.at_micros
    })

    const joinAndAssemble = (query: SnapshotQuery, window: BaselineWindow, row: TodayRow) =>
      Effect.map(joinSameDay([window, row], rereads(query)), (joined) => toSnapshot(query, ...joined))

    const readBoth = (query: SnapshotQuery) =>
      Effect.flatMap(
        Effect.all([windows.read(keyOf(query)), today(query)], { concurrency: 2 }),
        ([window, row]) => joinAndAssemble(query, window, row)
      )

    return Effect.fnUntraced(function* (query: SnapshotQuery, timeoutMs: number) {
      const window = windows.cached(keyOf(query))
      if (window === null) return yield* withTimeout(timeoutMs, readBoth(query))
      const row = yield* today({ ...query, heldUntil: window.until }, timeoutMs)
      // Nearly every query ends here. It needs no timer and no fiber.
      if (areSameDay(window, row)) return toSnapshot(query, window, row)
      return yield* withTimeout(timeoutMs, joinAndAssemble(query, window, row))
    })
  })
}

/** The day that was read, and how often a rejected review had changed the past until then. */
export interface DayRevision {
  /** Evidence ends before this day: `2026-11-20`. */
  readonly until: string
  /** An activity that a review took out of the past must not make anything look familiar. */
  readonly revision: number
}

/** Below 0 where `one` is older: `other` knows a later day or one more review. */
const compareRevisions = (one: DayRevision, other: DayRevision): number =>
  one.until === other.until ? one.revision - other.revision : one.until < other.until ? -1 : 1

const areSameDay = (one: DayRevision, other: DayRevision): boolean => compareRevisions(one, other) === 0

/**
 * Joins a window and an activity of the same day that know the same reviews. The older of the two is read again until both
 * agree. Without this check a window of tomorrow and an activity of today would leave out a day, or count it as evidence on
 * the day itself.
 */
export const joinSameDay = Effect.fnUntraced(function* <W extends DayRevision, T extends DayRevision, E>(
  read: readonly [window: W, today: T],
  rereads: {
    readonly window: (outdated: W) => Effect.Effect<W, E>
    readonly today: Effect.Effect<T, E>
  }
): Effect.fn.Return<readonly [window: W, today: T], E | SqlError.SqlError> {
  let [window, today] = read
  for (let reads = 0; !areSameDay(window, today); reads++) {
    if (reads === outdatedReadsMax) return yield* keptChanging()
    if (compareRevisions(window, today) < 0) window = yield* rereads.window(window)
    else today = yield* rereads.today
  }
  return [window, today]
})

const message = `the past changed at each of ${outdatedReadsMax} further looks`

/** Has the SQLSTATE of a serialization failure: other transactions won, and a retry can succeed at once. */
const keptChanging = () =>
  new SqlError.SqlError({
    reason: new SqlError.SerializationError({
      cause: Object.assign(new Error(message), { code: "40001" }),
      message,
      operation: "read behavior"
    })
  })

const assembleSnapshot = (
  window: BaselineWindow,
  today: TodayRow,
  { actionCategory, destinationKey, summedUnder }: HistoryRecord,
  windowDays: number
): BehaviorSnapshot => {
  const amounts = window.medians.get(actionCategory) ?? noFigures
  return {
    takenAt: new Date(Math.floor(today.at_micros / 1_000)).toISOString(),
    windowDays,
    sampleSize: window.units,
    entityVolume: window.medians.get("entities") ?? noFigures,
    financialValue: { units: amounts.units, medianUsdCents: amounts.median },
    // The assessment that is being made counts too. It is not in the history yet.
    velocity: { lastHour: today.last_hour + 1, ...(window.agentPaces.get(summedUnder) ?? window.pace) },
    destination:
      destinationKey === null
        ? null
        : {
            days: today.destination_days,
            firstSeenHours: today.destination_hours,
            largestEntities: today.largest_entities,
            largestUsdCents: today.largest_usd_cents,
            lookalike: window.isLookalikeOfEstablished(destinationKey)
          },
    actionTypeSeen: today.action_type_seen,
    agentSeen: today.agent_seen,
    last24Hours: { entities: today.agent_entities, usdCents: today.agent_usd_cents },
    otherSums: {
      destination:
        destinationKey === null
          ? null
          : { entities: today.destination_entities, usdCents: today.destination_usd_cents },
      organization: { entities: today.organization_entities, usdCents: today.organization_usd_cents }
    },
    usualDay: window.usualDay,
    today: {
      units: today.units_lately,
      actionTypeSeen: today.action_type_seen_lately,
      destinationSeen: today.destination_seen_lately
    }
  }
}
