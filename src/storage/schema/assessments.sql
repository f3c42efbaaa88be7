-- Assessments and idempotency keys: requests, answers and their evidence, and the function that writes all of them.

-- A domain checks a value once, when it enters the database. Table constraints would be read and planned again by every statement that
-- inserts, which took a sixth of the time of writing a single assessment.
CREATE DOMAIN {schema}.digest AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN {schema}.salt AS bytea CHECK (octet_length(VALUE) = 16);
CREATE DOMAIN {schema}.figure AS bigint CHECK (VALUE >= 0);
GRANT USAGE ON TYPE {schema}.digest, {schema}.salt, {schema}.figure TO {role};

-- A row is an assessment, which never changes. `response` and `input` are the bytes that were sent and hashed: jsonb and text would change
-- them. `item` is the row shown in lists, `search` the text for searches. Digests are SHA-256. Because of the random `salt`, a leaf of the
-- seal reveals nothing about short input once both are erased.
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
-- Compressing responses took a fifth of PostgreSQL's time for a batch, and every read would have to decompress them, so they are stored out
-- of line uncompressed. The data for lists stays in the row.
ALTER TABLE {schema}.assessments
  ALTER COLUMN response SET STORAGE EXTERNAL,
  ALTER COLUMN item SET STORAGE MAIN,
  ALTER COLUMN behavior_snapshot SET STORAGE MAIN;
-- Without the organization, which leads the primary key. While a table is empty, all indexes that start with it look alike, and a plan made
-- then is kept: it would read everything of an organization to find one id.
CREATE INDEX assessments_by_action_id ON {schema}.assessments (action_id);
CREATE INDEX assessments_by_request_id ON {schema}.assessments (request_id);
GRANT SELECT, INSERT ON {schema}.assessments TO {role};

CREATE TRIGGER never_change BEFORE UPDATE OR TRUNCATE ON {schema}.assessments
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();

-- An assessment may be deleted only after its seal and its erasure contain everything from which its chain entry is computed. The rows of a
-- statement are checked together, because checking them one by one took half of the time of erasing.
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

