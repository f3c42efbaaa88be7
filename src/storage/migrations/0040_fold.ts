/** The statement that counts assessments in the tables as migration 0040 creates them. Frozen, like the migration that runs it. */

/** Common table expressions that follow a `fresh` with the columns of `history`. */
export const foldOf0040 = `
paced AS (
  INSERT INTO paces AS known (organization_id, slot, assessments)
  SELECT organization_id, date_bin(interval '10 minutes', created_at, timestamptz '2000-01-01 00:00:00+00'), count(*) FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, slot) DO UPDATE SET assessments = known.assessments + excluded.assessments
), firsts AS (
  SELECT DISTINCT ON (organization_id, day, fingerprint) *,
    date_trunc('hour', last_value(created_at) OVER of_unit, 'UTC') AS last_hour
  FROM fresh WINDOW of_unit AS (PARTITION BY organization_id, day, fingerprint ORDER BY created_at, assessment_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ORDER BY organization_id, day, fingerprint, created_at, assessment_id
), known_units AS (
  INSERT INTO units AS known (organization_id, day, fingerprint, last_hour, action_category,
    stated_entities, stated_usd_cents, summed_entities, summed_usd_cents)
  SELECT organization_id, day, fingerprint, last_hour, action_category, stated_entities, stated_usd_cents,
    CASE action_class WHEN 'read' THEN 0 ELSE scored_entities END,
    CASE action_class WHEN 'read' THEN 0 ELSE scored_usd_cents END
  FROM firsts ORDER BY organization_id, day, fingerprint
  ON CONFLICT (organization_id, day, fingerprint) DO UPDATE SET moved_from = known.last_hour, last_hour = excluded.last_hour
    WHERE known.last_hour < excluded.last_hour
  RETURNING *
), met AS MATERIALIZED (
  SELECT firsts.*, known_units.last_hour AS moved_to, moved_from, summed_entities, summed_usd_cents,
    coalesce(firsts.agent_id, '') AS stands_under, moved_from IS NULL AS enters
  FROM known_units JOIN firsts USING (fingerprint, day, organization_id)
), entered AS (
  SELECT * FROM met WHERE enters
), figured AS (
  INSERT INTO unit_figures AS known (organization_id, day, measure, figure, units)
  SELECT organization_id, day, measure, figure, count(*)
  FROM entered CROSS JOIN LATERAL (VALUES
    ('units', 0::bigint),
    ('entities', trunc(stated_entities::numeric, least(0, 2 - length(stated_entities::text)))::bigint),
    (action_category, trunc(stated_usd_cents::numeric, least(0, 2 - length(stated_usd_cents::text)))::bigint)
  ) AS of (measure, figure)
  WHERE figure IS NOT NULL
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, day, measure, figure) DO UPDATE SET units = known.units + excluded.units
), seen AS (
  SELECT organization_id, kind, name, day, created_at, fingerprint,
    coalesce(stated_entities, 0) AS entities, coalesce(stated_usd_cents, 0) AS usd_cents,
    row_number() OVER (PARTITION BY organization_id, kind, name, day
      ORDER BY coalesce(stated_entities, 0) DESC, fingerprint) AS entities_rank,
    row_number() OVER (PARTITION BY organization_id, kind, name, day
      ORDER BY coalesce(stated_usd_cents, 0) DESC, fingerprint) AS usd_cents_rank
  FROM entered CROSS JOIN LATERAL (VALUES
    ('action_type', normalized_action_type), ('agent', agent_id), ('destination', destination_key)
  ) AS of (kind, name)
  WHERE name IS NOT NULL
), sighted AS (
  INSERT INTO sightings AS known (organization_id, kind, name, day, units, first_at,
    largest_entities, largest_entities_by, other_entities, largest_usd_cents, largest_usd_cents_by, other_usd_cents)
  SELECT organization_id, kind, name, day, count(*), min(created_at),
    max(entities), (array_agg(fingerprint) FILTER (WHERE entities_rank = 1))[1],
    coalesce(max(entities) FILTER (WHERE entities_rank > 1), 0),
    max(usd_cents), (array_agg(fingerprint) FILTER (WHERE usd_cents_rank = 1))[1],
    coalesce(max(usd_cents) FILTER (WHERE usd_cents_rank > 1), 0)
  FROM seen GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, kind, name, day) DO UPDATE SET
    units = known.units + excluded.units,
    first_at = least(known.first_at, excluded.first_at),
    largest_entities = greatest(known.largest_entities, excluded.largest_entities),
    largest_entities_by = CASE WHEN excluded.largest_entities > known.largest_entities
      THEN excluded.largest_entities_by ELSE known.largest_entities_by END,
    other_entities = greatest(least(known.largest_entities, excluded.largest_entities),
      known.other_entities, excluded.other_entities),
    largest_usd_cents = greatest(known.largest_usd_cents, excluded.largest_usd_cents),
    largest_usd_cents_by = CASE WHEN excluded.largest_usd_cents > known.largest_usd_cents
      THEN excluded.largest_usd_cents_by ELSE known.largest_usd_cents_by END,
    other_usd_cents = greatest(least(known.largest_usd_cents, excluded.largest_usd_cents),
      known.other_usd_cents, excluded.other_usd_cents)
), summed AS (
  INSERT INTO agent_sums AS known (organization_id, agent, hour, entities, usd_cents)
  SELECT organization_id, stands_under, hour, sum(sign * summed_entities), sum(sign * summed_usd_cents)
  FROM met CROSS JOIN LATERAL (VALUES (moved_to, 1), (moved_from, -1)) AS part (hour, sign)
  WHERE hour IS NOT NULL
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, agent, hour) DO UPDATE
    SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents
)`
