/** Mends the function of migration 60: an action of today beside the asked one was not seen where only one of the two changes something. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"
import { readAloneBodyBy, readAloneColumns, readAloneParameters } from "./0060_read_alone.ts"

export const seeToday = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    yield* sql`
      CREATE OR REPLACE FUNCTION ${sql(mode)}.read_behavior(${sql.literal(`${readAloneParameters}, ${readAloneColumns}`)})
      LANGUAGE plpgsql STABLE AS ${sql.literal(readAloneBodyBy("= its_destination"))}
    `
  }
})
