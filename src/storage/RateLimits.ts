/** Counts the requests of each subject in the current window, in this process or in PostgreSQL. */

import { Cause, Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import { countBatchMax, rateSharedCounters, rateSubjectsMax, rateWindowMs } from "../limits.ts"
import { makeBatchedStatement } from "./sql/BatchedStatement.ts"
import { ControlSql } from "./sql/Sql.ts"
import { describeCause, makeFaultLog } from "./storageErrors.ts"

/** The request could not be counted, so it must be refused. */
export class RateLimitStoreUnavailable extends Schema.TaggedError<RateLimitStoreUnavailable>()(
  "RateLimitStoreUnavailable",
  {
    cause: Schema.declare(Cause.isCause)
  }
) {}

/** Counts one request of `subject` in the window that starts at `windowMs`. Returns the count with this request. */
type CountRequest<E> = (subject: string, windowMs: number) => Effect.Effect<number, E>

/** The same in this process, without waiting. */
type CountLocally = (subject: string, windowMs: number) => number

/** Keeps a value for the current window. Each window starts with a new one. */
const perWindow = <A>(make: () => A): ((windowMs: number) => A) => {
  let currentMs = 0
  let kept = make()
  return (windowMs) => {
    if (windowMs !== currentMs) {
      currentMs = windowMs
      kept = make()
    }
    return kept
  }
}

/** 32-bit FNV-1a. Chooses the shared counter of a subject. */
const fnv1a = (text: string): number => {
  let value = 0x81_1c_9d_c5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01_00_01_93)
  return value >>> 0
}

/**
 * Counts the requests of one window in this process, in bounded memory. Subjects beyond `subjectsMax` share counters. A shared count is
 * never below the subject's real count: a flood of addresses can cost a new address some of its requests, but gives no address more than
 * the limit.
 */
export const countInMemory = (subjectsMax = rateSubjectsMax): CountLocally => {
  const countsOfWindow = perWindow(() => ({ exact: new Map<string, number>(), shared: new Uint32Array(0) }))
  return (subject, windowMs) => {
    const counts = countsOfWindow(windowMs)
    const before = counts.exact.get(subject)
    if (before !== undefined || counts.exact.size < subjectsMax) {
      counts.exact.set(subject, (before ?? 0) + 1)
      return (before ?? 0) + 1
    }
    if (counts.shared.length === 0) counts.shared = new Uint32Array(rateSharedCounters)
    const at = fnv1a(subject) % rateSharedCounters
    return (counts.shared[at] = (counts.shared[at] ?? 0) + 1)
  }
}

interface CountedRequest {
  readonly subject: string
  readonly windowMs: number
}

/** Counts requests without waiting for the store. The next statement sends the counts that the store does not have yet. */
export const makeLocalRateCounter = () => {
  let window = 0
  /** By subject: the last count from the store, and the requests that the store has not counted yet. */
  const countsOfWindow = perWindow(() => ({
    stored: new Map<string, number>(),
    unsent: new Map<string, number>()
  }))

  /** The count including this request, as far as this process knows. Subjects beyond `countBatchMax` are not sent to the store. */
  const add = (subject: string, windowMs: number): number => {
    window = windowMs
    const { stored, unsent } = countsOfWindow(windowMs)
    const requests = (unsent.get(subject) ?? 0) + 1
    if (requests > 1 || unsent.size < countBatchMax) unsent.set(subject, requests)
    return (stored.get(subject) ?? 0) + requests
  }

  /** Returns the counts for the next statement. They are lost if it fails, but they belong only to refused requests. */
  const takeUnsent = (): ReadonlyArray<CountedRequest & { readonly requests: number }> => {
    const { stored, unsent } = countsOfWindow(window)
    const taken = [...unsent].map(([subject, requests]) => ({ subject, windowMs: window, requests }))
    for (const { requests, subject } of taken)
      setStored(subject, window, (stored.get(subject) ?? 0) + requests)
    unsent.clear()
    return taken
  }

  const setStored = (subject: string, windowMs: number, requests: number): void => {
    // A late answer to a statement of the previous window, which is over.
    if (windowMs < window) return
    window = windowMs
    const { stored } = countsOfWindow(windowMs)
    if (stored.has(subject) || stored.size < rateSubjectsMax) stored.set(subject, requests)
  }

  return { add, takeUnsent, setStored }
}

