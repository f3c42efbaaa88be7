/** How many requests each subject made in the current window, counted in this process or in PostgreSQL. */

import { Cause, Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import { batchQueueMax, countBatchMax, rateSharedCounters, rateSubjectsMax, rateWindowMs } from "../limits.ts"
import { makeBatchedStatement } from "./sql/BatchedStatement.ts"
import { ControlSql } from "./sql/Sql.ts"
import { describeCause } from "./storageErrors.ts"

/** The count could not be kept; nothing may pass uncounted. */
export class RateLimitStoreUnavailable extends Schema.TaggedError<RateLimitStoreUnavailable>()(
  "RateLimitsAway",
  {
    cause: Schema.declare(Cause.isCause)
  }
) {}

/** Counts one request of `subject` in the window that starts at `windowMs`; gives the count with this one. */
type CountRequest = (subject: string, windowMs: number) => Effect.Effect<number, RateLimitStoreUnavailable>

/** The same in this process, where nothing is waited for. */
type CountLocally = (subject: string, windowMs: number) => number

/**
 * Counts requests of one window in this process, in bounded memory.
 * FNV-1a, 32 bits: which shared counter a subject falls on.
 */
const fnv1a = (text: string): number => {
  let value = 0x81_1c_9d_c5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01_00_01_93)
  return value >>> 0
}

/**
 * Subjects beyond `subjectsMax` share counters: a shared count is never below a subject's own, so a flood of
 * addresses can cost a newcomer requests and never gives anyone more than the limit.
 */
export const countInMemory = (subjectsMax = rateSubjectsMax): CountLocally => {
  let window = 0
  let exact = new Map<string, number>()
  let shared = new Uint32Array(0)

  const countShared = (subject: string): number => {
    if (shared.length === 0) shared = new Uint32Array(rateSharedCounters)
    const at = fnv1a(subject) % rateSharedCounters
    const counted = (shared[at] ?? 0) + 1
    shared[at] = counted
    return counted
  }

  return (subject, windowMs) => {
    if (windowMs !== window) {
      window = windowMs
      exact = new Map()
      shared = new Uint32Array(0)
    }
    const before = exact.get(subject)
    if (before === undefined && exact.size >= subjectsMax) return countShared(subject)
    const counted = (before ?? 0) + 1
    exact.set(subject, counted)
    return counted
  }
}

/** Requests that are counted without waiting for the store: what is known of the window here, and what the store lacks. */
interface UnsentCount {
  readonly subject: string
  readonly windowMs: number
  readonly requests: number
}

export const makeLocalRateCounter = () => {
  let window = 0
  /** By subject, what the store said last. */
  let told = new Map<string, number>()
  let owed = new Map<string, number>()

  const turnTo = (windowMs: number): void => {
    if (windowMs === window) return
    window = windowMs
    told = new Map()
    owed = new Map()
  }

  /** The count with this request, as far as it is known here. Beyond the bound it is not told to the store. */
  const add = (subject: string, windowMs: number): number => {
    turnTo(windowMs)
    const requests = (owed.get(subject) ?? 0) + 1
    if (requests > 1 || owed.size < countBatchMax) owed.set(subject, requests)
    return (told.get(subject) ?? 0) + requests
  }

  /** For the next statement. One that fails loses them: they are of requests that were refused. */
  const take = (): ReadonlyArray<UnsentCount> => {
    if (owed.size === 0) return []
    const taken = [...owed].map(([subject, requests]) => ({ subject, windowMs: window, requests }))
    for (const { requests, subject } of taken) tell(subject, window, (told.get(subject) ?? 0) + requests)
    owed = new Map()
    return taken
  }

  const tell = (subject: string, windowMs: number, requests: number): void => {
    // A statement of the window before may answer only now: nobody is counted in that any more.
    if (windowMs < window) return
    turnTo(windowMs)
    if (told.has(subject) || told.size < rateSubjectsMax) told.set(subject, requests)
  }

  return { add, take, tell }
}

/** Counts requests of one window in PostgreSQL: exact across replicas, concurrent requests in one statement. */
interface CountedRequest {
  readonly subject: string
  readonly windowMs: number
}

export interface CountRow {
  readonly subject: string
  readonly window_ms: number
  readonly requests: number
}

const keyOf = (windowMs: number, subject: string): string => `${windowMs} ${subject}`

/** The last of n requests of a subject takes the returned total, the one before it one less, and so on. */
const countsOf = (
  spendings: ReadonlyArray<CountedRequest>,
  rows: ReadonlyArray<CountRow>
): ReadonlyArray<number> => {
  const totals = new Map(rows.map((row) => [keyOf(row.window_ms, row.subject), row.requests]))
  return spendings
    .toReversed()
    .map(({ subject, windowMs }) => {
      const key = keyOf(windowMs, subject)
      const total = totals.get(key) ?? 0
      totals.set(key, total - 1)
      return total
    })
    .toReversed()
}

