/** Brings the database's schema up to this release, once, however many processes start at the same moment. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Migrator, SqlClient } from "effect/sql"
import { databaseConnectMs, migrationLockMs, migrationMs } from "../Limits.ts"
import { Database } from "./Database.ts"
import { DatabaseProblem } from "./DatabaseProblem.ts"
import { migrations } from "./migrations.ts"
import { sqlState } from "./SqlState.ts"

export interface AppliedMigration {
  readonly id: number
  readonly name: string
}

const inOrder = Object.entries(migrations).map(([file, migration]): Migrator.ResolvedMigration => {
  const [id = "", ...name] = file.split("_")
  return [Number(id), name.join("_"), Effect.succeed(migration)]
})

/** The number of the newest migration of this release. */
export const schemaVersion = Math.max(...inOrder.map(([id]) => id))

/** Applies what is missing up to `version`, each whole or not at all, and says what that was. */
export const migrate = Effect.fn("migrate")(function* (
  url: Redacted.Redacted,
  version: number = schemaVersion
): Effect.fn.Return<ReadonlyArray<AppliedMigration>, DatabaseProblem> {
  const applied = yield* Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({
      url,
      connectTimeout: databaseConnectMs,
      applicationName: "action-risk migrate",
      startupParameters: { statement_timeout: String(migrationMs), timezone: "UTC" }
    })
    return yield* applyAll(version).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.mapError(problemOf))
  return applied.map(([id, name]) => ({ id, name }))
})

/** Nothing below works before the schema is there. */
export const migrated = Layer.effectDiscard(Effect.flatMap(Database, ({ url }) => migrate(url)))

/**
 * Each in a transaction of its own. In one for all of them the tables that the first has changed would be kept from
 * everybody until the last is done, and a replica that writes meanwhile would deadlock with it.
 */
const applyAll = Effect.fnUntraced(function* (version: number) {
  const sql = yield* SqlClient.SqlClient
  const applied: Array<readonly [id: number, name: string]> = []
  for (;;) {
    const next = yield* sql.withTransaction(applyNext(version))
    if (next.length === 0) return applied
    applied.push(...next)
  }
})

const applyNext = Effect.fnUntraced(function* (version: number) {
  const sql = yield* SqlClient.SqlClient
  // Held to the end of the transaction. The migrator's own lock is on a table that the first process has yet to make.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('action-risk migrations'))`
  yield* sql`CREATE SCHEMA IF NOT EXISTS control`
  // Whoever asks for a table after us waits behind us: a backup that holds it must not stop the service.
  yield* sql`SET LOCAL lock_timeout = ${sql.literal(String(migrationLockMs))}`
  return yield* Migrator.make({})({ loader: nextUpTo(version), table: "control.migrations" })
})

/** The first that is missing; none after `version`. The migrator has locked its table by then. */
const nextUpTo = (version: number): Migrator.Loader<SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [latest] = yield* sql<{ readonly id: number }>`
      SELECT coalesce(max(migration_id), 0) AS id FROM control.migrations
    `
    const missing = inOrder.filter(([id]) => id > (latest?.id ?? 0) && id <= version)
    return missing.slice(0, 1)
  }).pipe(
    Effect.mapError(
      (cause) =>
        new Migrator.MigrationError({ cause, kind: "BadState", message: "control.migrations cannot be read" })
    )
  )

const problemOf = (error: unknown): DatabaseProblem => {
  const state = sqlState(Predicate.hasProperty(error, "cause") ? error.cause : error) ?? sqlState(error)
  return new DatabaseProblem({
    message: `the database cannot be brought up to date (${nameOf(error)}): ${hintOf(state)}`,
    cause: error
  })
}

const hintOf = (state: string | null): string => {
  switch (state) {
    case "42501":
      return "its user needs CREATEROLE, and CREATE on the database"
    case "55P03":
      return `another session held a table for more than ${migrationLockMs} ms; let it end (pg_stat_activity shows it, often a backup), then migrate again`
    case "40P01":
      return "another session held a table and waited for another; migrate again"
    case "57014":
      return `it took more than ${migrationMs} ms; docs/operations.md says what of it can be made beforehand`
    default:
      return `see the server's log for ${state ?? "the reason"}`
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
