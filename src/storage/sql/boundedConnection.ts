/** A connection whose every statement ends in bounded time, also when the server never answers. */

import type { PgConnection } from "@effect/sql-pg"
import { Effect, Fiber, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { statementAnswerMs } from "../../Limits.ts"

/**
 * `discard` takes the connection out of its pool. A statement that is given up on goes on in the background until the
 * driver's own cancellation ends it, so that nobody waits for that: a black-holed socket answers no cancellation.
 */
export const boundedConnection = (
  connection: PgConnection.PgConnection,
  discard: Effect.Effect<void>
): SqlConnection.Connection => {
  let lost = false
  const lose = Effect.suspend(() => {
    lost = true
    return discard
  })
  const bounded = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        Effect.forkDetach(Effect.interruptible(statement), { startImmediately: true }),
        (fiber) => {
          const abandon = Effect.andThen(Effect.forkDetach(Fiber.interrupt(fiber)), lose)
          const answer = Effect.timeoutOrElse(Fiber.join(fiber), {
            duration: statementAnswerMs,
            orElse: () => Effect.andThen(abandon, Effect.fail(noAnswer()))
          })
          return restore(answer).pipe(
            Effect.onInterrupt(() => abandon),
            Effect.tapError((error) => (isConnectionLoss(error) ? lose : Effect.void))
          )
        }
      )
    )
  const run = (sql: string, params: ReadonlyArray<unknown>, prepare = true) => {
    const rows = Effect.suspend(() => bounded(connection.query(sql, params, prepare))).pipe(
      Effect.map((result) => result.rows)
    )
    if (!/^(ROLLBACK|RELEASE)/.test(sql)) return rows
    // A lost connection has rolled back by itself. Without this the rollback's failure would be a defect that hides
    // the failure which led to it.
    return Effect.suspend(() => (lost ? Effect.succeed([]) : rows)).pipe(
      Effect.catch((error) => (lost ? Effect.succeed([]) : Effect.fail(error)))
    )
  }
  return {
    execute: (sql, params) => run(sql, params),
    executeRaw: (sql, params) => bounded(connection.query(sql, params)),
    executeUnprepared: (sql, params) => run(sql, params, false),
    executeValues: (sql, params) => bounded(connection.queryValues(sql, params)),
    executeValuesUnprepared: (sql, params) => bounded(connection.queryValues(sql, params, false)),
    executeStream: (sql, params) => Stream.suspend(() => connection.stream(sql, params))
  }
}

const isConnectionLoss = (error: SqlError.SqlError): boolean => error.reason._tag === "ConnectionError"

const noAnswer = () =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({
      cause: new Error(`no answer from the database within ${statementAnswerMs} ms`),
      message: `no answer from the database within ${statementAnswerMs} ms`,
      operation: "query"
    })
  })
