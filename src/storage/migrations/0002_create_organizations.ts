/** Organizations and their API keys: never the key itself, only its keyed hash. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createOrganizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE control.organizations (
      id uuid PRIMARY KEY,
      slug text NOT NULL UNIQUE,
      name text NOT NULL,
      policy_set text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )
  `
  yield* sql`
    CREATE TABLE control.api_keys (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES control.organizations,
      mode text NOT NULL CHECK (mode IN ('test', 'live')),
      key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
      scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
      environments text[] CHECK (cardinality(environments) > 0),
      expires_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    )
  `
  yield* sql`CREATE INDEX api_keys_by_organization ON control.api_keys (organization_id, created_at)`
  yield* sql`GRANT SELECT, INSERT ON control.organizations TO action_risk_control`
  yield* sql`GRANT SELECT, INSERT, UPDATE (revoked_at) ON control.api_keys TO action_risk_control`
})