const countInPostgres = Effect.gen(function* () {
  const sql = yield* ControlSql
  const tab = makeLocalRateCounter()

  /** Subjects in one order everywhere, so that two replicas never deadlock on each other's rows. */
  const spend = yield* makeBatchedStatement({
    name: "count_requests",
    batchMax: countBatchMax,
    inFlightMax: 1,
    waitingMax: batchQueueMax,
    run: (spendings: ReadonlyArray<CountedRequest>) => {
      const owed = tab.take()
      const windows = [...spendings, ...owed].map(({ windowMs }) => windowMs)
      const subjects = [...spendings, ...owed].map(({ subject }) => subject)
      const requests = [...spendings.map(() => 1), ...owed.map(({ requests }) => requests)]
      return Effect.map(
        sql<CountRow>`
          INSERT INTO rate_limits AS counted (window_ms, subject, requests)
          SELECT window_ms, subject, sum(requests)::int
          FROM unnest(${windows}::bigint[], ${subjects}::text[], ${requests}::int[]) AS spent (window_ms, subject, requests)
          GROUP BY window_ms, subject ORDER BY window_ms, subject
          ON CONFLICT (window_ms, subject) DO UPDATE SET requests = counted.requests + excluded.requests
          RETURNING subject, window_ms::float8, requests`,
        (rows) => {
          for (const row of rows) tab.tell(row.subject, row.window_ms, row.requests)
          return countsOf(spendings, rows)
        }
      )
    }
  })

  const nowMs = sql.literal("(extract(epoch FROM now()) * 1000)::bigint")
  const forget = sql`DELETE FROM rate_limits WHERE window_ms < ${nowMs} - ${2 * rateWindowMs}::bigint`
  yield* forget.pipe(
    Effect.catchCause((cause) =>
      Effect.logWarning("old rate limit windows could not be deleted", describeCause(cause))
    ),
    Effect.repeat(Schedule.spaced(rateWindowMs)),
    Effect.forkScoped
  )

  const count: CountRequest = (subject, windowMs) =>
    // A connection that dies is a defect of the driver: every cause refuses, none is lost.
    Effect.catchCause(spend({ subject, windowMs }), (cause) =>
      Effect.fail(new RateLimitStoreUnavailable({ cause }))
    )
  /** What is refused whatever its count goes with the next statement. */
  const countRefused: CountLocally = tab.add
  return { count, countRefused }
})

/**
 * How many requests each subject made in the current window, aligned to the clock; one count for all replicas.
 * What the rate limit headers say after a request.
 */
export interface RateWindow {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds: the end of the window. */
  readonly resetSeconds: number
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number
  /** This request was over the limit. */
  readonly exceeded: boolean
}

const startOf = (nowMs: number): number => Math.floor(nowMs / rateWindowMs) * rateWindowMs

export const windowAt = (nowMs: number, limit: number, count: number): RateWindow => {
  const endMs = startOf(nowMs) + rateWindowMs
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: endMs / 1000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    exceeded: count > limit
  }
}

const spendWith =
  (count: CountRequest) =>
  (subject: string, limit: number): Effect.Effect<RateWindow, RateLimitStoreUnavailable> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.map(count(subject, startOf(nowMs)), (counted) => windowAt(nowMs, limit, counted))
    )

const spendLocallyWith =
  (count: CountLocally) =>
  (subject: string, limit: number, nowMs: number): RateWindow =>
    windowAt(nowMs, limit, count(subject, startOf(nowMs)))

const atCurrentTime =
  (spend: ReturnType<typeof spendLocallyWith>) =>
  (subject: string, limit: number): Effect.Effect<RateWindow> =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => spend(subject, limit, nowMs))

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends one request of a key, whose window admits `limit`. */
    readonly spendKey: (keyId: string, limit: number) => Effect.Effect<RateWindow, RateLimitStoreUnavailable>
    /** Spends one request of a key that is refused anyway: counted like any other, but no store is waited for. */
    readonly spendRefused: (keyId: string, limit: number, nowMs: number) => RateWindow
    /** Spends one request of a client that showed no valid key. */
    readonly spendAddress: (
      address: string,
      limit: number
    ) => Effect.Effect<RateWindow, RateLimitStoreUnavailable>
  }
>()("action-risk/storage/RateLimits") {
  // Two counters: however many addresses come, they never crowd out a key.
  static readonly layerMemory = Layer.sync(RateLimits, () => {
    const spendRefused = spendLocallyWith(countInMemory())
    return {
      spendKey: atCurrentTime(spendRefused),
      spendRefused,
      spendAddress: atCurrentTime(spendLocallyWith(countInMemory()))
    }
  })

  static readonly layerPostgres = Layer.effect(
    RateLimits,
    Effect.map(countInPostgres, ({ count, countRefused }) => {
      const spend = spendWith(count)
      const spendRefused = spendLocallyWith(countRefused)
      const spendHere = atCurrentTime(spendLocallyWith(countInMemory()))
      return {
        spendKey: (keyId, limit) => spend(`key ${keyId}`, limit),
        spendRefused: (keyId, limit, nowMs) => spendRefused(`key ${keyId}`, limit, nowMs),
        // Spec 4.4: the status is told whatever the health. Without the store each process counts addresses for itself,
        // so that what needs no key is still answered, and still limited.
        spendAddress: (address, limit) =>
          Effect.catchTag(spend(`address ${address}`, limit), "RateLimitsAway", ({ cause }) =>
            Effect.andThen(
              Effect.logWarning("addresses are counted by this process alone", describeCause(cause)),
              spendHere(address, limit)
            )
          )
      }
    })
  )
}
