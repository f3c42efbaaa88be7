/** Reads the behavior snapshot of an action from the organization's history, in a round trip that many requests share. */

import { Context, Effect, Layer } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { Mode } from "../../domain/Caller.ts"
import { establishedDestinationsMax, outdatedReadsMax, sightingsPageRows } from "../../limits.ts"
import { makeBatchedReads } from "../sql/BatchedStatement.ts"
import { ModeSql } from "../sql/Sql.ts"
import { ownSqlError, withBatchTimeout, withTimeout } from "../timeouts.ts"
import { tracedFn } from "../tracedFn.ts"
import {
  type BaselineWindow,
  type BaselineWindowCache,
  type BaselineWindowKey,
  baselineWindowOfRow,
  type BaselineWindowRow,
  makeBaselineWindowCache,
  selectBaselineWindow
} from "./BaselineWindow.ts"
import {
  assembleSnapshot,
  todayParameters,
  type TodayQuery,
  type TodayRow,
  todayStatement
} from "./todaysActivity.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"

interface SnapshotQuery extends TodayQuery {
  readonly mode: Mode
  readonly baseline: BaselineSettings
}

interface ReadSnapshot {
  readonly snapshot: BehaviorSnapshot
  /** `takenAt` in microseconds since 1970, by the database's clock, which all replicas share. */
  readonly atMicros: number
  /** Whether the query's idempotency key has been answered, according to the same statement. */
  readonly answered: boolean
}

export class BehaviorSnapshots extends Context.Service<BehaviorSnapshots>()(
  "action-risk/storage/BehaviorSnapshots",
  {
    make: Effect.gen(function* () {
      const clients = yield* ModeSql
      const windows = {
        live: yield* makeBaselineWindowCache((key) => readWindow(clients.for({ ...key, mode: "live" }), key)),
        test: yield* makeBaselineWindowCache((key) => readWindow(clients.for({ ...key, mode: "test" }), key))
      }
      const today = yield* makeBatchedReads(
        "read_behavior",
        clients,
        (sql, queries: ReadonlyArray<SnapshotQuery>) =>
          sql.unsafe<TodayRow>(todayStatement, todayParameters(queries))
      )
      const readers = {
        live: readerOf(windows.live, today),
        test: readerOf(windows.test, today)
      }
      /** Fails with `StorageTimeout` when the timeout expires. */
      const read = tracedFn("BehaviorSnapshots.read")((query: SnapshotQuery, timeoutMs: number) =>
        readers[query.mode](query, timeoutMs)
      )
      return { read }
    })
  }
) {
  static readonly layer = Layer.effect(BehaviorSnapshots, BehaviorSnapshots.make)
}

/** Whose history to read, and at which time. */
type EstablishedQuery = BaselineWindowKey & Pick<BaselineWindowRow, "until" | "atMicros">

/** One page along the primary key, because all of it may take too long. Returns the established destinations and the last name. */
export const selectEstablished = (
  sql: SqlClient.SqlClient,
  { atMicros, baseline, changesOnly, organizationId, production, until }: EstablishedQuery,
  from: PageStart,
  pageRows: number
) => sql<EstablishedRow>`
  WITH clock AS (
    SELECT to_timestamp(${atMicros}::float8 / 1000000) AS now
  ), page AS (
    SELECT name, day, first_at, changes FROM sightings
    WHERE organization_id = ${organizationId} AND production = ${production} AND kind = 'destination'
      AND ${from.without ? sql`name > ${from.name}` : sql`name >= ${from.name}`}
    ORDER BY name, day, changes LIMIT ${pageRows}
  ), named AS (
    SELECT name, count(DISTINCT day) FILTER (WHERE counts) AS days, min(first_at) FILTER (WHERE counts) AS first_at,
      max(day) FILTER (WHERE counts) AS last_day
    FROM (
      SELECT page.*, ${changesOnly ? sql`changes` : sql`true`} AND day < ${until}::date
        AND day > (now AT TIME ZONE 'UTC')::date - ${baseline.windowDays}::int AS counts
      FROM page, clock
    ) AS counted
    GROUP BY name
  ), judged AS (
    SELECT name, last_day, count(*) OVER () AS names, row_number() OVER (ORDER BY name) AS place,
      coalesce(days >= ${baseline.establishedDaysMin}
        AND first_at <= now - ${baseline.establishedHoursMin} * interval '1 hour', false) AS established
    FROM named, clock
  )
  SELECT name, last_day::text AS "lastDay", established, names::int, place = names AS "isLast",
    (SELECT count(*) FROM page)::int AS rows
  FROM judged WHERE established OR place = names
`

export interface EstablishedRow {
  readonly name: string
  readonly lastDay: string | null
  readonly established: boolean
  /** Whether it is the last name on the page. */
  readonly isLast: boolean
  /** Counts for the whole page. */
  readonly names: number
  readonly rows: number
}

interface PageStart {
  readonly name: string
  /** Whether the page starts after the name. */
  readonly without: boolean
}

