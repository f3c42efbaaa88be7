/** A pooled SqlClient that uses one role on one schema, with a timeout on every wait. */

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
import type { PrimaryServer } from "../Database.ts"
import { classifyDatabaseFailure, sqlState } from "../storageErrors.ts"
import { type BoundedRunner, makeBoundedRunner, ownSqlError } from "../timeouts.ts"

interface RoleClientOptions {
  readonly url: Redacted.Redacted
  readonly role: string
  readonly schema: string
  /** The name of the pool in metrics and in `pg_stat_activity`. Default: the schema's name. */
  readonly name?: string
  readonly connectionsMax: number
  /** Set if `url` may name several servers: connections go to this one. */
  readonly primary?: PrimaryServer | undefined
  /** Whether the schema is on a different server than the one to which connections go. */
  readonly distributed?: boolean
}

/** Opens no connection before the first statement, so that a process can start before its database and survive its loss. */
export const roleClient = Effect.fnUntraced(function* (
  options: RoleClientOptions
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> {
  const name = options.name ?? options.schema
  const { current, noteFailure, primaryUrl } = followPrimary(options)
  const pool = yield* PgPool.make({
    // Read for each connection that the pool opens.
    get url() {
      return primaryUrl()
    },
    maxConnections: options.connectionsMax,
    connectTimeout: poolConnectMs,
    keepAlive: keepAliveProbeMs,
    applicationName: `action-risk ${name}`,
    startupParameters: {
      // Invariant: the role is taken before any statement of this client runs, and `RESET ROLE` returns to it.
      role: options.role,
      search_path: options.schema,
      // Prepared plans are kept. A plan made while a table was small would read the whole table forever.
      enable_seqscan: "off",
      // Every statement is planned once, for any values: planning the larger ones takes longer than running them.
      ...(options.distributed === true ? distributedParameters : { plan_cache_mode: "force_generic_plan" }),
      // No statement runs long enough for compilation to pay off.
      jit: "off",
      statement_timeout: String(statementMs),
      lock_timeout: String(lockWaitMs),
      idle_in_transaction_session_timeout: String(idleInTransactionMs),
      timezone: "UTC",
      datestyle: "ISO"
    }
  })
  const { borrower, lease } = yield* makeLending(name, pool, noteFailure)
  const get = current(pool)
  return yield* SqlClient.make({
    acquirer: lease(get),
    // With several servers, a connection to the former primary must be detected before it is used.
    borrower: options.primary === undefined ? borrower : undefined,
    transactionAcquirer: lease(Effect.flatMap(get, (connection) => connection.pin)),
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

/**
 * Only with these settings can Citus plan statements with common table expressions that insert, and pass transaction settings to the server
 * of the rows. Every statement is then planned for its actual values.
 */
export const distributedParameters = {
  plan_cache_mode: "auto",
  "citus.propagate_set_commands": "local"
}

/** The two ways in which a pool lends a connection: `lease` until a scope closes, and `borrower` for one statement. */
const makeLending = Effect.fnUntraced(function* (
  name: string,
  pool: PgPool.PgPool,
  noteFailure: (error: SqlError.SqlError) => Effect.Effect<void>
) {
  const measured = yield* measurePool(name)
  const runBounded = yield* makeBoundedRunner
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const acquireBound = { ms: acquireMs, timeoutError: poolBusy }
  const toBounded = (connection: PgConnection.PgConnection) =>
    boundedConnection(connection, runBounded, noteFailure, () => fork(pool.invalidate(connection)))

  const lease = (get: PgPool.PgPool["get"]) =>
    Effect.map(
      measured.acquire(
        Effect.flatMap(Effect.scope, (scope) => runBounded(Scope.provide(get, scope), acquireBound))
      ),
      toBounded
    ).pipe(Effect.tapError(noteFailure))

  /** Without a scope, which would cost a single request about a tenth. The statement has its own timeout. */
  const borrower: SqlConnection.Borrower = <A, E, R>(
    use: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>
  ) =>
    Effect.flatMap(Effect.context<R>(), (context) =>
      runBounded.until(
        (reached) =>
          measured.use((onAcquired) =>
            pool.use((connection) => {
              reached()
              onAcquired()
              return Effect.provideContext(use(toBounded(connection)), context)
            })
          ),
        acquireBound
      )
    )

  return { borrower, lease }
})

/** Fails if a statement in the transaction had failed: PostgreSQL then answers COMMIT with ROLLBACK. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          ownSqlError(SqlError.UnknownError, "commit", "the transaction had failed and was rolled back")
        )
      : Effect.void
  )

const poolBusy = () =>
  ownSqlError(SqlError.ConnectionError, "acquire", `no free connection within ${acquireMs} ms`)

/** A connection whose statements all have a timeout, even if the server never answers. `discard` removes it from its pool once one is lost. */
const boundedConnection = (
  connection: PgConnection.PgConnection,
  runBounded: BoundedRunner,
  noteFailure: (error: SqlError.SqlError) => Effect.Effect<void>,
  discard: () => void
): SqlConnection.Connection => {
  let lost = false
  const giveUpConnection = () => {
    lost = true
    discard()
  }
  const bound = { ms: statementAnswerMs, timeoutError: statementTimeout, onAbandoned: giveUpConnection }
  const bounded = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.tapError(runBounded(statement, bound), (error) => {
      if (error.reason._tag === "ConnectionError" || isReadOnly(error)) giveUpConnection()
      return noteFailure(error)
    })
  const run = (sql: string, params: ReadonlyArray<unknown>, prepare = true) => {
    const rows = Effect.suspend(() => bounded(connection.query(sql, params, prepare))).pipe(
      Effect.map((result) => result.rows)
    )
    if (!/^(ROLLBACK|RELEASE)/.test(sql)) return rows
    // If a connection is lost, the server rolls back by itself. Otherwise the failed rollback would be a defect that hides the original
    // failure.
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

/** A standby, or a primary that was demoted in the meantime. */
const isReadOnly = (error: SqlError.SqlError): boolean => sqlState(error) === "25006"

/** The parts of a client that follow the primary among several servers. With a single server they do nothing. */
const followPrimary = ({ primary, url }: RoleClientOptions) => {
  if (primary === undefined) {
    return {
      primaryUrl: () => url,
      noteFailure: () => Effect.void,
      current: (pool: PgPool.PgPool) => pool.get
    }
  }
  const placeOf = new WeakMap<PgConnection.PgConnection, number>()
  const isOfEarlierPrimary = (connection: PgConnection.PgConnection): boolean => {
    const place = placeOf.get(connection)
    if (place === undefined) placeOf.set(connection, primary.place())
    return place !== undefined && place !== primary.place()
  }
  return {
    primaryUrl: () => primary.urlIn(url),
    noteFailure: (error: SqlError.SqlError) =>
      Effect.sync(() => {
        if (isReadOnly(error) || classifyDatabaseFailure(error) === "unavailable") primary.searchAgain()
      }),
    /** A connection to the current primary. Connections to the former one, which may still answer, are closed. */
    current: (pool: PgPool.PgPool): PgPool.PgPool["get"] => {
      const next: PgPool.PgPool["get"] = Effect.flatMap(pool.get, (connection) =>
        isOfEarlierPrimary(connection)
          ? Effect.andThen(pool.invalidate(connection), next)
          : Effect.succeed(connection)
      )
      return next
    }
  }
}

const statementTimeout = () =>
  ownSqlError(
    SqlError.StatementTimeoutError,
    "query",
    `no answer from the database within ${statementAnswerMs} ms`
  )

/** Registers the metrics of a pool. `acquire`: the connection is in use until its scope closes. `use`: until the work ends. */
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
    "Statements waiting for a free connection.",
    pool,
    () => now.waiting
  )
  const begin = () => {
    let state: keyof typeof now = "waiting"
    now.waiting += 1
    return {
      acquired: () => {
        now.waiting -= 1
        state = "used"
        now.used += 1
      },
      end: Effect.sync(() => (now[state] -= 1))
    }
  }

  const acquire = <A, E, R>(acquisition: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) => {
      const { acquired, end } = begin()
      return Effect.onExit(restore(acquisition), (exit) => {
        if (Exit.isFailure(exit)) return end
        acquired()
        return Effect.addFinalizer(() => end)
      })
    })

  const use = <A, E, R>(using: (onAcquired: () => void) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const { acquired, end } = begin()
      return Effect.ensuring(using(acquired), end)
    })

  return { acquire, use }
})
