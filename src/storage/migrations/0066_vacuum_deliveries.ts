/** When the deliveries of webhooks are vacuumed, in both modes: what was delivered must not be in the way of what waits. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/** Dead rows. A delivery leaves two, so a claim passes the entries of some ten thousand deliveries, on 500 pages. */
const deadMax = "20000"

/**
 * The relay looks for the oldest delivery that waits, and passes the entries of all that were delivered since the last vacuum. By default that
 * is a fifth of the table, and where few pages have dead rows vacuum leaves the indexes as they are.
 */
export const vacuumDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes)
    yield* sql`
      ALTER TABLE ${sql(mode)}.webhook_deliveries SET (
        autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = ${sql.literal(deadMax)}, vacuum_index_cleanup = on
      )
    `
})
