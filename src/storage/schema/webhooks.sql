-- Webhooks: endpoints, the outbox of events, and one delivery per event and endpoint.

-- A UUIDv7 (RFC 9562 5.7) of a time, to the microsecond, like the ids of assessments. PostgreSQL has such a function only from version 18.
CREATE FUNCTION {schema}.time_ordered_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
  FROM (SELECT (extract(epoch FROM at) * 1000000)::bigint AS micros) AS of_time
$$;

-- A row is an endpoint. Secrets are encrypted. `least_rank` is the index of min_level among low, moderate, high, critical, from 0.
-- `failing_since` is the time of the first failure after the last success. `format` is what the receiver accepts: events, or the messages
-- of a chat.
CREATE TABLE {schema}.webhook_endpoints (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  url text NOT NULL,
  format text NOT NULL DEFAULT 'standard' CHECK (format IN ('standard', 'slack', 'teams')),
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
);

-- A row is an encrypted answer that contains a secret, keyed by the idempotency key of its request.
CREATE TABLE {schema}.webhook_answers (
  organization_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  endpoint_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  answer bytea NOT NULL,
  answered_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, idempotency_key)
);
CREATE INDEX webhook_answers_by_age ON {schema}.webhook_answers (answered_at);

-- A row is an event in the outbox. The id of an assessment's event is derived from the assessment and the type, so writing it twice has no
-- effect; its payload is built from what is stored under that id. Other events contain their `data`.
CREATE TABLE {schema}.webhook_events (
  organization_id uuid NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  created_at timestamptz NOT NULL,
  assessment_id uuid,
  data json,
  PRIMARY KEY (organization_id, event_id),
  CHECK ((assessment_id IS NULL) <> (data IS NULL))
);
CREATE INDEX webhook_events_by_age ON {schema}.webhook_events (created_at);

-- A row is an event for an endpoint. `next_attempt_at` is null if no further attempt is planned. `claimed_until` is the lease of the
-- process that makes an attempt, after which another process may. A claim passes over the dead rows of all deliveries since the last
-- vacuum, two for each, so vacuum runs after some ten thousand and always cleans the indexes.
CREATE TABLE {schema}.webhook_deliveries (
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
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, vacuum_index_cleanup = on);
CREATE INDEX webhook_deliveries_due ON {schema}.webhook_deliveries (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
-- The relay goes from endpoint to endpoint, and counts the deliveries in flight to each.
CREATE INDEX webhook_deliveries_waiting ON {schema}.webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_claimed ON {schema}.webhook_deliveries (organization_id, endpoint_id, claimed_until)
  WHERE claimed_until IS NOT NULL;
-- For lists of an endpoint's deliveries: those with one status, or all four statuses merged.
CREATE INDEX webhook_deliveries_by_endpoint
  ON {schema}.webhook_deliveries (organization_id, endpoint_id, status, delivery_id);
-- For finding deliveries by event, to erase them with its assessment.
CREATE INDEX webhook_deliveries_by_event ON {schema}.webhook_deliveries (organization_id, event_id);

GRANT SELECT, INSERT, UPDATE, DELETE
  ON {schema}.webhook_endpoints, {schema}.webhook_answers, {schema}.webhook_events, {schema}.webhook_deliveries
  TO {role};

-- Queues events of assessments: each event to which an enabled endpoint subscribes becomes a row of `webhook_events`, with a delivery for
-- each such endpoint. The arguments are arrays with one element per event, including the level of its assessment. Returns whether a
-- delivery was queued.
CREATE FUNCTION {schema}.queue_deliveries(its_organization_id uuid[], its_assessment_id uuid[], its_type text[], its_level text[])
RETURNS boolean LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    WITH wanted AS MATERIALIZED (
      SELECT organization_id, assessment_id, endpoint_id, type,
        'evt_' || replace(assessment_id::text, '-', '') || '_' || split_part(type, '.', 2) AS event_id
      FROM unnest(its_organization_id, its_assessment_id, its_type, its_level) AS happened (organization_id, assessment_id, type, level)
        JOIN webhook_endpoints USING (organization_id)
      WHERE enabled AND type = ANY (events) AND least_rank <= array_position(ARRAY['low', 'moderate', 'high', 'critical'], level) - 1
    ), events AS (
      INSERT INTO webhook_events (organization_id, event_id, type, created_at, assessment_id)
      SELECT DISTINCT organization_id, event_id, type, statement_timestamp(), assessment_id FROM wanted ORDER BY 1, 2
    )
    INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
      next_attempt_at, created_at)
    SELECT organization_id, time_ordered_id(statement_timestamp()), endpoint_id, event_id, type, 'pending', 0, statement_timestamp(),
      statement_timestamp()
    FROM wanted;
    RETURN FOUND;
  END
$$;
GRANT EXECUTE ON FUNCTION {schema}.queue_deliveries TO {role};
