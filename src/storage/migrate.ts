/** Updates the database's schema to this release. Processes that start at the same moment wait for each other. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, type Redacted, Schema } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { readFileSync } from "node:fs"
import { modes } from "../domain/Caller.ts"
import { databaseConnectMs, migrationLockMs, migrationMs } from "../limits.ts"
import { Database, roleOf, schemaOfGroup } from "./Database.ts"
import { decodeRows } from "./sql/rows.ts"
import { DatabaseProblem, sqlState } from "./storageErrors.ts"

type Migrations = Readonly<
  Record<string, Effect.Effect<unknown, SqlError.SqlError | DatabaseProblem, SqlClient.SqlClient>>
>

/** The files of each mode, ordered so that no file needs a later one. */
const modeFiles = ["evidence", "assessments", "behavior", "reviews", "webhooks", "facets", "search"]

/** Runs a whole file of `schema/`. In it, `{schema}` is replaced by the name of the schema, and `{role}` by the role that uses it. */
const runFile = Effect.fnUntraced(function* (file: string, schema: string, role: string) {
  const sql = yield* SqlClient.SqlClient
  const text = readFileSync(new URL(`./schema/${file}.sql`, import.meta.url), "utf8")
  const filled = text.replaceAll("{schema}", schema).replaceAll("{role}", role)
  // The driver sends one statement at a time, so this statement runs all of them.
  yield* sql.unsafe(`DO $do$ BEGIN EXECUTE $file$${filled}$file$; END $do$`)
})

/** Each mode has a schema, or one per group if Citus distributes them. `control` stays on the coordinator. */
const createSchema = Effect.fnUntraced(function* (groups?: number) {
  if (groups !== undefined) yield* requireCitus
  for (const file of ["roles", "organizations"]) yield* runFile(file, "control", roleOf("control"))
  const files = ["roles", ...modeFiles, ...(groups === undefined ? [] : ["distributed"])]
  for (const mode of modes)
    for (let group = 0; group < (groups ?? 1); group++)
      for (const file of files) yield* runFile(file, schemaOfGroup(mode, group, groups), roleOf(mode))
})

/** Only a superuser can create the extension. */
const requireCitus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`SELECT FROM pg_extension WHERE extname = 'citus'`
  if (found.length === 0)
    return yield* new DatabaseProblem({
      message:
        "the database cannot be distributed: DISTRIBUTED=citus, and the database has no extension citus: run CREATE EXTENSION citus on the coordinator and every worker, and add the workers with citus_add_node; or unset DISTRIBUTED"
    })
})

/** A released migration is never edited, nor are the files that it runs. */
export const migrations: Migrations = {
  "0001_create_schema": createSchema()
}

/** A database is distributed from its first migration on, or never. The number of groups is part of the migration's name. */
const distributedMigrations = (groups: number): Migrations => ({
  [`0001_create_schema_of_${groups}_groups`]: createSchema(groups)
})

/** Whether the first migration of a database distributed it. */
const isOfGroups = (name: string): boolean => /^create_schema_of_[0-9]+_groups$/.test(name)

interface AppliedMigration {
  readonly id: number
  readonly name: string
}

const inOrder = (all: Migrations): ReadonlyArray<Migrator.ResolvedMigration> =>
  Object.entries(all).map(([file, migration]) => {
    const [id = "", ...name] = file.split("_")
    return [Number(id), name.join("_"), Effect.succeed(migration)]
  })

/** The number of this release's newest migration. */
export const schemaVersion = Math.max(...inOrder(migrations).map(([id]) => id))

/** Applies the missing migrations, each completely or not at all, and returns them. */
export const migrate = Effect.fn("migrate")(function* (
  url: Redacted.Redacted,
  all: Migrations = migrations
): Effect.fn.Return<ReadonlyArray<AppliedMigration>, DatabaseProblem> {
  return yield* Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({
      url,
      connectTimeout: databaseConnectMs,
      applicationName: "action-risk migrate",
      startupParameters: { statement_timeout: String(migrationMs), timezone: "UTC" }
    })
    return yield* Effect.provideService(applyAll(all), SqlClient.SqlClient, sql)
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.mapError(problemOf))
})

/** Applies the migrations of the opened database. */
export const migrateOpened = Effect.flatMap(Database, ({ groups, url }) =>
  migrate(url, groups === undefined ? migrations : distributedMigrations(groups))
)

/** Layers that need the schema are built on top of this one. */
export const migrated = Layer.effectDiscard(migrateOpened)

/** Runs each migration in its own transaction: a single one would hold the first locks, and deadlock with a replica that writes. */
const applyAll = Effect.fnUntraced(function* (all: Migrations) {
  const sql = yield* SqlClient.SqlClient
  const applied: Array<AppliedMigration> = []
  for (;;) {
    const next = yield* sql.withTransaction(applyNext(all))
    if (next.length === 0) return applied
    for (const [id, name] of next) applied.push({ id, name })
  }
})

const applyNext = Effect.fnUntraced(function* (all: Migrations) {
  const sql = yield* SqlClient.SqlClient
  // Held until the end of the transaction. The migrator's own lock is on a table that the first process has yet to create.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('action-risk migrations'))`
  yield* sql`CREATE SCHEMA IF NOT EXISTS control`
  // While this waits for a table, later requests for it wait as well, so a backup that holds the table must not stop the service.
  yield* sql`SET LOCAL lock_timeout = ${sql.literal(String(migrationLockMs))}`
  return yield* Migrator.make({})({ loader: firstMissing(all), table: "control.migrations" })
})

/**
 * The first missing migration. The migrator has locked its table before it asks. A database with migrations from a later release is served
 * as it is, so that a release can be rolled back.
 */
const firstMissing = (all: Migrations): Migrator.Loader<SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const applied = yield* Effect.mapError(
      decodeRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))(sql`
        SELECT migration_id AS id, name FROM control.migrations ORDER BY migration_id
      `),
      (cause) =>
        new Migrator.MigrationError({ cause, kind: "BadState", message: "control.migrations cannot be read" })
    )
    const known = inOrder(all)
    const other = applied.find((one) => known.some(([id, name]) => id === one.id && name !== one.name))
    if (other !== undefined) {
      const wish =
        known.some(([, name]) => isOfGroups(name)) === isOfGroups(other.name)
          ? ""
          : isOfGroups(other.name)
            ? "set DISTRIBUTED=citus, or "
            : "unset DISTRIBUTED, or "
      const message = `its migration ${other.id} is \`${other.name}\`, which is not the one of this release: ${wish}start with an empty database`
      return yield* new Migrator.MigrationError({ kind: "BadState", message })
    }
    return known.filter(([id]) => id > (applied.at(-1)?.id ?? 0)).slice(0, 1)
  })

const problemOf = (error: unknown): DatabaseProblem => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  if (cause instanceof DatabaseProblem) return cause
  const state = sqlState(cause) ?? sqlState(error)
  const isWhole = error instanceof Migrator.MigrationError && cause === undefined
  return new DatabaseProblem({
    message: isWhole
      ? `the database cannot be migrated: ${error.message}`
      : `the database cannot be migrated (${error instanceof Error ? error.message : String(error)}): ${hintOf(state)}`,
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
      return `it took more than ${migrationMs} ms, and the migration changed nothing; migrate again when the database is less busy`
    default:
      return `see the server's log for ${state ?? "the reason"}`
  }
}
