/** Counts requests of one window in PostgreSQL: exact across replicas, concurrent requests in one statement. */

import { Effect, Schedule } from "effect"
import { countedTogetherMax, rateWindowMs, sharedWaitingMax } from "../../Limits.ts"
import { describeCause } from "../describeCause.ts"
import { groupedStatement } from "../groupedStatement.ts"
import { ControlSql } from "../Sql.ts"
import { type Count, type CountHere, RateLimitsAway } from "./Count.ts"
import { makeTab } from "./makeTab.ts"

interface Spending {
  readonly subject: string
  readonly windowMs: number
}

interface Row {
  readonly subject: string
  readonly window_ms: number
  readonly requests: number
}

const keyOf = (windowMs: number, subject: string): string => `${windowMs} ${subject}`

/** The last of n requests of a subject takes the returned total, the one before it one less, and so on. */
const countsOf = (spendings: ReadonlyArray<Spending>, rows: ReadonlyArray<Row>): ReadonlyArray<number> => {
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

export const countInPostgres = Effect.gen(function* () {
  const sql = yield* ControlSql
  const tab = makeTab()

  /** Subjects in one order everywhere, so that two replicas never deadlock on each other's rows. */
  const spend = yield* groupedStatement({
    name: "count_requests",
    batchMax: countedTogetherMax,
    lanes: 1,
    waitingMax: sharedWaitingMax,
    run: (spendings: ReadonlyArray<Spending>) => {
      const owed = tab.take()
      const windows = [...spendings, ...owed].map(({ windowMs }) => windowMs)
      const subjects = [...spendings, ...owed].map(({ subject }) => subject)
      const requests = [...spendings.map(() => 1), ...owed.map(({ requests }) => requests)]
      return Effect.map(
        sql<Row>`
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

  const count: Count = (subject, windowMs) =>
    // A connection that dies is a defect of the driver: every cause refuses, none is lost.
    Effect.catchCause(spend({ subject, windowMs }), (cause) => Effect.fail(new RateLimitsAway({ cause })))
  /** What is refused whatever its count goes with the next statement. */
  const countRefused: CountHere = tab.add
  return { count, countRefused }
})
