/** Checks what an assessment carries where it enters the database, and not in each of its tables, in both modes. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/**
 * A statement that inserts reads the text of every constraint of its table and plans it anew, which took a sixth of the time of
 * an assessment that is written alone. A type checks its values as the statement takes them, and a session keeps what it read.
 */
const types = {
  digest: "bytea CHECK (octet_length(VALUE) = 32)",
  salt: "bytea CHECK (octet_length(VALUE) = 16)",
  figure: "bigint CHECK (VALUE >= 0)"
}

/** The words in these constraints stand in the statements themselves; all else has the types above. */
const checkedElsewhere = {
  assessments: ["result_digest", "input_digest", "rules_digest", "policy_digest", "salt"],
  history: ["fingerprint", "stated_entities", "stated_usd_cents", "scored_entities", "scored_usd_cents"],
  idempotency_keys: ["input_digest"],
  units: ["fingerprint"],
  sightings: ["kind"],
  sums: ["scope"]
}

/** By which a review is closed. Opening one can set none of these columns: the role has no such privilege. */
const closing = [
  "reviews_check",
  "reviews_check1",
  "reviews_check2",
  "reviews_check3",
  "reviews_outcome_check"
]
const closedWhole = `(NEW.outcome IS NULL) = (NEW.closed_at IS NULL) AND (NEW.note IS NULL OR NEW.outcome IS NOT NULL)
  AND (NEW.closed_by IS NULL OR NEW.closed_at IS NOT NULL) AND (NEW.closed_by_name IS NULL OR NEW.closed_by IS NOT NULL)
  AND (NEW.outcome IS NULL
    OR NEW.outcome IN ('acknowledged', 'risk_accepted', 'risk_rejected', 'false_positive', 'escalated'))`

const firstTwoDigits = (column: string): string =>
  `trunc(${column}::numeric, least(0, 2 - length(${column}::text)))::bigint`

/** In the order of the shared statement's columns. `afterDestination`: what a later migration adds. */
export const writeParametersIn = (
  mode: string,
  afterDestination = ""
): string => `its_organization_id uuid, its_key text, its_input_digest ${mode}.digest, its_assessment_id uuid, its_action_id uuid,
  its_request_id text, its_created_at timestamptz, its_complete boolean, its_response bytea, its_result_digest ${mode}.digest,
  its_input bytea, its_behavior_snapshot bytea, its_rules_digest ${mode}.digest, its_policy_digest ${mode}.digest, its_item json,
  its_search text, its_fingerprint ${mode}.digest, its_normalized_action_type text, its_action_category text,
  its_action_class text, its_production boolean, its_changes boolean, its_agent_id text, its_summed_under text,
  its_destination_key text, ${afterDestination}its_stated_entities ${mode}.figure, its_stated_usd_cents ${mode}.figure, its_scored_entities ${mode}.figure,
  its_scored_usd_cents ${mode}.figure, its_salt ${mode}.salt, its_level text`

/**
 * The function of migration 60 with these types, and without sorting what is in order already. It locks rows in the order of the
 * shared statement, as before. `columns` and `values` of history are what a later migration adds.
 */
export const writeBodyBy = (destinationSummedUnder: string, columns = "", values = ""): string => `$$
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
        FROM (VALUES ('agent', its_summed_under), ('destination', ${destinationSummedUnder}), ('organization', '')) AS of (scope, name)
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
          ('entities', ${firstTwoDigits("its_stated_entities")}),
          (its_action_category, ${firstTwoDigits("its_stated_usd_cents")})
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
        scored_usd_cents${columns})
      VALUES (its_organization_id, its_created_at, its_assessment_id, its_fingerprint, its_normalized_action_type,
        its_action_category, its_action_class, its_production, its_changes, its_agent_id, its_destination_key,
        its_stated_entities, its_stated_usd_cents, its_scored_entities, its_scored_usd_cents${values});
    END IF;

    IF is_reviewed THEN
      INSERT INTO reviews (organization_id, assessment_id, opened_at)
      VALUES (its_organization_id, its_assessment_id, statement_timestamp());
    END IF;
    INSERT INTO unsealed (organization_id, assessment_id) VALUES (its_organization_id, its_assessment_id);
    RETURN is_announced;
  END
$$`

export const checkValuesOnEntry = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    for (const [name, type] of Object.entries(types)) {
      yield* sql`CREATE DOMAIN ${schema}.${sql(name)} AS ${sql.literal(type)}`
      yield* sql`GRANT USAGE ON TYPE ${schema}.${sql(name)} TO ${role}`
    }
    for (const [table, columns] of Object.entries(checkedElsewhere)) {
      const drops = columns.map((column) => `DROP CONSTRAINT ${table}_${column}_check`).join(", ")
      yield* sql`ALTER TABLE ${schema}.${sql(table)} ${sql.literal(drops)}`
    }
    yield* moveReviewChecks(mode)

    const write = sql`${schema}.write_assessment`
    yield* sql`DROP FUNCTION ${write}`
    yield* sql`
      CREATE FUNCTION ${write}(${sql.literal(writeParametersIn(mode))}) RETURNS boolean
      LANGUAGE plpgsql AS ${sql.literal(writeBodyBy("its_destination_key"))}
    `
    yield* sql`GRANT EXECUTE ON FUNCTION ${write} TO ${role}`
  }
})

const moveReviewChecks = Effect.fnUntraced(function* (mode: string) {
  const sql = yield* SqlClient.SqlClient
  const [schema, role] = [sql(mode), sql(`action_risk_${mode}`)]
  const drops = closing.map((name) => `DROP CONSTRAINT ${name}`).join(", ")
  yield* sql`ALTER TABLE ${schema}.reviews ${sql.literal(drops)}`
  yield* sql`
    CREATE FUNCTION ${schema}.refuse_half_closed() RETURNS trigger LANGUAGE plpgsql AS ${sql.literal(`$$
      BEGIN
        RAISE EXCEPTION 'a review is closed whole: with its outcome and its time' USING ERRCODE = 'check_violation';
      END
    $$`)}
  `
  yield* sql`
    CREATE TRIGGER closed_whole BEFORE UPDATE ON ${schema}.reviews FOR EACH ROW
    WHEN (NOT (${sql.literal(closedWhole)})) EXECUTE FUNCTION ${schema}.refuse_half_closed()
  `
  yield* sql`REVOKE INSERT ON ${schema}.reviews FROM ${role}`
  yield* sql`GRANT INSERT (organization_id, assessment_id, opened_at) ON ${schema}.reviews TO ${role}`
})
