/** Trigram indexes under the search of lists. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const indexSearch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const available = yield* sql`SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'`
  // A server built without contrib has no trigrams: searches stay correct and read the organization's rows in turn.
  if (available.length === 0) return
  yield* sql`CREATE SCHEMA IF NOT EXISTS extensions`
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA extensions`
  const [installed] = yield* sql<{ readonly schema: string }>`
    SELECT nspname AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'pg_trgm'
  `
  for (const mode of modes) {
    yield* sql`
      CREATE INDEX assessments_by_search ON ${sql(mode)}.assessments
      USING gin (search ${sql(installed?.schema ?? "extensions")}.gin_trgm_ops)
    `
  }
})