export interface CountRow {
  readonly subject: string
  readonly window_ms: number
  readonly requests: number
}

const keyOf = (windowMs: number, subject: string): string => `${windowMs} ${subject}`

/** The count of each request. The last request of a subject gets the returned total, the one before it one less, and so on. */
const countsOf = (
  requests: ReadonlyArray<CountedRequest>,
  rows: ReadonlyArray<CountRow>
): ReadonlyArray<number> => {
  const totals = new Map(rows.map((row) => [keyOf(row.window_ms, row.subject), row.requests]))
  return requests
    .toReversed()
    .map(({ subject, windowMs }) => {
      const key = keyOf(windowMs, subject)
      const total = totals.get(key) ?? 0
      totals.set(key, total - 1)
      return total
    })
    .toReversed()
}

/** Counts requests in PostgreSQL: exactly across replicas, and concurrent requests in one statement. */
const countInPostgres = Effect.gen(function* () {
  const sql = yield* ControlSql
  const local = makeLocalRateCounter()

  /** The statement sorts the subjects, so that two replicas cannot deadlock on each other's rows. */
  const countTogether = yield* makeBatchedStatement({
    name: "count_requests",
    batchMax: countBatchMax,
    inFlightMax: 1,
    tenantOf: ({ subject }: CountedRequest) => subject,
    run: (batch: ReadonlyArray<CountedRequest>) => {
      const unsent = local.takeUnsent()
      const windows = [...batch, ...unsent].map(({ windowMs }) => windowMs)
      const subjects = [...batch, ...unsent].map(({ subject }) => subject)
      const requests = [...batch.map(() => 1), ...unsent.map(({ requests }) => requests)]
      return Effect.map(
        sql<CountRow>`
          INSERT INTO rate_limits AS counted (window_ms, subject, requests)
          SELECT window_ms, subject, sum(requests)::int
          FROM unnest(${windows}::bigint[], ${subjects}::text[], ${requests}::int[]) AS spent (window_ms, subject, requests)
          GROUP BY window_ms, subject ORDER BY window_ms, subject
          ON CONFLICT (window_ms, subject) DO UPDATE SET requests = counted.requests + excluded.requests
          RETURNING subject, window_ms::float8, requests`,
        (rows) => {
          for (const row of rows) local.setStored(row.subject, row.window_ms, row.requests)
          return countsOf(batch, rows)
        }
      )
    }
  })

  const nowMs = sql.literal("(extract(epoch FROM now()) * 1000)::bigint")
  const deleteOldWindows = sql`DELETE FROM rate_limits WHERE window_ms < ${nowMs} - ${2 * rateWindowMs}::bigint`
  yield* deleteOldWindows.pipe(
    Effect.catchCause((cause) =>
      Effect.logWarning("old rate limit windows could not be deleted", describeCause(cause))
    ),
    Effect.repeat(Schedule.spaced(rateWindowMs)),
    Effect.forkScoped
  )

  const count: CountRequest<RateLimitStoreUnavailable> = (subject, windowMs) =>
    // The driver reports some lost connections as defects, so every cause refuses the request.
    Effect.catchCause(countTogether({ subject, windowMs }), (cause) =>
      Effect.fail(new RateLimitStoreUnavailable({ cause }))
    )
  // Uses the local counter for requests that are refused whatever their count is. The next statement sends them.
  return { count, countRefused: local.add }
})

