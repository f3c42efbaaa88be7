/** Adds assessments to the tables that snapshots are read from, and takes rejected ones out again. */

import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { recountedMax } from "../../limits.ts"
import { decodeRows } from "../sql/decodeRows.ts"

/** SQL that rounds a figure down to its first two digits, like `firstTwoDigits` in `scoring/arithmetic.ts`. */
const firstTwoDigitsSql = (column: string): string =>
  `trunc(${column}::numeric, least(0, 2 - length(${column}::text)))::bigint`

const tenMinutes = "date_bin(interval '10 minutes', created_at, timestamptz '2000-01-01 00:00:00+00')"

/** Counts the assessments of each ten minutes. */
const countPaces = `paced AS (
  INSERT INTO paces AS known (organization_id, slot, assessments)
  SELECT organization_id, ${tenMinutes}, count(*) FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, slot) DO UPDATE SET assessments = known.assessments + excluded.assessments
)`

/** What is done with units in one version of the tables. */
interface KnownUnit {
  /** What a later assessment of the day changes in its unit. */
  readonly known: string
  /** Which units enter a second time. */
  readonly again: string
  /** The name under which the 24 h sums count a unit: the column that keeps it, and the name itself. */
  readonly summed: { readonly column: string; readonly under: string }
}

/**
 * Writes the units of the assessments: one for each action, day and organization. `met` has the unit of each, and `entered`
 * the units that the tables below count.
 *
 * The first assessment of a day makes its unit enter. Later ones only move the unit's part of the 24 h sums to their hour:
 * repeating a question is no evidence, and hides nothing.
 */
const enterUnits = ({ again, known, summed }: KnownUnit) => `firsts AS (
  SELECT DISTINCT ON (organization_id, day, fingerprint) *,
    date_trunc('hour', last_value(created_at) OVER of_unit, 'UTC') AS last_hour
  FROM fresh WINDOW of_unit AS (PARTITION BY organization_id, day, fingerprint ORDER BY created_at, assessment_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ORDER BY organization_id, day, fingerprint, created_at, assessment_id
), known_units AS (
  INSERT INTO units AS known (organization_id, day, fingerprint, last_hour, action_category,
    stated_entities, stated_usd_cents${summed.column}, summed_entities, summed_usd_cents)
  SELECT organization_id, day, fingerprint, last_hour, action_category, stated_entities, stated_usd_cents${summed.column},
    CASE action_class WHEN 'read' THEN 0 ELSE scored_entities END,
    CASE action_class WHEN 'read' THEN 0 ELSE scored_usd_cents END
  FROM firsts ORDER BY organization_id, day, fingerprint
  ON CONFLICT (organization_id, day, fingerprint) DO UPDATE ${known}
  RETURNING *
), met AS MATERIALIZED (
  SELECT firsts.*, known_units.last_hour AS moved_to, moved_from, summed_entities, summed_usd_cents,
    ${summed.under} AS stands_under, moved_from IS NULL${again} AS enters
  FROM known_units JOIN firsts USING (fingerprint, day, organization_id)
), entered AS (
  SELECT * FROM met WHERE enters
)`

/** Counts the figures of the units that entered. */
const countFigures = `figured AS (
  INSERT INTO unit_figures AS known (organization_id, day, measure, figure, units)
  SELECT organization_id, day, measure, figure, count(*)
  FROM entered CROSS JOIN LATERAL (VALUES
    ('units', 0::bigint),
    ('entities', ${firstTwoDigitsSql("stated_entities")}),
    (action_category, ${firstTwoDigitsSql("stated_usd_cents")})
  ) AS of (measure, figure)
  WHERE figure IS NOT NULL
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, day, measure, figure) DO UPDATE SET units = known.units + excluded.units
)`

/** Counts the units that entered under each name that they have, with the two largest figures of each name. */
const countSightings = `seen AS (
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
)`

/**
 * Moves the part of each unit in the 24 h sums of its agent to the hour of its last assessment, under the name that the part
 * stands under: the first assessment of the day has decided it.
 */
const moveAgentSums = `summed AS (
  INSERT INTO agent_sums AS known (organization_id, agent, hour, entities, usd_cents)
  SELECT organization_id, stands_under, hour, sum(sign * summed_entities), sum(sign * summed_usd_cents)
  FROM met CROSS JOIN LATERAL (VALUES (moved_to, 1), (moved_from, -1)) AS part (hour, sign)
  WHERE hour IS NOT NULL
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, agent, hour) DO UPDATE
    SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents
)`

/**
 * Common table expressions that follow a `fresh` with the columns of `history`. The rows of every table are locked in the
 * order of its key, so that the statements of several processes cannot deadlock.
 */
