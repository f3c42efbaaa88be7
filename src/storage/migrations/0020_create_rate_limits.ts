/** Requests per subject and window. Unlogged: after a crash of the server the counts start again, nothing else is lost. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createRateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNLOGGED TABLE control.rate_limits (
      window_ms bigint NOT NULL,
      subject text NOT NULL,
      requests int NOT NULL,
      PRIMARY KEY (window_ms, subject)
    )
  `
  yield* sql`GRANT SELECT, INSERT, UPDATE (requests), DELETE ON control.rate_limits TO action_risk_control`
})
