/** Sign-ins of the console: never the secret of a cookie or of a link, only its keyed hash. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createConsoleSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A session can do what its key can, for as long as the key is valid.
  yield* sql`
    CREATE TABLE control.console_sessions (
      token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
      key_id uuid NOT NULL REFERENCES control.api_keys,
      created_at timestamptz NOT NULL DEFAULT now(),
      used_at timestamptz NOT NULL DEFAULT now()
    )
  `
  yield* sql`
    CREATE TABLE control.console_links (
      link_hash bytea PRIMARY KEY CHECK (octet_length(link_hash) = 32),
      organization_id uuid NOT NULL REFERENCES control.organizations,
      mode text NOT NULL CHECK (mode IN ('test', 'live')),
      expires_at timestamptz NOT NULL
    )
  `
  yield* sql`GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON control.console_sessions TO action_risk_control`
  yield* sql`GRANT SELECT, INSERT, DELETE ON control.console_links TO action_risk_control`
})
