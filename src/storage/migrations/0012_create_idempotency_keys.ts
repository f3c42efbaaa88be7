/** Idempotency keys of both modes: the assessment that answers a key, and the digest of the body that it answers. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createIdempotencyKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // Written in the statement of the assessment itself, so a key is never claimed by work that is yet to be done.
    yield* sql`
      CREATE TABLE ${schema}.idempotency_keys (
        organization_id uuid NOT NULL,
        key text NOT NULL,
        input_digest bytea NOT NULL CHECK (octet_length(input_digest) = 32),
        assessment_id uuid NOT NULL,
        completed_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, key)
      )
    `
    yield* sql`CREATE INDEX idempotency_keys_by_completion ON ${schema}.idempotency_keys (completed_at)`
    yield* sql`
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.idempotency_keys TO ${sql(`action_risk_${mode}`)}
    `
  }
})
