/** Brings the database's schema up to this release, once, however many processes start at the same moment. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { Migrator, SqlClient } from "effect/sql"
import { databaseConnectMs, migrationMs } from "../Limits.ts"
import { Database } from "./Database.ts"
import { DatabaseProblem } from "./DatabaseProblem.ts"
import { migrations } from "./migrations.ts"
import { sqlState } from "./SqlState.ts"

export interface AppliedMigration {
  readonly id: number
  readonly name: string
}

const loader = Effect.succeed(
  Object.entries(migrations).map(([file, migration]): Migrator.ResolvedMigration => {
    const [id = "", ...name] = file.split("_")
    return [Number(id), name.join("_"), Effect.succeed(migration)]
  })
)

/** The number of the newest migration of this release. */
export const schemaVersion = Math.max(...Object.keys(migrations).map((file) => Number.parseInt(file, 10)))

/** Applies what is missing, all of it or none, and says what that was. */
export const migrate = Effect.fn("migrate")(function* (
  url: Redacted.Redacted
): Effect.fn.Return<ReadonlyArray<AppliedMigration>, DatabaseProblem> {
  const applied = yield* Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({
      url,
      connectTimeout: databaseConnectMs,
      applicationName: "action-risk migrate",
      startupParameters: { statement_timeout: String(migrationMs), timezone: "UTC" }
    })
    return yield* run.pipe(sql.withTransaction, Effect.provideService(SqlClient.SqlClient, sql))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.mapError(problemOf))
  return applied.map(([id, name]) => ({ id, name }))
})

/** Nothing below works before the schema is there. */
export const migrated = Layer.effectDiscard(Effect.flatMap(Database, ({ url }) => migrate(url)))

const run = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Held to the end of the transaction. The migrator's own lock is on a table that the first process has yet to make.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('action-risk migrations'))`
  yield* sql`CREATE SCHEMA IF NOT EXISTS control`
  return yield* Migrator.make({})({ loader, table: "control.migrations" })
})

const problemOf = (error: unknown): DatabaseProblem => {
  const state = sqlState(Predicate.hasProperty(error, "cause") ? error.cause : error) ?? sqlState(error)
  const hint =
    state === "42501"
      ? "its user needs CREATEROLE, and CREATE on the database"
      : `see the server's log for ${state ?? "the reason"}`
  return new DatabaseProblem({
    message: `the database cannot be brought up to date (${nameOf(error)}): ${hint}`,
    cause: error
  })
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