/** A subject's state in the current window after a request, as shown in the rate limit headers. */
export interface RateWindow {
  readonly limit: number
  readonly remaining: number
  /** The end of the window, in Unix seconds. */
  readonly resetSeconds: number
  /** Whole seconds until the end, at least 1. */
  readonly retryAfterSeconds: number
  /** Whether this request exceeded the limit. */
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

type Spend<E> = (subject: string, limit: number) => Effect.Effect<RateWindow, E>

const spendWith =
  <E>(count: CountRequest<E>): Spend<E> =>
  (subject, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.map(count(subject, startOf(nowMs)), (counted) => windowAt(nowMs, limit, counted))
    )

const inProcess =
  (count: CountLocally): CountRequest<never> =>
  (subject, windowMs) =>
    Effect.sync(() => count(subject, windowMs))

/** Remembers addresses that have used up the window, which costs no statement: within a window, a count only grows. */
const rememberExhausted = <E>(spend: Spend<E>) => {
  const exhaustedIn = perWindow(() => new Set<string>())

  const exhaustedAddress = (address: string, limit: number, nowMs: number): RateWindow | null =>
    exhaustedIn(startOf(nowMs)).has(address) ? windowAt(nowMs, limit, limit + 1) : null

  const spendAddress: Spend<E> = (address, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const known = exhaustedAddress(address, limit, nowMs)
      if (known !== null) return Effect.succeed(known)
      const exhausted = exhaustedIn(startOf(nowMs))
      return Effect.map(spend(address, limit), (window) => {
        const isOfSame = window.resetSeconds * 1_000 === startOf(nowMs) + rateWindowMs
        if (window.exceeded && isOfSame && exhausted.size < rateSubjectsMax) exhausted.add(address)
        return window
      })
    })

  return { exhaustedAddress, spendAddress }
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of a key that may make `limit` requests per window. */
    readonly spendKey: Spend<RateLimitStoreUnavailable>
    /** Counts one request of a key that is refused anyway. It counts like any other, but without waiting for the store. */
    readonly spendRefused: (keyId: string, limit: number, nowMs: number) => RateWindow
    /** Counts one request of a client without a valid key. */
    readonly spendAddress: Spend<RateLimitStoreUnavailable>
    /** The window of an address that has used it up as far as this process knows; otherwise null. Neither counts nor waits. */
    readonly exhaustedAddress: (address: string, limit: number, nowMs: number) => RateWindow | null
  }
>()("action-risk/storage/RateLimits") {
  // Two counters, so that no number of addresses can push keys onto shared counters.
  static readonly layerMemory = Layer.sync(RateLimits, () => {
    const countKey = countInMemory()
    return {
      spendKey: spendWith(inProcess(countKey)),
      spendRefused: (keyId, limit, nowMs) => windowAt(nowMs, limit, countKey(keyId, startOf(nowMs))),
      ...rememberExhausted(spendWith(inProcess(countInMemory())))
    }
  })

  static readonly layerPostgres = Layer.effect(
    RateLimits,
    Effect.map(countInPostgres, ({ count, countRefused }) => {
      const spend = spendWith(count)
      const spendHere = spendWith(inProcess(countInMemory()))
      const warn = makeFaultLog(Effect.logWarning)
      return {
        spendKey: (keyId, limit) => spend(`key ${keyId}`, limit),
        spendRefused: (keyId, limit, nowMs) =>
          windowAt(nowMs, limit, countRefused(`key ${keyId}`, startOf(nowMs))),
        // Spec 4.4: the status is served whatever the health. Without the store each process counts addresses itself, so that requests
        // without a key are still answered, and still limited.
        ...rememberExhausted((address, limit) =>
          Effect.catchTag(spend(`address ${address}`, limit), "RateLimitStoreUnavailable", ({ cause }) =>
            Effect.andThen(
              warn("each process now counts addresses separately", cause),
              spendHere(address, limit)
            )
          )
        )
      }
    })
  )
}
