/** A pooled SqlClient that works as one role on one schema, with a bound on every wait. */

import { PgClient, PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Exit, type Redacted, Scope, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import {
  acquireMs,
  idleInTransactionMs,
  keepAliveProbeMs,
  lockWaitMs,
  poolConnectMs,
  statementAnswerMs,
  statementMs
} from "../../limits.ts"
import { registerGauge } from "../../metrics.ts"
import { type BoundedRunner, makeBoundedRunner } from "../timeouts.ts"

interface RoleClientOptions {
  readonly url: Redacted.Redacted
  readonly role: string
  readonly schema: string
  /** What its pool is called by metrics and by the server; the schema's name where left out. */
  readonly name?: string
  readonly connectionsMax: number
}

/** Opens no connection before the first statement, so that a process outlives and outwaits its database. */
export const roleClient = Effect.fnUntraced(function* (
  options: RoleClientOptions
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> {
  const name = options.name ?? options.schema
  const pool = yield* PgPool.make({
    url: options.url,
    maxConnections: options.connectionsMax,
    connectTimeout: poolConnectMs,
    keepAlive: keepAliveProbeMs,
    applicationName: `action-risk ${name}`,
    startupParameters: {
      // Invariant: no statement of this client runs before the role is taken, and `RESET ROLE` comes back to it.
      role: options.role,
      search_path: options.schema,
      // A plan outlives the moment it was made at. Made while a table was small it would read all of it for ever.
      enable_seqscan: "off",
      // Every statement is planned once, for any values: to plan the larger ones takes longer than to run them.
      plan_cache_mode: "force_generic_plan",
      // Nothing here runs long enough to be worth compiling.
      jit: "off",
      statement_timeout: String(statementMs),
      lock_timeout: String(lockWaitMs),
      idle_in_transaction_session_timeout: String(idleInTransactionMs),
      timezone: "UTC"
    }
  })
  const measured = yield* measurePool(name)
  const within = yield* makeBoundedRunner
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const lease = (get: PgPool.PgPool["get"]) =>
    Effect.map(
      measured(
        Effect.flatMap(Effect.scope, (scope) =>
          within(Scope.provide(get, scope), { ms: acquireMs, silent: poolBusy })
        )
      ),
      (connection) => boundedConnection(connection, within, () => fork(pool.invalidate(connection)))
    )
  return yield* SqlClient.make({
    acquirer: lease(pool.get),
    transactionAcquirer: lease(pool.reserve),
    compiler: PgClient.makeCompiler(),
    driver: "@effect/sql-pg",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    commit,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ["db.namespace", options.schema]
    ]
  }).pipe(Effect.provide(Reactivity.layer))
})

/** PostgreSQL answers COMMIT with ROLLBACK where a statement of the transaction had failed. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error("the transaction had failed and was rolled back"),
              message: "the transaction had failed and was rolled back",
              operation: "commit"
            })
          })
        )
      : Effect.void
  )

const poolBusy = () =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(`no free connection within ${acquireMs} ms`),
      message: `no free connection within ${acquireMs} ms`,
      operation: "acquire"
    })
  })

/**
 * A connection whose every statement ends in bounded time, also when the server never answers.
 * `discard` takes the connection out of its pool: after a statement that was given up on, and after its loss.
 */
const boundedConnection = (
  connection: PgConnection.PgConnection,
  within: BoundedRunner,
  discard: () => void
): SqlConnection.Connection => {
  let lost = false
  const lose = () => {
    lost = true
    discard()
  }
  const bound = { ms: statementAnswerMs, silent: statementTimeout, onLeft: lose }
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

const statementTimeout = () =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({
      cause: new Error(`no answer from the database within ${statementAnswerMs} ms`),
      message: `no answer from the database within ${statementAnswerMs} ms`,
      operation: "query"
    })
  })

/**
 * Counts who holds a connection of a pool and who waits for one.
 * What it gives wraps an acquisition; the connection counts as used until the scope of the acquisition closes.
 */
export const measurePool = Effect.fnUntraced(function* (name: string) {
  const now = { used: 0, waiting: 0 }
  const pool = { "db.client.connection.pool.name": name }
  yield* registerGauge(
    "db.client.connection.count",
    "Connections in use.",
    { ...pool, "db.client.connection.state": "used" },
    () => now.used
  )
  yield* registerGauge(
    "db.client.connection.pending_requests",
    "Statements that wait for a free connection.",
    pool,
    () => now.waiting
  )
  return <A, E, R>(acquire: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) => {
      now.waiting += 1
      return Effect.onExit(restore(acquire), (exit) => {
        now.waiting -= 1
        if (Exit.isFailure(exit)) return Effect.void
        now.used += 1
        return Effect.addFinalizer(() => Effect.sync(() => (now.used -= 1)))
      })
    })
})
