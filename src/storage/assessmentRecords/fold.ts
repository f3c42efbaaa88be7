/** How assessments enter what snapshots are read from: the statements of one fold over the rows of `fresh`. */

/** A figure by its first two digits, as `scoring/firstTwoDigits.ts` has it. */
export const rounded = (column: string): string =>
  `trunc(${column}::numeric, least(0, 2 - length(${column}::text)))::bigint`

const tenMinutes = "date_bin(interval '10 minutes', created_at, timestamptz '2000-01-01 00:00:00+00')"

/**
 * Common table expressions that follow a `fresh` with the columns of `history`. Rows of every table are taken in the
 * order of its key, so that statements of several processes wait for each other and never in a circle.
 *
 * A unit enters when its first assessment of the day does. Later ones only move its part of the 24 h sums to their hour:
 * repeating a question is no evidence, and hides nothing. `known` says what else meeting a known unit does to it, and
 * `again` which of those enter once more.
 */
const folding = ({ again, known }: { readonly known: string; readonly again: string }) => `
paced AS (
  INSERT INTO paces AS known (organization_id, slot, assessments)
  SELECT organization_id, ${tenMinutes}, count(*) FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
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
  ON CONFLICT (organization_id, day, fingerprint) DO UPDATE ${known}
  RETURNING *
), met AS MATERIALIZED (
  SELECT firsts.*, known_units.last_hour AS moved_to, moved_from, summed_entities, summed_usd_cents,
    moved_from IS NULL${again} AS enters
  FROM known_units JOIN firsts USING (fingerprint, day, organization_id)
), entered AS (
  SELECT * FROM met WHERE enters
), figured AS (
  INSERT INTO unit_figures AS known (organization_id, day, measure, figure, units)
  SELECT organization_id, day, measure, figure, count(*)
  FROM entered CROSS JOIN LATERAL (VALUES
    ('units', 0::bigint),
    ('entities', ${rounded("stated_entities")}),
    (action_category, ${rounded("stated_usd_cents")})
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
  SELECT organization_id, coalesce(agent_id, ''), hour, sum(sign * summed_entities), sum(sign * summed_usd_cents)
  FROM met CROSS JOIN LATERAL (VALUES (moved_to, 1), (moved_from, -1)) AS part (hour, sign)
  WHERE hour IS NOT NULL
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, agent, hour) DO UPDATE
    SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents
)`

/** On the tables as migration 0040 creates them, which counts with it what was assessed before. */
export const fold = folding({
  known: `SET moved_from = known.last_hour, last_hour = excluded.last_hour
    WHERE known.last_hour < excluded.last_hour`,
  again: ""
})

const figureOf = (column: string) =>
  `${column} = CASE WHEN known.withdrawn THEN excluded.${column} ELSE known.${column} END`

/** A unit all of whose assessments were rejected in review enters again with the next one of its day. */
export const foldReviewed = folding({
  known: `SET moved_from = known.last_hour, last_hour = greatest(known.last_hour, excluded.last_hour),
      withdrawn = false, returned = known.withdrawn,
      ${["action_category", "stated_entities", "stated_usd_cents"].map(figureOf).join(",\n      ")}
    WHERE known.last_hour < excluded.last_hour OR known.withdrawn`,
  again: " OR returned"
})
