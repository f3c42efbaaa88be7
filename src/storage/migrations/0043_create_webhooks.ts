/** Webhooks of both modes: who wants to hear of what, what there is to tell, and what became of telling it. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createWebhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // Secrets are encrypted. `least_rank` is the place of min_level among low, moderate, high, critical, from 0.
    // `failing_since` is the first failure after the last success.
    yield* sql`
      CREATE TABLE ${schema}.webhook_endpoints (
        organization_id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL CHECK (cardinality(events) > 0),
        least_rank int NOT NULL CHECK (least_rank BETWEEN 0 AND 3),
        enabled boolean NOT NULL,
        description text,
        created_at timestamptz NOT NULL,
        secret bytea NOT NULL,
        previous_secret bytea,
        previous_until timestamptz,
        failing_since timestamptz,
        PRIMARY KEY (organization_id, endpoint_id),
        CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
      )
    `
    // Answers that hold a secret, encrypted too, by the idempotency key that they were asked for with.
    yield* sql`
      CREATE TABLE ${schema}.webhook_answers (
        organization_id uuid NOT NULL,
        idempotency_key text NOT NULL,
        endpoint_id uuid NOT NULL,
        input_digest bytea NOT NULL,
        answer bytea NOT NULL,
        answered_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, idempotency_key)
      )
    `
    yield* sql`CREATE INDEX webhook_answers_by_age ON ${schema}.webhook_answers (answered_at)`
    // The outbox. An event of an assessment has an id that follows from the assessment and the type, so that writing it
    // twice is writing it once; its payload is made of what is stored under the id. Other events carry their `data`.
    yield* sql`
      CREATE TABLE ${schema}.webhook_events (
        organization_id uuid NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        created_at timestamptz NOT NULL,
        assessment_id uuid,
        data json,
        PRIMARY KEY (organization_id, event_id),
        CHECK ((assessment_id IS NULL) <> (data IS NULL))
      )
    `
    // One event for one endpoint. `next_attempt_at` is null when no attempt is to come; `claimed_until` is the lease of
    // the process that makes one, after which another may.
    yield* sql`
      CREATE TABLE ${schema}.webhook_deliveries (
        organization_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'dead')),
        attempts int NOT NULL,
        last_status int,
        next_attempt_at timestamptz,
        claimed_by uuid,
        claimed_until timestamptz,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, delivery_id),
        CHECK ((status IN ('pending', 'failed')) = (next_attempt_at IS NOT NULL))
      )
    `
    yield* sql`
      CREATE INDEX webhook_deliveries_due ON ${schema}.webhook_deliveries (next_attempt_at)
      WHERE next_attempt_at IS NOT NULL
    `
    // The relay goes from endpoint to endpoint, and counts what is in flight to each.
    yield* sql`
      CREATE INDEX webhook_deliveries_waiting ON ${schema}.webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
      WHERE next_attempt_at IS NOT NULL
    `
    yield* sql`
      CREATE INDEX webhook_deliveries_claimed ON ${schema}.webhook_deliveries (organization_id, endpoint_id, claimed_until)
      WHERE claimed_until IS NOT NULL
    `
    yield* sql`CREATE INDEX webhook_events_by_age ON ${schema}.webhook_events (created_at)`
    // Lists of an endpoint's deliveries: those of one status, or of all four merged.
    yield* sql`
      CREATE INDEX webhook_deliveries_by_endpoint
      ON ${schema}.webhook_deliveries (organization_id, endpoint_id, status, delivery_id)
    `
    // UUIDv7 (RFC 9562 5.7) of a time, to the microsecond as assessment ids are; PostgreSQL has its own from 18 on only.
    yield* sql`
      CREATE FUNCTION ${schema}.time_ordered_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS ${sql.literal(`$$
        SELECT (lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000), 3, '0')
          || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
        FROM (SELECT (extract(epoch FROM at) * 1000000)::bigint AS micros) AS of_time
      $$`)}
    `
    for (const table of ["webhook_endpoints", "webhook_answers", "webhook_events", "webhook_deliveries"]) {
      yield* sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.${sql(table)} TO ${role}`
    }
  }
})
