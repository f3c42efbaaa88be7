-- Assessments and idempotency keys: what was asked, what was answered, what proves it, and the function that writes all of it.

-- The types of what an assessment carries. A type checks a value once, as it enters the database. Constraints of tables would be read
-- and planned again by every statement that inserts, which took a sixth of the time of an assessment that is written alone.
CREATE DOMAIN {schema}.digest AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN {schema}.salt AS bytea CHECK (octet_length(VALUE) = 16);
CREATE DOMAIN {schema}.figure AS bigint CHECK (VALUE >= 0);
GRANT USAGE ON TYPE {schema}.digest, {schema}.salt, {schema}.figure TO action_risk_{schema};

-- A row is an assessment, which never changes. `response` and `input` are the exact bytes that were sent and hashed: jsonb and text
-- would change them. `item` is the row that lists show, `search` the text that they search. Digests are SHA-256. `salt` is random, so
-- that a leaf of the seal says nothing about short input once salt and input are erased.
CREATE TABLE {schema}.assessments (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  action_id uuid NOT NULL,
  request_id text NOT NULL,
  created_at timestamptz NOT NULL,
  complete boolean NOT NULL,
  response bytea NOT NULL,
  result_digest bytea NOT NULL,
  input bytea NOT NULL,
  input_digest bytea NOT NULL,
  behavior_snapshot bytea,
  rules_digest bytea NOT NULL,
  policy_digest bytea NOT NULL,
  item json NOT NULL,
  search text NOT NULL,
  salt bytea NOT NULL,
  PRIMARY KEY (organization_id, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
-- To compress responses took a fifth of PostgreSQL's time for a batch, and every read would take them apart again: they go out of line
-- as they are. What lists show stays in the row.
ALTER TABLE {schema}.assessments
  ALTER COLUMN response SET STORAGE EXTERNAL,
  ALTER COLUMN item SET STORAGE MAIN,
  ALTER COLUMN behavior_snapshot SET STORAGE MAIN;
-- Without the organization, which leads the primary key. While a table is empty all indexes that lead with it look alike, and a plan
-- made then outlives that: it would read everything of an organization to find one id.
CREATE INDEX assessments_by_action_id ON {schema}.assessments (action_id);
CREATE INDEX assessments_by_request_id ON {schema}.assessments (request_id);
GRANT SELECT, INSERT ON {schema}.assessments TO action_risk_{schema};

CREATE TRIGGER never_change BEFORE UPDATE OR TRUNCATE ON {schema}.assessments
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();

-- An assessment may go once all that its entry in the chain is computed from is in its seal and its erasure. The rows of a statement
-- are checked together: checking each took half of the time of erasing.
CREATE FUNCTION {schema}.only_erased_assessments() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM gone WHERE NOT EXISTS (
        SELECT FROM {schema}.erasures AS erased JOIN {schema}.seals USING (organization_id, assessment_id)
        WHERE erased.organization_id = gone.organization_id AND erased.assessment_id = gone.assessment_id
          AND erased.created_at = gone.created_at AND erased.rules_digest = gone.rules_digest
          AND erased.policy_digest = gone.policy_digest
      )
    ) THEN
      RAISE EXCEPTION 'rows of % are evidence: only what is sealed is erased, and only on record', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
  END
$$;
CREATE TRIGGER only_erased AFTER DELETE ON {schema}.assessments REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.only_erased_assessments();

-- A row is an idempotency key with the assessment that answers it, and the digest of the body that it answers. It is written in the
-- statement of the assessment itself, so a key is never claimed by work that is yet to be done.
CREATE TABLE {schema}.idempotency_keys (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  input_digest bytea NOT NULL,
  assessment_id uuid NOT NULL,
  completed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX idempotency_keys_by_completion ON {schema}.idempotency_keys (completed_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.idempotency_keys TO action_risk_{schema};

-- Leaves the rows that the shared statement of `writeAssessments.ts` leaves, whose columns have the order of these parameters, and locks
-- them in its order, so that the two cannot wait for each other in a circle. That statement sets up some ninety nodes of a plan, however
-- few assessments it writes. Here each row has a small plan, which the session keeps.
--
-- Gives null where nothing was written, else whether a delivery was queued. The rows that only this assessment has come last, because
-- no other statement waits for them.
CREATE FUNCTION {schema}.write_assessment(
  its_organization_id uuid, its_key text, its_input_digest {schema}.digest, its_assessment_id uuid, its_action_id uuid,
  its_request_id text, its_created_at timestamptz, its_complete boolean, its_response bytea, its_result_digest {schema}.digest,
  its_input bytea, its_behavior_snapshot bytea, its_rules_digest {schema}.digest, its_policy_digest {schema}.digest,
  its_item json, its_search text, its_fingerprint {schema}.digest, its_normalized_action_type text, its_action_category text,
  its_action_class text, its_production boolean, its_changes boolean, its_agent_id text, its_summed_under text,
  its_destination_key text, its_destination_summed_under text, its_stated_entities {schema}.figure,
  its_stated_usd_cents {schema}.figure, its_scored_entities {schema}.figure, its_scored_usd_cents {schema}.figure,
  its_salt {schema}.salt, its_level text
) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    its_day date := (its_created_at AT TIME ZONE 'UTC')::date;
    its_slot timestamptz := date_bin(interval '10 minutes', its_created_at, timestamptz '2000-01-01 00:00:00+00');
    is_reviewed boolean := NOT its_complete OR its_level IN ('high', 'critical');
    its_rank int := array_position(ARRAY['low', 'moderate', 'high', 'critical'], its_level) - 1;
    happened text[];
    is_announced boolean := false;
  BEGIN
    IF its_key IS NOT NULL THEN
      INSERT INTO idempotency_keys AS held (organization_id, key, input_digest, assessment_id, completed_at)
      VALUES (its_organization_id, its_key, its_input_digest, its_assessment_id, statement_timestamp())
      ON CONFLICT (organization_id, key) DO UPDATE
        SET input_digest = excluded.input_digest, assessment_id = excluded.assessment_id, completed_at = excluded.completed_at
        WHERE held.completed_at <= statement_timestamp() - interval '24 hours';
      IF NOT FOUND THEN RETURN NULL; END IF;
    END IF;
    INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
      result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt)
    VALUES (its_organization_id, its_assessment_id, its_action_id, its_request_id, its_created_at, its_complete, its_response,
      its_result_digest, its_input, its_input_digest, its_behavior_snapshot, its_rules_digest, its_policy_digest, its_item,
      its_search, its_salt)
    ON CONFLICT (organization_id, assessment_id) DO NOTHING;
    IF NOT FOUND THEN RETURN NULL; END IF;

    happened := array_remove(ARRAY[
      CASE WHEN its_complete THEN 'assessment.completed' ELSE 'assessment.incomplete' END,
      CASE its_level WHEN 'high' THEN 'assessment.high' WHEN 'critical' THEN 'assessment.critical' END,
      CASE WHEN is_reviewed THEN 'review.opened' END
    ], NULL);
    IF EXISTS (
      SELECT FROM webhook_endpoints
      WHERE organization_id = its_organization_id AND enabled AND events && happened AND least_rank <= its_rank
    ) THEN
      WITH wanted AS MATERIALIZED (
        SELECT endpoint_id, type,
          'evt_' || replace(its_assessment_id::text, '-', '') || '_' || split_part(type, '.', 2) AS event_id
        FROM webhook_endpoints CROSS JOIN LATERAL unnest(events) AS type
        WHERE organization_id = its_organization_id AND enabled AND type = ANY (happened) AND least_rank <= its_rank
      ), now AS MATERIALIZED (
        SELECT left(replace(time_ordered_id(statement_timestamp())::text, '-', ''), 16) AS ordered
      ), told AS (
        INSERT INTO webhook_events (organization_id, event_id, type, created_at, assessment_id)
        SELECT DISTINCT its_organization_id, event_id, type, statement_timestamp(), its_assessment_id FROM wanted ORDER BY event_id
      ), addressed AS (
        INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
          next_attempt_at, created_at)
        SELECT its_organization_id, (ordered || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid, endpoint_id,
          event_id, type, 'pending', 0, statement_timestamp(), statement_timestamp()
        FROM wanted CROSS JOIN now
        RETURNING 1
      )
      SELECT EXISTS (SELECT FROM addressed) INTO is_announced;
    END IF;

    IF its_complete THEN
      IF its_action_class <> 'read' THEN
        INSERT INTO sums AS known (organization_id, production, scope, name, hour, entities, usd_cents)
        SELECT its_organization_id, its_production, scope, name, date_trunc('hour', its_created_at, 'UTC'),
          its_scored_entities, its_scored_usd_cents
        FROM (VALUES
          ('agent', its_summed_under), ('destination', its_destination_summed_under), ('organization', '')
        ) AS of (scope, name)
        WHERE name IS NOT NULL
        ON CONFLICT (organization_id, production, scope, name, hour) DO UPDATE
          SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents;
      END IF;

      INSERT INTO units AS known (organization_id, day, fingerprint, production, changes, action_category, stated_entities,
        stated_usd_cents)
      VALUES (its_organization_id, its_day, its_fingerprint, its_production, its_changes, its_action_category,
        its_stated_entities, its_stated_usd_cents)
      ON CONFLICT (organization_id, day, fingerprint) DO UPDATE SET withdrawn = false, production = excluded.production,
          changes = excluded.changes, action_category = excluded.action_category,
          stated_entities = excluded.stated_entities, stated_usd_cents = excluded.stated_usd_cents
        WHERE known.withdrawn;
      IF FOUND THEN
        INSERT INTO sightings AS known (organization_id, production, kind, name, day, changes, units, first_at,
          largest_entities, largest_usd_cents)
        SELECT its_organization_id, its_production, kind, name, its_day, its_changes, 1, its_created_at,
          coalesce(its_stated_entities, 0), coalesce(its_stated_usd_cents, 0)
        FROM (VALUES
          ('action_type', its_normalized_action_type), ('agent', its_agent_id), ('destination', its_destination_key)
        ) AS of (kind, name)
        WHERE name IS NOT NULL
        ON CONFLICT (organization_id, production, kind, name, day, changes) DO UPDATE SET
          units = known.units + excluded.units,
          first_at = least(known.first_at, excluded.first_at),
          largest_entities = greatest(known.largest_entities, excluded.largest_entities),
          largest_usd_cents = greatest(known.largest_usd_cents, excluded.largest_usd_cents);

        INSERT INTO unit_figures AS known (organization_id, production, day, measure, figure, changes, units)
        SELECT its_organization_id, its_production, its_day, measure, figure, its_changes, 1
        FROM (VALUES
          ('units', 0::bigint),
          ('entities', trunc(its_stated_entities::numeric, least(0, 2 - length(its_stated_entities::text)))::bigint),
          (its_action_category, trunc(its_stated_usd_cents::numeric, least(0, 2 - length(its_stated_usd_cents::text)))::bigint)
        ) AS of (measure, figure)
        WHERE figure IS NOT NULL ORDER BY measure
        ON CONFLICT (organization_id, production, day, measure, figure, changes) DO UPDATE
          SET units = known.units + excluded.units;
      END IF;

      INSERT INTO agent_paces AS known (organization_id, production, name, slot, changes, assessments)
      VALUES (its_organization_id, its_production, its_summed_under, its_slot, its_changes, 1)
      ON CONFLICT (organization_id, production, name, slot, changes) DO UPDATE
        SET assessments = known.assessments + excluded.assessments;

      INSERT INTO paces AS known (organization_id, production, slot, assessments)
      VALUES (its_organization_id, its_production, its_slot, 1)
      ON CONFLICT (organization_id, production, slot) DO UPDATE SET assessments = known.assessments + excluded.assessments;

      INSERT INTO history (organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
        action_class, production, changes, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities,
        scored_usd_cents, destination_summed_under)
      VALUES (its_organization_id, its_created_at, its_assessment_id, its_fingerprint, its_normalized_action_type,
        its_action_category, its_action_class, its_production, its_changes, its_agent_id, its_destination_key,
        its_stated_entities, its_stated_usd_cents, its_scored_entities, its_scored_usd_cents, its_destination_summed_under);
    END IF;

    IF is_reviewed THEN
      INSERT INTO reviews (organization_id, assessment_id, opened_at)
      VALUES (its_organization_id, its_assessment_id, statement_timestamp());
    END IF;
    INSERT INTO unsealed (organization_id, assessment_id) VALUES (its_organization_id, its_assessment_id);
    RETURN is_announced;
  END
$$;
GRANT EXECUTE ON FUNCTION {schema}.write_assessment TO action_risk_{schema};