-- A row is an idempotency key with the assessment that answers it and the digest of the body. The assessment's own statement writes it, so
-- unfinished work never claims a key.
CREATE TABLE {schema}.idempotency_keys (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  input_digest bytea NOT NULL,
  assessment_id uuid NOT NULL,
  completed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX idempotency_keys_by_completion ON {schema}.idempotency_keys (completed_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.idempotency_keys TO {role};

-- The stored answer under an idempotency key, unless the key has expired. `LIMIT 1` fixes the plan: first the key, then its assessment.
-- Plans are kept, and one made while a table was small may read all of an organization's assessments for each key.
CREATE FUNCTION {schema}.find_answer(its_organization_id uuid, its_key text)
RETURNS TABLE (assessment_id uuid, request_id text, input_digest bytea, complete boolean, response bytea) LANGUAGE sql STABLE AS $$
  SELECT held.assessment_id, kept.request_id, held.input_digest, kept.complete, kept.response
  FROM (
    SELECT assessment_id, input_digest FROM {schema}.idempotency_keys
    WHERE organization_id = its_organization_id AND key = its_key AND completed_at > statement_timestamp() - interval '24 hours'
    LIMIT 1
  ) AS held CROSS JOIN LATERAL (
    SELECT request_id, complete, response FROM {schema}.assessments
    WHERE organization_id = its_organization_id AND assessment_id = held.assessment_id
    LIMIT 1
  ) AS kept
$$;

-- Writes assessments, each completely or not at all. The arguments are arrays with one element per assessment. Returns the positions of
-- those written, from 1, and whether a delivery was queued.
--
-- Invariant: the transaction that writes an idempotency key's row also writes its assessment. Because of the unique key, only one process,
-- and only one assessment in a call, can do so. If a key belongs to another assessment, or the assessment is already stored, nothing of the
-- assessment is written. So a call may be repeated after a lost connection, and a call may contain an assessment twice.
--
-- Only complete assessments enter the history, at a time of the database's clock, which is also used to read the windows. A repeated
-- question is not evidence: only the first assessment of an action on a day makes its unit count. A withdrawn unit counts again with the
-- next assessment of its day. Sums and paces count every assessment, because what is done twice moves twice as much.
--
-- Tables are locked one after another, and the rows of each in key order, so that two calls never wait in a circle. Each statement has a
-- small plan that the session keeps: setting up a single plan for all of it would take longer than one assessment.
CREATE FUNCTION {schema}.write_assessments(
  its_organization_id uuid[], its_key text[], its_input_digest {schema}.digest[], its_assessment_id uuid[], its_action_id uuid[],
  its_request_id text[], its_created_at timestamptz[], its_complete boolean[], its_response bytea[],
  its_result_digest {schema}.digest[], its_input bytea[], its_behavior_snapshot bytea[], its_rules_digest {schema}.digest[],
  its_policy_digest {schema}.digest[], its_item json[], its_search text[], its_fingerprint {schema}.digest[],
  its_normalized_action_type text[], its_action_category text[], its_action_class text[], its_production boolean[],
  its_changes boolean[], its_agent_id text[], its_summed_under text[], its_destination_key text[],
  its_destination_summed_under text[], its_stated_entities {schema}.figure[], its_stated_usd_cents {schema}.figure[],
  its_scored_entities {schema}.figure[], its_scored_usd_cents {schema}.figure[], its_salt {schema}.salt[], its_level text[],
  OUT written int[], OUT announced boolean
) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    -- Positions: of assessments that may be written, of complete ones that were written, and of those whose units entered.
    asked int[] := ARRAY(SELECT generate_subscripts(its_key, 1));
    complete_ones int[];
    entered int[];
    -- Parallel arrays of what a statement has inserted: elements at the same index form a row.
    organizations uuid[];
    ids uuid[];
    days date[];
    fingerprints bytea[];
    keys_inserted int;
  BEGIN
    announced := false;
    INSERT INTO idempotency_keys AS held (organization_id, key, input_digest, assessment_id, completed_at)
    SELECT DISTINCT ON (its_organization_id[i], its_key[i])
      its_organization_id[i], its_key[i], its_input_digest[i], its_assessment_id[i], statement_timestamp()
    FROM (SELECT unnest(asked) AS i) AS places
    WHERE its_key[i] IS NOT NULL ORDER BY its_organization_id[i], its_key[i], i
    ON CONFLICT (organization_id, key) DO UPDATE
      SET input_digest = excluded.input_digest, assessment_id = excluded.assessment_id, completed_at = excluded.completed_at
      WHERE held.completed_at <= statement_timestamp() - interval '24 hours';
    GET DIAGNOSTICS keys_inserted = ROW_COUNT;
    -- Nearly always all are inserted. Only otherwise is it worth finding out which.
    IF keys_inserted < cardinality(array_remove(its_key, NULL)) THEN
      asked := ARRAY(
        SELECT i FROM unnest(asked) AS i
        WHERE its_key[i] IS NULL OR its_assessment_id[i] = (
          SELECT assessment_id FROM idempotency_keys WHERE organization_id = its_organization_id[i] AND key = its_key[i]
        )
      );
    END IF;

    WITH kept AS (
      INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
        result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt)
      SELECT its_organization_id[i], its_assessment_id[i], its_action_id[i], its_request_id[i], its_created_at[i], its_complete[i],
        its_response[i], its_result_digest[i], its_input[i], its_input_digest[i], its_behavior_snapshot[i], its_rules_digest[i],
        its_policy_digest[i], its_item[i], its_search[i], its_salt[i]
      FROM (SELECT unnest(asked) AS i) AS places
      ORDER BY its_organization_id[i], its_assessment_id[i]
      ON CONFLICT (organization_id, assessment_id) DO NOTHING
      RETURNING organization_id, assessment_id
    )
    SELECT array_agg(organization_id), array_agg(assessment_id) INTO organizations, ids FROM kept;
    IF ids IS NULL THEN RETURN; END IF;
    written := asked;
    IF cardinality(ids) < cardinality(asked) THEN
      written := ARRAY(
        SELECT min(i) FROM unnest(asked) AS i JOIN unnest(organizations, ids) AS kept (organization_id, assessment_id)
          ON its_organization_id[i] = organization_id AND its_assessment_id[i] = assessment_id
        GROUP BY organization_id, assessment_id
      );
    END IF;
    complete_ones := written;
    IF false = ANY (its_complete) THEN
      complete_ones := ARRAY(SELECT i FROM unnest(written) AS i WHERE its_complete[i]);
    END IF;

    IF EXISTS (SELECT FROM webhook_endpoints WHERE organization_id = ANY (its_organization_id) AND enabled) THEN
      announced := (
        SELECT coalesce(queue_deliveries(array_agg(its_organization_id[i]), array_agg(its_assessment_id[i]), array_agg(type),
          array_agg(its_level[i])), false)
        FROM (SELECT unnest(written) AS i) AS places CROSS JOIN LATERAL (VALUES
          ('assessment.completed', its_complete[i]), ('assessment.incomplete', NOT its_complete[i]),
          ('assessment.high', its_level[i] = 'high'), ('assessment.critical', its_level[i] = 'critical'),
          ('review.opened', NOT its_complete[i] OR its_level[i] IN ('high', 'critical'))
        ) AS event (type, happens)
        WHERE happens
      );
    END IF;

    IF complete_ones <> '{}' THEN
      INSERT INTO sums AS known (organization_id, production, scope, name, hour, entities, usd_cents)
      SELECT its_organization_id[i], its_production[i], scope, name, date_trunc('hour', its_created_at[i], 'UTC'),
        sum(its_scored_entities[i]), sum(its_scored_usd_cents[i])
      FROM (SELECT unnest(complete_ones) AS i) AS places CROSS JOIN LATERAL (VALUES
        ('agent', its_summed_under[i]), ('destination', its_destination_summed_under[i]), ('organization', '')
      ) AS of (scope, name)
      WHERE its_action_class[i] <> 'read' AND name IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (organization_id, production, scope, name, hour) DO UPDATE
        SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents;

      WITH known_units AS (
        INSERT INTO units AS known (organization_id, day, fingerprint, production, changes, action_category, stated_entities,
          stated_usd_cents)
        SELECT DISTINCT ON (its_organization_id[i], day, its_fingerprint[i]) its_organization_id[i], day, its_fingerprint[i],
          its_production[i], its_changes[i], its_action_category[i], its_stated_entities[i], its_stated_usd_cents[i]
        FROM (
          SELECT i, (its_created_at[i] AT TIME ZONE 'UTC')::date AS day FROM (SELECT unnest(complete_ones) AS i) AS places
        ) AS dated
        ORDER BY its_organization_id[i], day, its_fingerprint[i], its_created_at[i], its_assessment_id[i]
        ON CONFLICT (organization_id, day, fingerprint) DO UPDATE SET withdrawn = false, production = excluded.production,
            changes = excluded.changes, action_category = excluded.action_category,
            stated_entities = excluded.stated_entities, stated_usd_cents = excluded.stated_usd_cents
          WHERE known.withdrawn
        RETURNING organization_id, day, fingerprint
      )
      SELECT array_agg(organization_id), array_agg(day), array_agg(fingerprint) INTO organizations, days, fingerprints
      FROM known_units;
      entered := complete_ones;
      IF fingerprints IS NULL THEN
        entered := NULL;
      ELSIF cardinality(fingerprints) < cardinality(complete_ones) THEN
        entered := ARRAY(
          SELECT DISTINCT ON (organization_id, day, fingerprint) i
          FROM unnest(complete_ones) AS i JOIN unnest(organizations, days, fingerprints) AS known (organization_id, day, fingerprint)
            ON its_organization_id[i] = organization_id AND (its_created_at[i] AT TIME ZONE 'UTC')::date = day
              AND its_fingerprint[i] = fingerprint
          ORDER BY organization_id, day, fingerprint, its_created_at[i], its_assessment_id[i]
        );
      END IF;

      IF entered IS NOT NULL THEN
        -- One row for each name of a unit.
        INSERT INTO sightings AS known (organization_id, production, kind, name, day, changes, units, first_at,
          largest_entities, largest_usd_cents)
        SELECT its_organization_id[i], its_production[i], kind, name, (its_created_at[i] AT TIME ZONE 'UTC')::date, its_changes[i],
          count(*), min(its_created_at[i]), max(coalesce(its_stated_entities[i], 0)), max(coalesce(its_stated_usd_cents[i], 0))
        FROM (SELECT unnest(entered) AS i) AS places CROSS JOIN LATERAL (VALUES
          ('action_type', its_normalized_action_type[i]), ('agent', its_agent_id[i]), ('destination', its_destination_key[i])
        ) AS of (kind, name)
        WHERE name IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (organization_id, production, kind, name, day, changes) DO UPDATE SET
          units = known.units + excluded.units,
          first_at = least(known.first_at, excluded.first_at),
          largest_entities = greatest(known.largest_entities, excluded.largest_entities),
          largest_usd_cents = greatest(known.largest_usd_cents, excluded.largest_usd_cents);

        INSERT INTO unit_figures AS known (organization_id, production, day, measure, figure, changes, units)
        SELECT its_organization_id[i], its_production[i], (its_created_at[i] AT TIME ZONE 'UTC')::date, measure,
          first_two_digits(figure), its_changes[i], count(*)
        FROM (SELECT unnest(entered) AS i) AS places CROSS JOIN LATERAL (VALUES
          ('units', 0::bigint), ('entities', its_stated_entities[i]), (its_action_category[i], its_stated_usd_cents[i])
        ) AS of (measure, figure)
        WHERE figure IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (organization_id, production, day, measure, figure, changes) DO UPDATE
          SET units = known.units + excluded.units;
      END IF;

      INSERT INTO agent_paces AS known (organization_id, production, name, slot, changes, assessments)
      SELECT its_organization_id[i], its_production[i], its_summed_under[i],
        date_bin(interval '10 minutes', its_created_at[i], timestamptz '2000-01-01 00:00:00+00'), its_changes[i], count(*)
      FROM (SELECT unnest(complete_ones) AS i) AS places
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (organization_id, production, name, slot, changes) DO UPDATE
        SET assessments = known.assessments + excluded.assessments;

      INSERT INTO history (organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
        action_class, production, changes, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities,
        scored_usd_cents, destination_summed_under)
      SELECT its_organization_id[i], its_created_at[i], its_assessment_id[i], its_fingerprint[i], its_normalized_action_type[i],
        its_action_category[i], its_action_class[i], its_production[i], its_changes[i], its_agent_id[i], its_destination_key[i],
        its_stated_entities[i], its_stated_usd_cents[i], its_scored_entities[i], its_scored_usd_cents[i],
        its_destination_summed_under[i]
      FROM (SELECT unnest(complete_ones) AS i) AS places;
    END IF;

    -- Contract 4: a review for each one at level high or critical, or incomplete.
    IF false = ANY (its_complete) OR its_level && ARRAY['high', 'critical'] THEN
      INSERT INTO reviews (organization_id, assessment_id, opened_at)
      SELECT its_organization_id[i], its_assessment_id[i], statement_timestamp() FROM (SELECT unnest(written) AS i) AS places
      WHERE NOT its_complete[i] OR its_level[i] IN ('high', 'critical');
    END IF;
    INSERT INTO unsealed (organization_id, assessment_id)
    SELECT its_organization_id[i], its_assessment_id[i] FROM (SELECT unnest(written) AS i) AS places;
  END
$$;
-- By default every role may execute a function, but an owner of the database may have revoked that, so it is granted explicitly.
GRANT EXECUTE ON FUNCTION {schema}.find_answer, {schema}.write_assessments TO {role};
