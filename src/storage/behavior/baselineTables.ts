/** Takes assessments that a review rejected out of the tables that snapshots are read from. `write_assessments` adds them. */

import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { recountedMax } from "../../limits.ts"
import { decodeRows } from "../sql/rows.ts"

const UnitRow = Schema.Struct({
  day: Schema.String,
  fingerprint: Schema.Uint8Array,
  production: Schema.Boolean,
  changes: Schema.Boolean,
  normalizedActionType: Schema.String,
  agentId: Schema.NullOr(Schema.String),
  destinationKey: Schema.NullOr(Schema.String),
  /** Whether the history of that day is short enough to be counted again. */
  isCountedAgain: Schema.Boolean
})

/** Whether no assessment of the unit remains. */
const LeftRow = Schema.Struct({ leftAlone: Schema.Boolean })

const startOf = (day: string): string => `(${day})::timestamp AT TIME ZONE 'UTC'`

const ofDay = (column: string): string =>
  `organization_id = $1::uuid AND ${column} >= ${startOf("$2::date")} AND ${column} < ${startOf("$2::date + 1")}`

/** $1 organization, $2 assessment, $3 the most rows of a day that are counted again. The history has only complete assessments, and none that were erased. */
const lockUnit = `
SELECT units.day::text, fingerprint, units.production, units.changes, normalized_action_type, agent_id, destination_key,
  NOT EXISTS (
    SELECT FROM history WHERE history.organization_id = units.organization_id
      AND history.created_at >= ${startOf("units.day")} AND history.created_at < ${startOf("units.day + 1")}
    OFFSET $3::int
  ) AS is_counted_again
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

/** Of the statements on sightings: $1 organization, $2 day, $3 production, $4 action type, $5 agent, $6 destination, $7 changes. */
const names =
  "(VALUES ('action_type', $4::text), ('agent', $5::text), ('destination', $6::text)) AS gone (kind, name)"
const itsSightings = `organization_id = $1::uuid AND day = $2::date AND production = $3::boolean AND changes = $7::boolean
  AND (kind, name) IN (SELECT * FROM ${names})`

const lockSightings = `SELECT FROM sightings WHERE ${itsSightings} ORDER BY kind, name FOR UPDATE`

/**
 * $1 organization, $2 day, $3 destination, $4 fingerprint, $5 whether the day is counted again, $6 production, $7 changes.
 * Where it is not, everything uncertain counts as unfamiliar: no assessment of the unit remains, and the destination was first seen at
 * the day's end, with no large figures. Of action types and agents only the sighting itself is ever read.
 */
const recount = `
WITH remaining AS MATERIALIZED (
  SELECT DISTINCT ON (fingerprint) fingerprint, created_at, production, changes, destination_key,
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
  SELECT min(created_at) AS first_at, max(entities) AS entities, max(usd_cents) AS usd_cents
  FROM remaining WHERE destination_key = $3::text AND production = $6::boolean AND changes = $7::boolean
), counted_anew AS (
  UPDATE sightings SET
    first_at = coalesce(there.first_at, ${startOf("$2::date + 1")}),
    largest_entities = coalesce(there.entities, 0),
    largest_usd_cents = coalesce(there.usd_cents, 0)
  FROM there
  -- No name is empty. A condition that cannot hold would leave the table out of what a distributed database plans.
  WHERE organization_id = $1::uuid AND kind = 'destination' AND name = coalesce($3::text, '') AND day = $2::date
    AND production = $6::boolean AND changes = $7::boolean
)
SELECT EXISTS (SELECT FROM left_alone) AS left_alone`

/** For a unit that was withdrawn. A unit of which other assessments remain changes no count. */
const uncountSightings = `UPDATE sightings SET units = units - 1 WHERE ${itsSightings}`

const forgetSightings = `DELETE FROM sightings WHERE ${itsSightings} AND units <= 0`

/** $1 organization, $2 day, $3 fingerprint. */
const uncountFigures = `
INSERT INTO unit_figures AS known (organization_id, production, day, measure, figure, changes, units)
SELECT organization_id, production, day, measure, first_two_digits(figure), changes, -1
FROM units CROSS JOIN LATERAL (VALUES
  ('units', 0::bigint), ('entities', stated_entities), (action_category, stated_usd_cents)
) AS of (measure, figure)
WHERE organization_id = $1::uuid AND day = $2::date AND fingerprint = $3::bytea AND figure IS NOT NULL
ORDER BY 1, 2, 3, 4, 5, 6
ON CONFLICT (organization_id, production, day, measure, figure, changes) DO UPDATE SET units = known.units + excluded.units`

const forgetFigures =
  "DELETE FROM unit_figures WHERE organization_id = $1::uuid AND day = $2::date AND units <= 0"

const revise = `
INSERT INTO baseline_revisions AS known (organization_id, revision) VALUES ($1::uuid, 1)
ON CONFLICT (organization_id) DO UPDATE SET revision = known.revision + 1`

/**
 * Takes an assessment that a reviewer rejected out of the tables that snapshots are read from. Its part of the
 * pace and of the 24 h sums stays.
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
  const [unit] = yield* decodeRows(UnitRow)(sql.unsafe(lockUnit, [organizationId, assessmentId, countedMax]))
  if (unit === undefined) return
  const { changes, day, destinationKey, fingerprint, isCountedAgain, production } = unit
  const seen = [
    organizationId,
    day,
    production,
    unit.normalizedActionType,
    unit.agentId,
    destinationKey,
    changes
  ]
  yield* sql.unsafe(lockSightings, seen)
  const asked = [organizationId, day, destinationKey, fingerprint, isCountedAgain, production, changes]
  const [left] = yield* decodeRows(LeftRow)(sql.unsafe(recount, asked))
  if (left?.leftAlone === true) {
    yield* sql.unsafe(uncountSightings, seen)
    yield* sql.unsafe(forgetSightings, seen)
    yield* sql.unsafe(uncountFigures, [organizationId, day, fingerprint])
    yield* sql.unsafe(forgetFigures, [organizationId, day])
  }
  yield* sql.unsafe(revise, [organizationId])
})
