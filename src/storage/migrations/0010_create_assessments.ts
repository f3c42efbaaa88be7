/** Assessments of both modes, one immutable row each: what was asked, what was answered, and what proves it. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createAssessments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // `response` and `input` are the exact bytes that were sent and hashed: jsonb and text would change them.
    // `item` is the row that lists show, `search` the text that they search. Digests are SHA-256.
    yield* sql`
      CREATE TABLE ${schema}.assessments (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        action_id uuid NOT NULL,
        request_id text NOT NULL,
        created_at timestamptz NOT NULL,
        complete boolean NOT NULL,
        response bytea NOT NULL,
        result_digest bytea NOT NULL CHECK (octet_length(result_digest) = 32),
        input bytea NOT NULL,
        input_digest bytea NOT NULL CHECK (octet_length(input_digest) = 32),
        behavior_snapshot bytea,
        rules_digest bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
        policy_digest bytea NOT NULL CHECK (octet_length(policy_digest) = 32),
        item json NOT NULL,
        search text NOT NULL,
        PRIMARY KEY (organization_id, assessment_id)
      )
    `
    yield* sql`CREATE INDEX assessments_by_action ON ${schema}.assessments (organization_id, action_id)`
    yield* sql`CREATE INDEX assessments_by_request ON ${schema}.assessments (organization_id, request_id)`
    // Seals stand beside the rows, so that sealing updates nothing.
    yield* sql`
      CREATE TABLE ${schema}.seals (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        sequence bigint NOT NULL CHECK (sequence >= 1),
        previous_digest bytea NOT NULL CHECK (octet_length(previous_digest) = 32),
        entry_digest bytea NOT NULL CHECK (octet_length(entry_digest) = 32),
        sealed_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, assessment_id),
        UNIQUE (organization_id, sequence)
      )
    `
    yield* sql`
      CREATE FUNCTION ${schema}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS ${sql.literal(`$$
        BEGIN
          RAISE EXCEPTION 'rows of % are evidence and never change', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
        END
      $$`)}
    `
    for (const table of ["assessments", "seals"]) {
      yield* sql`
        CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.${sql(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
      `
      yield* sql`GRANT SELECT, INSERT ON ${schema}.${sql(table)} TO ${role}`
    }
  }
})
