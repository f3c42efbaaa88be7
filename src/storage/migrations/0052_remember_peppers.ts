/** Check values by which a start recognizes the peppers of this database: never a pepper itself. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const rememberPeppers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE control.pepper_checks (
      check_value bytea PRIMARY KEY CHECK (octet_length(check_value) = 32),
      first_used_at timestamptz NOT NULL DEFAULT now()
    )
  `
  yield* sql`GRANT SELECT, INSERT, DELETE ON control.pepper_checks TO action_risk_control`
})
