/** Indexes of ids that are unique by themselves, in both modes: without the organization, which leads the primary key. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Mode.ts"

/**
 * While a table is empty all indexes that lead with the organization look alike, and a plan made then outlives it: finding
 * an assessment by its id went through one of these, and read everything that the organization had stored.
 */
export const indexIdsAlone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    for (const [index, column] of [
      ["assessments_by_action", "action_id"],
      ["assessments_by_request", "request_id"]
    ] as const) {
      yield* sql`DROP INDEX ${sql(mode)}.${sql(index)}`
      yield* sql`CREATE INDEX ${sql(index)} ON ${sql(mode)}.assessments (${sql(column)})`
    }
  }
})
