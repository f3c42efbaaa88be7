/** Counts requests of one window in PostgreSQL: exact across replicas, concurrent requests in one statement. */

import { type Cause, Deferred, Effect, Schedule } from "effect"
import { rateWindowMs } from "../../Limits.ts"
import { type Count, RateLimitsAway } from "./Count.ts"
import { describeCause } from "../describeCause.ts"
import { ControlSql } from "../Sql.ts"

type Waiter = Deferred.Deferred<number, RateLimitsAway>
/** Waiting requests of one window, by subject, in the order of arrival. */
type Batch = Map<string, Array<Waiter>>

interface Row {
  readonly subject: string
  readonly requests: number
}

export const countInPostgres = Effect.gen(function* () {
  const sql = yield* ControlSql
  const scope = yield* Effect.scope
  const waiting = new Map<number, Batch>()
  let flushing = false

  /** Subjects in one order everywhere, so that two replicas never deadlock on each other's rows. */
  const upsert = (windowMs: number, batch: Batch) => {
    const subjects = [...batch.keys()].toSorted()
    const requests = subjects.map((subject) => batch.get(subject)?.length ?? 0)
    return sql<Row>`
      INSERT INTO rate_limits AS counted (window_ms, subject, requests)
      SELECT ${windowMs}::bigint, subject, requests
      FROM unnest(${subjects}::text[], ${requests}::int[]) AS spent (subject, requests)
      ON CONFLICT (window_ms, subject) DO UPDATE SET requests = counted.requests + excluded.requests
      RETURNING subject, requests`
  }

  /** The last of n waiters takes the returned total, the one before it one less, and so on. */
  const settle = (batch: Batch, rows: ReadonlyArray<Row>) =>
    Effect.sync(() => {
      for (const { subject, requests } of rows) {
        const waiters = batch.get(subject) ?? []
        waiters.forEach((waiter, i) =>
          Deferred.doneUnsafe(waiter, Effect.succeed(requests - waiters.length + 1 + i))
        )
      }
    })

  const refuse = (batch: Batch, cause: Cause.Cause<unknown>) =>
    Effect.sync(() => {
      const away = Effect.fail(new RateLimitsAway({ cause }))
      for (const waiters of batch.values()) for (const waiter of waiters) Deferred.doneUnsafe(waiter, away)
    })

  /** Flushes until nobody waits; requests that arrive meanwhile form the next batch. */
  const flush = Effect.gen(function* () {
    for (;;) {
      const next = waiting.entries().next().value
      if (next === undefined) break
      const [windowMs, batch] = next
      waiting.delete(windowMs)
      // A connection that dies is a defect of the driver: every cause refuses, none is lost.
      yield* upsert(windowMs, batch).pipe(
        Effect.flatMap((rows) => settle(batch, rows)),
        Effect.catchCause((cause) => refuse(batch, cause))
      )
    }
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        flushing = false
      })
    )
  )

  const nowMs = sql.literal("(extract(epoch FROM now()) * 1000)::bigint")
  const forget = sql`DELETE FROM rate_limits WHERE window_ms < ${nowMs} - ${2 * rateWindowMs}::bigint`
  yield* forget.pipe(
    Effect.catchCause((cause) =>
      Effect.logWarning("old rate limit windows could not be deleted", describeCause(cause))
    ),
    Effect.repeat(Schedule.spaced(rateWindowMs)),
    Effect.forkIn(scope)
  )

  const count: Count = Effect.fnUntraced(function* (subject, windowMs) {
    const waiter = Deferred.makeUnsafe<number, RateLimitsAway>()
    const batch: Batch = waiting.get(windowMs) ?? new Map()
    batch.set(subject, [...(batch.get(subject) ?? []), waiter])
    waiting.set(windowMs, batch)
    if (!flushing) {
      flushing = true
      // In the layer's scope: a client that leaves must not take the others' counts with it.
      yield* Effect.forkIn(flush, scope)
    }
    return yield* Deferred.await(waiter)
  })
  return count
})