const foldStatements = (onKnownUnit: KnownUnit) => `
${countPaces}, ${enterUnits(onKnownUnit)}, ${countFigures}, ${countSightings}, ${moveAgentSums}`

/** For the tables as migration 0040 creates them. The migration itself runs it over all earlier assessments. */
export const fold = foldStatements({
  known: `SET moved_from = known.last_hour, last_hour = excluded.last_hour
    WHERE known.last_hour < excluded.last_hour`,
  again: "",
  summed: { column: "", under: "coalesce(firsts.agent_id, '')" }
})

const figureOf = (column: string) =>
  `${column} = CASE WHEN known.withdrawn THEN excluded.${column} ELSE known.${column} END`

/** A withdrawn unit, all of whose assessments were rejected, enters again with the next assessment of its day. */
export const foldReviewed = foldStatements({
  known: `SET moved_from = known.last_hour, last_hour = greatest(known.last_hour, excluded.last_hour),
      withdrawn = false, returned = known.withdrawn,
      ${["action_category", "stated_entities", "stated_usd_cents"].map(figureOf).join(",\n      ")}
    WHERE known.last_hour < excluded.last_hour OR known.withdrawn`,
  again: " OR returned",
  // Units from before migration 0051 have no such name.
  summed: {
    column: ", summed_under",
    under: "coalesce(known_units.summed_under, firsts.agent_id, '')"
  }
})

const UnitRow = Schema.Struct({
  day: Schema.String,
  fingerprint: Schema.Uint8Array,
  normalized_action_type: Schema.String,
  agent_id: Schema.NullOr(Schema.String),
  destination_key: Schema.NullOr(Schema.String),
  /** How many assessments of the organization were made on that day. */
  assessments_of_day: Schema.Finite
})

const LeftRow = Schema.Struct({
  /** Whether no assessment of the unit remains. */
  left_alone: Schema.Boolean
})

const startOf = (day: string): string => `(${day})::timestamp AT TIME ZONE 'UTC'`

const ofDay = (column: string): string =>
  `organization_id = $1::uuid AND ${column} >= ${startOf("$2::date")} AND ${column} < ${startOf("$2::date + 1")}`

/** $1 organization, $2 assessment. The history has only complete assessments, and none that were erased. */
const lockUnit = `
SELECT units.day::text, fingerprint, normalized_action_type, agent_id, destination_key,
  (SELECT coalesce(sum(assessments), 0) FROM paces WHERE paces.organization_id = units.organization_id
    AND slot >= ${startOf("units.day")} AND slot < ${startOf("units.day + 1")})::float8 AS assessments_of_day
FROM (
  SELECT past.* FROM assessments CROSS JOIN LATERAL (
    SELECT organization_id, day, fingerprint, normalized_action_type, agent_id, destination_key FROM history
    WHERE history.organization_id = assessments.organization_id AND history.created_at = assessments.created_at
      AND history.assessment_id = assessments.assessment_id
    LIMIT 1
  ) AS past
  WHERE assessments.organization_id = $1::uuid AND assessments.assessment_id = $2::uuid
  LIMIT 1
) AS rejected JOIN units USING (organization_id, day, fingerprint)
WHERE NOT withdrawn
FOR UPDATE OF units`

/** Of the statements on sightings: $1 organization, $2 day, $3 action type, $4 agent, $5 destination. */
const names =
  "(VALUES ('action_type', $3::text), ('agent', $4::text), ('destination', $5::text)) AS gone (kind, name)"
const itsSightings = `organization_id = $1::uuid AND day = $2::date AND (kind, name) IN (SELECT * FROM ${names})`

const lockSightings = `SELECT FROM sightings WHERE ${itsSightings} ORDER BY kind, name FOR UPDATE`

/**
 * $1 organization, $2 day, $3 destination, $4 fingerprint, $5 whether the day is counted again. Where it is not, everything
 * uncertain counts as unfamiliar: no assessment of the unit remains, and the destination was first seen at the day's end,
 * with no large figures. Of action types and agents only the sighting itself is ever read.
 */
