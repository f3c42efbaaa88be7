/** How rows lie on disk, in both modes: what PostgreSQL does by default costs assessments and searches more than it saves. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/** Kilobytes. Every search reads all that the index has yet to sort in: by default that may be 4 MB. */
const pendingKilobytes = 1_024
/** Percent. Room on the page of a row that is counted up, so that the index is left alone. */
const countsFill = 70

export const lightenWrites = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const assessments = sql`${sql(mode)}.assessments`
    // Compressing responses took a fifth of PostgreSQL's time for a batch, and every read would take them apart again:
    // they go out of line as they are. What lists show stays in the row. Rows from before stay as they are.
    yield* sql`ALTER TABLE ${assessments} ALTER COLUMN response SET STORAGE EXTERNAL`
    for (const column of ["item", "behavior_snapshot"]) {
      yield* sql`ALTER TABLE ${assessments} ALTER COLUMN ${sql(column)} SET STORAGE MAIN`
    }
    for (const table of ["unit_figures", "sightings", "paces", "agent_sums"]) {
      yield* sql`ALTER TABLE ${sql(mode)}.${sql(table)} SET (fillfactor = ${sql.literal(String(countsFill))})`
    }
    // Where the server has no trigrams there is no such index.
    yield* sql`
      ALTER INDEX IF EXISTS ${sql(mode)}.assessments_by_search
      SET (gin_pending_list_limit = ${sql.literal(String(pendingKilobytes))})
    `
  }
})
