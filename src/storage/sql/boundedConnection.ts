/** A connection whose every statement ends in bounded time, also when the server never answers. */

import type { PgConnection } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { statementAnswerMs } from "../../Limits.ts"
import type { Bounded } from "./makeBounded.ts"

/** `discard` takes the connection out of its pool: after a statement that was given up on, and after its loss. */
export const boundedConnection = (
  connection: PgConnection.PgConnection,
  within: Bounded,
  discard: () => void
): SqlConnection.Connection => {
  let lost = false
  const lose = () => {
    lost = true
    discard()
  }
  const bound = { ms: statementAnswerMs, silent: noAnswer, onLeft: lose }
  const bounded = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.tapError(within(statement, bound), (error) =>
      isConnectionLoss(error) ? Effect.sync(lose) : Effect.void
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
