/** A session per process that marks the embedded server as in use, so that the last process can stop the server. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Queue, Schema, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { databaseConnectMs } from "../../limits.ts"
import { databaseSchemas, roleOf } from "../Database.ts"
import { decodeRows } from "../sql/rows.ts"
import type { Cluster } from "./Cluster.ts"

export interface Session {
  readonly socketFolder: string
  /** Tries to become the only `serve` process on the cluster. False if there is another one. */
  readonly claimServing: Effect.Effect<boolean, SqlError.SqlError>
  /** Completes when the server goes away. */
  readonly lost: Effect.Effect<void>
  /** Ends the use of the server. True if no other process uses it; new processes then wait until it has stopped. */
  readonly leave: Effect.Effect<boolean, SqlError.SqlError>
  readonly close: Effect.Effect<void>
}

/** The first key of advisory locks. The second key: 1 for using the server (shared), 2 for serving, 3 for creating roles. */
const lockSpace = 0x6172

/** Null if the answering server is stopping or belongs to another cluster. */
export const openSession = Effect.fnUntraced(function* (cluster: Cluster, socketFolder: string) {
  const scope = yield* Scope.make()
  const close = Scope.close(scope, Exit.void)
  const client = yield* PgClient.makeClient({
    path: `${socketFolder}/.s.PGSQL.5432`,
    username: "action_risk",
    database: "postgres",
    connectTimeout: databaseConnectMs,
    applicationName: "action-risk session",
    startupParameters: { statement_timeout: String(databaseConnectMs) }
  }).pipe(
    Effect.provide(Reactivity.layer),
    Scope.provide(scope),
    Effect.onError(() => close)
  )
  const joined = yield* joinServer(client, cluster).pipe(
    Effect.tap((joined) => Effect.when(ensureRoleLogins(client), Effect.succeed(joined))),
    Effect.onError(() => close)
  )
  if (!joined) {
    yield* close
    return null
  }
  return {
    socketFolder,
    claimServing: queryBoolean(client`SELECT pg_try_advisory_lock(${lockSpace}::int, 2) AS yes`),
    lost: waitForLoss(client),
    leave: leave(client),
    close
  } satisfies Session
})

/** Whether a process is serving on the cluster to which the client is connected. */
export const isServed = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  queryBoolean(sql`
    SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockSpace}::int AND objid = 2 AND granted
    ) AS yes
  `)

const decodeYes = decodeRows(Schema.Struct({ yes: Schema.Boolean }))

const queryBoolean = (statement: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>) =>
  Effect.map(decodeYes(statement), ([row]) => row?.yes === true)

const joinServer = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, cluster: Cluster) {
  const ours = yield* queryBoolean(sql`SELECT current_setting('data_directory') = ${cluster.folder} AS yes`)
  return ours && (yield* queryBoolean(sql`SELECT pg_try_advisory_lock_shared(${lockSpace}::int, 1) AS yes`))
})

/** Every role gets a login, because a session that logged in as a role cannot become the owner. */
const ensureRoleLogins = (sql: SqlClient.SqlClient) =>
  sql`
    DO ${sql.literal(`$$
      DECLARE role text;
      BEGIN
        PERFORM pg_advisory_xact_lock(${lockSpace}, 3);
        FOREACH role IN ARRAY ARRAY[${databaseSchemas.map((schema) => `'${roleOf(schema)}'`).join(", ")}] LOOP
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', role);
          ELSIF NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('ALTER ROLE %I LOGIN', role);
          END IF;
        END LOOP;
      END
    $$`)}
  `

const leave = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`SELECT pg_advisory_unlock_shared(${lockSpace}::int, 1)`
  return yield* queryBoolean(sql`SELECT pg_try_advisory_lock(${lockSpace}::int, 1) AS yes`)
})

/** Completes when the connection is lost, because a listener's queue then fails. Nothing is ever sent on the channel. */
const waitForLoss = (client: PgClient.PgClient) =>
  client.listen("action_risk_session").pipe(
    Effect.flatMap((queue) => Effect.forever(Queue.take(queue))),
    Effect.scoped,
    Effect.ignore
  )
