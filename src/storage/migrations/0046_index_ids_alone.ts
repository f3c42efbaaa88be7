/** Indexes of ids that are unique by themselves, in both modes: without the organization, which leads the primary key. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/**
 * While a table is empty all indexes that lead with the organization look alike, and a plan made then outlives it: finding
 * an assessment by its id went through one of these, and read everything that the organization had stored.
 *
 * Building an index stops writers, dropping one stops readers too: so first the former. On a large table the new ones
 * are made beforehand, by hand and CONCURRENTLY, as docs/operations.md says.
 */
export const indexIdsAlone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    for (const column of ["action_id", "request_id"]) {
      yield* sql`CREATE INDEX IF NOT EXISTS ${sql(`assessments_by_${column}`)} ON ${schema}.assessments (${sql(column)})`
    }
    yield* sql`DROP INDEX ${schema}.assessments_by_action, ${schema}.assessments_by_request`
  }
})
