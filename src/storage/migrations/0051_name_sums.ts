/** The name under which the 24 h sums count a unit, in both modes: its agent, or the pool of its target system. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const nameSums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    // Null in units from before: their part stands under the agent's name, or under the empty name without an agent. It
    // stays there, because moving it to another hour takes it away where it stands.
    yield* sql`ALTER TABLE ${sql(mode)}.units ADD COLUMN summed_under text`
  }
})
