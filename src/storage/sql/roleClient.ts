/** A pooled SqlClient that logs in as the owner and works as one role on one schema, with a bound on every wait. */

import { PgClient, PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, type Redacted, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import {
  acquireMs,
  idleInTransactionMs,
  keepAliveProbeMs,
  lockWaitMs,
  poolConnectMs,
  statementMs
} from "../../Limits.ts"
import { boundedConnection } from "./boundedConnection.ts"
import { makeBounded } from "./makeBounded.ts"
import { measurePool } from "./measurePool.ts"

export interface RoleClientOptions {
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
  const within = yield* makeBounded
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
