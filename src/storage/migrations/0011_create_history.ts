/** History of both modes: what a complete assessment leaves behind for later ones to be compared with. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // A fingerprint on a day is a unit of evidence. Windows are read by time, so time leads the key.
    yield* sql`
      CREATE TABLE ${schema}.history (
        organization_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        assessment_id uuid NOT NULL,
        day date NOT NULL GENERATED ALWAYS AS ((created_at AT TIME ZONE 'UTC')::date) STORED,
        fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
        normalized_action_type text NOT NULL,
        action_category text NOT NULL,
        action_class text NOT NULL,
        agent_id text,
        destination_key text,
        stated_entities bigint CHECK (stated_entities >= 0),
        stated_usd_cents bigint CHECK (stated_usd_cents >= 0),
        scored_entities bigint NOT NULL CHECK (scored_entities >= 0),
        scored_usd_cents bigint NOT NULL CHECK (scored_usd_cents >= 0),
        PRIMARY KEY (organization_id, created_at, assessment_id)
      )
    `
    yield* sql`GRANT SELECT, INSERT ON ${schema}.history TO ${sql(`action_risk_${mode}`)}`
  }
})
