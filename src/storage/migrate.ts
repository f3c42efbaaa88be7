/** Brings the database's schema up to this release. Processes that start at the same moment wait for each other. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, type Redacted, Schema } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { databaseConnectMs, migrationLockMs, migrationMs } from "../limits.ts"
import { Database } from "./Database.ts"
import { createRoles } from "./migrations/0001_create_roles.ts"
import { createOrganizations } from "./migrations/0002_create_organizations.ts"
import { createAssessments } from "./migrations/0010_create_assessments.ts"
import { createHistory } from "./migrations/0011_create_history.ts"
import { createIdempotencyKeys } from "./migrations/0012_create_idempotency_keys.ts"
import { indexSearch } from "./migrations/0013_index_search.ts"
import { createRateLimits } from "./migrations/0020_create_rate_limits.ts"
import { letPolicySetsChange } from "./migrations/0021_let_policy_sets_change.ts"
import { createBaselines } from "./migrations/0040_create_baselines.ts"
import { prepareSealing } from "./migrations/0041_prepare_sealing.ts"
import { createReviews } from "./migrations/0042_create_reviews.ts"
import { createWebhooks } from "./migrations/0043_create_webhooks.ts"
import { createErasures } from "./migrations/0044_create_erasures.ts"
import { lightenWrites } from "./migrations/0045_lighten_writes.ts"
import { indexIdsAlone } from "./migrations/0046_index_ids_alone.ts"
import { searchInOneCall } from "./migrations/0050_search_in_one_call.ts"
import { nameSums } from "./migrations/0051_name_sums.ts"
import { rememberPeppers } from "./migrations/0052_remember_peppers.ts"
import { splitHistories } from "./migrations/0053_split_histories.ts"
import { createConsoleSessions } from "./migrations/0056_create_console_sessions.ts"
import { createFacets } from "./migrations/0057_create_facets.ts"
import { createOutcomes } from "./migrations/0058_create_outcomes.ts"
import { splitChanges } from "./migrations/0059_split_changes.ts"
import { serveAlone } from "./migrations/0060_serve_alone.ts"
import { eraseMany } from "./migrations/0061_erase_many.ts"
import { namePeople } from "./migrations/0062_name_people.ts"
import { seeToday } from "./migrations/0063_see_today.ts"
import { checkValuesOnEntry } from "./migrations/0064_check_values_on_entry.ts"
import { sumByWhatIsSeen } from "./migrations/0065_sum_by_what_is_seen.ts"
import { vacuumDeliveries } from "./migrations/0066_vacuum_deliveries.ts"
import { searchBySpan } from "./migrations/0067_search_by_span.ts"
import { decodeRows } from "./sql/decodeRows.ts"
import { DatabaseProblem, sqlState } from "./storageErrors.ts"

type Migration = Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>

export const migrations: Readonly<Record<string, Migration>> = {
  "0001_create_roles": createRoles,
  "0002_create_organizations": createOrganizations,
  "0010_create_assessments": createAssessments,
  "0011_create_history": createHistory,
  "0012_create_idempotency_keys": createIdempotencyKeys,
  "0013_index_search": indexSearch,
  "0020_create_rate_limits": createRateLimits,
  "0021_let_policy_sets_change": letPolicySetsChange,
  "0040_create_baselines": createBaselines,
  "0041_prepare_sealing": prepareSealing,
  "0042_create_reviews": createReviews,
  "0043_create_webhooks": createWebhooks,
  "0044_create_erasures": createErasures,
  "0045_lighten_writes": lightenWrites,
  "0046_index_ids_alone": indexIdsAlone,
  "0050_search_in_one_call": searchInOneCall,
  "0051_name_sums": nameSums,
  "0052_remember_peppers": rememberPeppers,
  "0053_split_histories": splitHistories,
  "0056_create_console_sessions": createConsoleSessions,
  "0057_create_facets": createFacets,
  "0058_create_outcomes": createOutcomes,
  "0059_split_changes": splitChanges,
  "0060_serve_alone": serveAlone,
  "0061_erase_many": eraseMany,
  "0062_name_people": namePeople,
  "0063_see_today": seeToday,
  "0064_check_values_on_entry": checkValuesOnEntry,
  "0065_sum_by_what_is_seen": sumByWhatIsSeen,
  "0066_vacuum_deliveries": vacuumDeliveries,
  "0067_search_by_span": searchBySpan
}

interface AppliedMigration {
  readonly id: number
  readonly name: string
}

const inOrder = Object.entries(migrations).map(([file, migration]): Migrator.ResolvedMigration => {
  const [id = "", ...name] = file.split("_")
  return [Number(id), name.join("_"), Effect.succeed(migration)]
})

/** The number of the newest migration of this release. */
export const schemaVersion = Math.max(...inOrder.map(([id]) => id))

/** Applies the missing migrations up to `version`, each whole or not at all, and returns them. */
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

/** Layers that need the schema are built on this one. */
export const migrated = Layer.effectDiscard(Effect.flatMap(Database, ({ url }) => migrate(url)))

/**
 * Each migration has its own transaction. One transaction for all would lock the tables that the first migration changes
 * until the last is done, and would deadlock with a replica that writes meanwhile.
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
  // Held to the end of the transaction. The migrator's own lock is on a table that the first process has yet to create.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('action-risk migrations'))`
  yield* sql`CREATE SCHEMA IF NOT EXISTS control`
  // While we wait for a table, later requests for it wait behind us: a backup that holds the table must not stop the service.
  yield* sql`SET LOCAL lock_timeout = ${sql.literal(String(migrationLockMs))}`
  return yield* Migrator.make({})({ loader: nextUpTo(version), table: "control.migrations" })
})

/** The first missing migration, none after `version`. The migrator has locked its table before it asks for them. */
const nextUpTo = (version: number): Migrator.Loader<SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [latest] = yield* decodeRows(Schema.Struct({ id: Schema.Int }))(sql`
      SELECT coalesce(max(migration_id), 0) AS id FROM control.migrations
    `)
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
      return `it took more than ${migrationMs} ms, and that migration changed nothing; docs/operations.md, Upgrades, says what of it can be made beforehand`
    default:
      return `see the server's log for ${state ?? "the reason"}`
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