interface Established {
  readonly name: string
  readonly lastDay: string
}

const latestFirst = (a: Established, b: Established): number =>
  a.lastDay === b.lastDay ? (a.name < b.name ? -1 : 1) : a.lastDay > b.lastDay ? -1 : 1

/** The most recently seen ones, at most `establishedDestinationsMax`. Each page is a separate statement, so that others get their turn. */
export const readEstablished = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  query: EstablishedQuery,
  pageRows = sightingsPageRows
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  let latest: ReadonlyArray<Established> = []
  for (let from: PageStart = { name: "", without: false }; ;) {
    const rows = yield* withBatchTimeout(selectEstablished(sql, query, from, pageRows))
    const last = rows.find(({ isLast }) => isLast)
    const isLastPage = last === undefined || last.rows < pageRows
    // The rows of the last name on a full page may continue, so the next page starts with that name, unless this page has no other.
    const isWhole = isLastPage || last.names === 1
    const established = rows.flatMap(({ established, isLast, lastDay, name }) =>
      established && lastDay !== null && (isWhole || !isLast) ? [{ name, lastDay }] : []
    )
    latest = [...latest, ...established].toSorted(latestFirst).slice(0, establishedDestinationsMax)
    if (isLastPage) return latest.map(({ name }) => name)
    from = { name: last.name, without: isWhole }
  }
})

const readWindow = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: BaselineWindowKey) {
  const [first] = yield* withBatchTimeout(selectBaselineWindow(sql, key))
  // The statement always returns one row.
  const row = first as BaselineWindowRow
  // A review that is rejected meanwhile is noticed, because the row has the earlier revision.
  const query = { ...key, until: row.until, atMicros: row.atMicros }
  return yield* baselineWindowOfRow(row, yield* readEstablished(sql, query), key.baseline)
})

type Today = Effect.Success<ReturnType<typeof makeBatchedReads<SnapshotQuery, TodayRow>>>

/** Invariant: a snapshot joins a baseline window and activity of the same day. */
const readerOf = (windows: BaselineWindowCache, today: Today) => {
  const keyOf = ({ baseline, organizationId, record }: SnapshotQuery) => ({
    organizationId,
    production: record.production,
    changesOnly: record.changes,
    baseline
  })

  /** The first of several requests that find the same window outdated invalidates it, and all of them wait for the next one. */
  const rereads = (query: SnapshotQuery) => ({
    window: (outdated: BaselineWindow) => {
      const key = keyOf(query)
      if (windows.cached(key) === outdated) windows.invalidate(key)
      return windows.read(key)
    },
    today: today(query)(query)
  })

  const toSnapshot = (query: SnapshotQuery, window: BaselineWindow, row: TodayRow): ReadSnapshot => ({
    snapshot: assembleSnapshot(window, row, query.record, query.baseline.windowDays),
    atMicros: row.at_micros,
    answered: row.answered
  })

  const joinAndAssemble = (query: SnapshotQuery, window: BaselineWindow, row: TodayRow) =>
    Effect.map(joinSameDay([window, row], rereads(query)), (joined) => toSnapshot(query, ...joined))

  const readBoth = (query: SnapshotQuery) =>
    Effect.flatMap(
      Effect.all([windows.read(keyOf(query)), today(query)(query)], { concurrency: 2 }),
      ([window, row]) => joinAndAssemble(query, window, row)
    )

  return Effect.fnUntraced(function* (query: SnapshotQuery, timeoutMs: number) {
    const window = windows.cached(keyOf(query))
    if (window === null) return yield* withTimeout(timeoutMs, readBoth(query))
    const row = yield* today(query)({ ...query, heldUntil: window.until }, timeoutMs)
    // Nearly every query ends here and needs neither a timer nor a fiber.
    if (areSameDay(window, row)) return toSnapshot(query, window, row)
    return yield* withTimeout(timeoutMs, joinAndAssemble(query, window, row))
  })
}

/** The day that was read, and how many rejected reviews had changed the past until then. */
export interface DayRevision {
  /** Evidence ends before this day: `2026-11-20`. */
  readonly until: string
  /** If a review removed an activity from the past, the activity must not make anything look familiar. */
  readonly revision: number
}

/** Negative if `one` is older: `other` knows a later day or one more review. */
const compareRevisions = (one: DayRevision, other: DayRevision): number =>
  one.until === other.until ? one.revision - other.revision : one.until < other.until ? -1 : 1

const areSameDay = (one: DayRevision, other: DayRevision): boolean => compareRevisions(one, other) === 0

/**
 * Joins a window and an activity of the same day that know the same reviews. The older one is re-read until both agree. Otherwise
 * tomorrow's window and today's activity would omit a day, or count it as evidence on the day itself.
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

/** Has the SQLSTATE of a serialization failure: other transactions won, and a retry may succeed immediately. */
const keptChanging = () =>
  ownSqlError(
    SqlError.SerializationError,
    "read behavior",
    `the past changed at each of ${outdatedReadsMax} further looks`,
    "40001"
  )
