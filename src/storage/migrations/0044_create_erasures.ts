/** Erasures of both modes: what stays of an assessment that was erased, and the one way to take evidence away. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createErasures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // With the seal that stays, all that the entry of the chain is computed from. The signature is Ed25519 over
    // `erasureText`, the key SubjectPublicKeyInfo.
    yield* sql`
      CREATE TABLE ${schema}.erasures (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        rules_digest bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
        policy_digest bytea NOT NULL CHECK (octet_length(policy_digest) = 32),
        erased_at timestamptz NOT NULL,
        reason text NOT NULL CHECK (reason IN ('request', 'retention')),
        public_key bytea NOT NULL,
        signature bytea NOT NULL CHECK (octet_length(signature) = 64),
        PRIMARY KEY (organization_id, assessment_id)
      )
    `
    yield* sql`
      CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.erasures
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
    `
    // The serving roles read it. They may neither write it nor delete an assessment: only the owner erases.
    yield* sql`GRANT SELECT ON ${schema}.erasures TO ${sql(`action_risk_${mode}`)}`

    // What the row says for its entry must stand in both places before it may go.
    const kept = {
      assessments: `AND erased.created_at = OLD.created_at AND erased.rules_digest = OLD.rules_digest
            AND erased.policy_digest = OLD.policy_digest`
    }
    for (const [table, same] of Object.entries(kept)) {
      yield* sql`
        CREATE FUNCTION ${schema}.${sql(`erase_from_${table}`)}() RETURNS trigger LANGUAGE plpgsql AS ${sql.literal(`$$
          BEGIN
            IF EXISTS (
              SELECT FROM ${mode}.erasures AS erased JOIN ${mode}.seals USING (organization_id, assessment_id)
              WHERE erased.organization_id = OLD.organization_id AND erased.assessment_id = OLD.assessment_id
                AND seals.input_leaf IS NOT NULL AND seals.result_leaf IS NOT NULL AND seals.snapshot_leaf IS NOT NULL
                ${same}
            ) THEN RETURN OLD; END IF;
            RAISE EXCEPTION 'rows of % are evidence: only what is sealed is erased, and only on record', TG_TABLE_NAME
              USING ERRCODE = 'insufficient_privilege';
          END
        $$`)}
      `
      yield* sql`DROP TRIGGER never_change ON ${schema}.${sql(table)}`
      yield* sql`
        CREATE TRIGGER never_change BEFORE UPDATE OR TRUNCATE ON ${schema}.${sql(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
      `
      yield* sql`
        CREATE TRIGGER only_erased BEFORE DELETE ON ${schema}.${sql(table)}
        FOR EACH ROW EXECUTE FUNCTION ${schema}.${sql(`erase_from_${table}`)}()
      `
    }
    // Deliveries are found by what they deliver, to go with it.
    yield* sql`
      CREATE INDEX webhook_deliveries_by_event ON ${schema}.webhook_deliveries (organization_id, event_id)
    `
  }
})