const recount = `
WITH remaining AS MATERIALIZED (
  SELECT DISTINCT ON (fingerprint) fingerprint, created_at, destination_key,
    coalesce(stated_entities, 0) AS entities, coalesce(stated_usd_cents, 0) AS usd_cents
  FROM history
  WHERE $5::boolean AND ${ofDay("created_at")} AND (fingerprint = $4::bytea OR destination_key = $3::text)
    AND NOT EXISTS (SELECT FROM reviews WHERE reviews.organization_id = history.organization_id
      AND reviews.assessment_id = history.assessment_id AND outcome = 'risk_rejected')
  ORDER BY fingerprint, created_at, assessment_id
), left_alone AS (
  UPDATE units SET withdrawn = true
  WHERE organization_id = $1::uuid AND day = $2::date AND fingerprint = $4::bytea
    AND NOT EXISTS (SELECT FROM remaining WHERE remaining.fingerprint = $4::bytea)
  RETURNING 1
), there AS (
  SELECT * FROM remaining WHERE destination_key = $3::text
), most AS (
  SELECT entities, fingerprint FROM there ORDER BY entities DESC, fingerprint LIMIT 1
), dearest AS (
  SELECT usd_cents, fingerprint FROM there ORDER BY usd_cents DESC, fingerprint LIMIT 1
), counted_anew AS (
  UPDATE sightings SET
    first_at = coalesce((SELECT min(created_at) FROM there), ${startOf("$2::date + 1")}),
    largest_entities = coalesce((SELECT entities FROM most), 0),
    largest_entities_by = coalesce((SELECT fingerprint FROM most), ''),
    other_entities = coalesce((SELECT max(entities) FROM there WHERE fingerprint <> (SELECT fingerprint FROM most)), 0),
    largest_usd_cents = coalesce((SELECT usd_cents FROM dearest), 0),
    largest_usd_cents_by = coalesce((SELECT fingerprint FROM dearest), ''),
    other_usd_cents = coalesce((SELECT max(usd_cents) FROM there WHERE fingerprint <> (SELECT fingerprint FROM dearest)), 0)
  WHERE organization_id = $1::uuid AND kind = 'destination' AND name = $3::text AND day = $2::date
)
SELECT EXISTS (SELECT FROM left_alone) AS left_alone`

/** For a unit that was withdrawn. A unit of which other assessments remain changes no count. */
const uncountSightings = `UPDATE sightings SET units = units - 1 WHERE ${itsSightings}`

const forgetSightings = `DELETE FROM sightings WHERE ${itsSightings} AND units <= 0`

/** $1 organization, $2 day, $3 fingerprint. */
const uncountFigures = `
INSERT INTO unit_figures AS known (organization_id, day, measure, figure, units)
SELECT organization_id, day, measure, figure, -1
FROM units CROSS JOIN LATERAL (VALUES
  ('units', 0::bigint),
  ('entities', ${firstTwoDigitsSql("stated_entities")}),
  (action_category, ${firstTwoDigitsSql("stated_usd_cents")})
) AS of (measure, figure)
WHERE organization_id = $1::uuid AND day = $2::date AND fingerprint = $3::bytea AND figure IS NOT NULL
ORDER BY 1, 2, 3, 4
ON CONFLICT (organization_id, day, measure, figure) DO UPDATE SET units = known.units + excluded.units`

const forgetFigures =
  "DELETE FROM unit_figures WHERE organization_id = $1::uuid AND day = $2::date AND units <= 0"

const revise = `
INSERT INTO baseline_revisions AS known (organization_id, revision) VALUES ($1::uuid, 1)
ON CONFLICT (organization_id) DO UPDATE SET revision = known.revision + 1`

/**
 * Takes an assessment that a reviewer rejected out of the tables that snapshots are read from. Its part of `paces` and of
 * the 24 h sums stays.
 *
 * Runs in the transaction that closes the review, after the outcome is written. Rows are locked in the order of the statement
 * that writes assessments (units, sightings, unit_figures), and each table's rows in the order of its key. One statement
 * locks the rows and a later one reads them, so that the new counts include what every writer has left.
 */
export const withdraw = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: string,
  assessmentId: string,
  countedMax = recountedMax
) {
  const [unit] = yield* decodeRows(UnitRow)(sql.unsafe(lockUnit, [organizationId, assessmentId]))
  if (unit === undefined) return
  const { day, fingerprint } = unit
  const seen = [organizationId, day, unit.normalized_action_type, unit.agent_id, unit.destination_key]
  yield* sql.unsafe(lockSightings, seen)
  const counts = unit.assessments_of_day <= countedMax
  const [left] = yield* decodeRows(LeftRow)(
    sql.unsafe(recount, [organizationId, day, unit.destination_key, fingerprint, counts])
  )
  if (left?.left_alone === true) {
    yield* sql.unsafe(uncountSightings, seen)
    yield* sql.unsafe(forgetSightings, seen)
    yield* sql.unsafe(uncountFigures, [organizationId, day, fingerprint])
    yield* sql.unsafe(forgetFigures, [organizationId, day])
  }
  yield* sql.unsafe(revise, [organizationId])
})
