/** Takes an assessment that a person rejected out of what snapshots are read from; its pace and its 24 h sums stay. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { recountedMax } from "../../Limits.ts"
import { rounded } from "../assessmentRecords/fold.ts"

/** The unit of an assessment, and the names that it was seen under. */
interface UnitRow {
  readonly day: string
  readonly fingerprint: Uint8Array
  readonly normalized_action_type: string
  readonly agent_id: string | null
  readonly destination_key: string | null
  readonly assessments_of_day: number
}

interface LeftRow {
  readonly left_alone: boolean
}

const startOf = (day: string): string => `(${day})::timestamp AT TIME ZONE 'UTC'`

const ofDay = (column: string): string =>
  `organization_id = $1::uuid AND ${column} >= ${startOf("$2::date")} AND ${column} < ${startOf("$2::date + 1")}`

/** $1 organization, $2 assessment. Only complete assessments stand in history, and erased ones no more. */
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
 * $1 organization, $2 day, $3 destination, $4 fingerprint, $5 whether the day is counted anew. What is not known for
 * certain is taken for unfamiliar: no assessment of the unit remains, and nothing was seen at the destination before the
 * day's end, and nothing large. Of action types and agents nobody reads more than whether they were seen.
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

/** Of a unit that left; one from which others remain changes no count. */
const uncountSightings = `UPDATE sightings SET units = units - 1 WHERE ${itsSightings}`

const forgetSightings = `DELETE FROM sightings WHERE ${itsSightings} AND units <= 0`

/** $1 organization, $2 day, $3 fingerprint. */
const uncountFigures = `
INSERT INTO unit_figures AS known (organization_id, day, measure, figure, units)
SELECT organization_id, day, measure, figure, -1
FROM units CROSS JOIN LATERAL (VALUES
  ('units', 0::bigint),
  ('entities', ${rounded("stated_entities")}),
  (action_category, ${rounded("stated_usd_cents")})
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
 * In the transaction that closes the review, after the outcome is written. Rows are locked in the order of the statement
 * that writes assessments (units, sightings, unit_figures), each table's in the order of its key; and first locked, then
 * read by another statement, so that what is counted anew is what every writer has left.
 */
export const withdraw = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: string,
  assessmentId: string,
  countedMax = recountedMax
) {
  const [unit] = yield* sql.unsafe<UnitRow>(lockUnit, [organizationId, assessmentId])
  if (unit === undefined) return
  const { day, fingerprint } = unit
  const seen = [organizationId, day, unit.normalized_action_type, unit.agent_id, unit.destination_key]
  yield* sql.unsafe(lockSightings, seen)
  const counts = unit.assessments_of_day <= countedMax
  const [left] = yield* sql.unsafe<LeftRow>(recount, [
    organizationId,
    day,
    unit.destination_key,
    fingerprint,
    counts
  ])
  if (left?.left_alone === true) {
    yield* sql.unsafe(uncountSightings, seen)
    yield* sql.unsafe(forgetSightings, seen)
    yield* sql.unsafe(uncountFigures, [organizationId, day, fingerprint])
    yield* sql.unsafe(forgetFigures, [organizationId, day])
  }
  yield* sql.unsafe(revise, [organizationId])
})
