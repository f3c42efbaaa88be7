/** Outcome events of both modes, the chain that seals them, and what they change in the sums of 24 hours. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"
import { outcomeEventTypes } from "../../domain/OutcomeEvent.ts"

export const createOutcomes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // `document` is the event as it is answered, and the bytes that its seal covers. `entities` and `usd_cents` are the
    // observed figures, scored as if they had been stated.
    yield* sql`
      CREATE TABLE ${schema}.outcome_events (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        event_id uuid NOT NULL,
        type text NOT NULL CHECK (type IN (${sql.literal(outcomeEventTypes.map((type) => `'${type}'`).join(", "))})),
        independent boolean NOT NULL,
        entities bigint,
        usd_cents bigint,
        document bytea NOT NULL,
        salt bytea NOT NULL CHECK (octet_length(salt) = 16),
        request_id text NOT NULL,
        reported_by uuid NOT NULL,
        request_digest bytea NOT NULL CHECK (octet_length(request_digest) = 32),
        idempotency_key text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, assessment_id, event_id),
        CHECK ((entities IS NULL) = (usd_cents IS NULL))
      )
    `
    // Of one assessment and one API key: nobody can use up, or answer with, the idempotency key of another reporter.
    yield* sql`
      CREATE UNIQUE INDEX outcome_events_by_key
      ON ${schema}.outcome_events (organization_id, assessment_id, reported_by, idempotency_key)
      WHERE idempotency_key IS NOT NULL
    `
    // Written with the event. It stays when the event is erased with its assessment: the salt goes, the leaf tells nothing.
    yield* sql`
      CREATE TABLE ${schema}.outcome_seals (
        organization_id uuid NOT NULL,
        sequence bigint NOT NULL CHECK (sequence >= 1),
        assessment_id uuid NOT NULL,
        event_id uuid NOT NULL,
        leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
        previous_digest bytea NOT NULL CHECK (octet_length(previous_digest) = 32),
        entry_digest bytea NOT NULL CHECK (octet_length(entry_digest) = 32),
        PRIMARY KEY (organization_id, sequence),
        UNIQUE (organization_id, event_id)
      )
    `
    yield* sql`
      CREATE FUNCTION ${schema}.erase_from_outcome_events() RETURNS trigger LANGUAGE plpgsql AS ${sql.literal(`$$
        BEGIN
          IF EXISTS (
            SELECT FROM ${mode}.erasures AS erased
            WHERE erased.organization_id = OLD.organization_id AND erased.assessment_id = OLD.assessment_id
          ) THEN RETURN OLD; END IF;
          RAISE EXCEPTION 'rows of % are evidence: only what is erased on record goes', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
        END
      $$`)}
    `
    yield* sql`
      CREATE TRIGGER never_change BEFORE UPDATE OR TRUNCATE ON ${schema}.outcome_events
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
    `
    yield* sql`
      CREATE TRIGGER only_erased BEFORE DELETE ON ${schema}.outcome_events
      FOR EACH ROW EXECUTE FUNCTION ${schema}.erase_from_outcome_events()
    `
    yield* sql`
      CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.outcome_seals
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
    `
    // Each statement on these two tables is of one organization, which its transaction names: no other rows are there for it.
    for (const table of ["outcome_events", "outcome_seals"]) {
      yield* sql`ALTER TABLE ${schema}.${sql(table)} ENABLE ROW LEVEL SECURITY`
      yield* sql`
        CREATE POLICY own_rows ON ${schema}.${sql(table)}
        USING (organization_id = nullif(current_setting('action_risk.organization', true), '')::uuid)
      `
      yield* sql`GRANT SELECT, INSERT ON ${schema}.${sql(table)} TO ${role}`
    }
    // Apart from the sums: what is usual is read from those, and no report may make a large day usual. Batched statements
    // of many organizations read it, as they read the sums.
    yield* sql`
      CREATE TABLE ${schema}.outcome_sums (
        organization_id uuid NOT NULL,
        production boolean NOT NULL,
        scope text NOT NULL CHECK (scope IN ('agent', 'destination', 'organization')),
        name text NOT NULL,
        hour timestamptz NOT NULL,
        entities numeric NOT NULL,
        usd_cents numeric NOT NULL,
        PRIMARY KEY (organization_id, production, scope, name, hour)
      )
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.outcome_sums TO ${role}`
  }
})
