/** Removes assessments that a review rejected from the tables that snapshots are read from. `write_assessments` adds them. */

import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { recountedMax } from "../../limits.ts"
import { decodeRows, pastOfEach } from "../sql/rows.ts"

const UnitRow = Schema.Struct({
  day: Schema.String,
  fingerprint: Schema.Uint8Array,
  production: Schema.Boolean,
  changes: Schema.Boolean,
  actionType: Schema.String,
  agent: Schema.NullOr(Schema.String),
  destination: Schema.NullOr(Schema.String),
  /** Whether the history of that day is short enough to be recounted. */
  isCountedAgain: Schema.Boolean
})

interface Unit extends Schema.Schema.Type<typeof UnitRow> {
  readonly organizationId: string
}

type Sql = SqlClient.SqlClient

/** The history contains only complete assessments that were not erased. */
const lockUnit = (sql: Sql, organizationId: string, assessmentId: string, countedMax: number) => sql`
  SELECT units.day::text, fingerprint, units.production, units.changes, normalized_action_type AS action_type, agent_id AS agent,
    destination_key AS destination, NOT EXISTS (
      SELECT FROM history WHERE history.organization_id = units.organization_id
        AND history.created_at >= units.day::timestamp AT TIME ZONE 'UTC'
        AND history.created_at < (units.day + 1)::timestamp AT TIME ZONE 'UTC'
      OFFSET ${countedMax}
    ) AS is_counted_again
  FROM (
    SELECT past.* FROM assessments CROSS JOIN LATERAL ${sql.literal(pastOfEach)} AS past
    WHERE assessments.organization_id = ${organizationId} AND assessments.assessment_id = ${assessmentId}
    LIMIT 1
  ) AS rejected JOIN units USING (organization_id, day, fingerprint)
  WHERE NOT withdrawn
  FOR UPDATE OF units
`

const ofDay = (sql: Sql, { day, organizationId }: Unit): Statement.Fragment =>
  sql`organization_id = ${organizationId} AND day = ${day}::date`

/** A condition on `sightings`: those in which the unit is counted. */
const ofUnit = (sql: Sql, unit: Unit): Statement.Fragment => {
  const { actionType, agent, changes, destination, production } = unit
  return sql`${ofDay(sql, unit)} AND production = ${production} AND changes = ${changes} AND (kind, name) IN (
    VALUES ('action_type', ${actionType}::text), ('agent', ${agent}::text), ('destination', ${destination}::text)
  )`
}

/**
 * If the day is not recounted, everything uncertain counts as unfamiliar: no assessment of the unit remains, and the destination was first
 * seen at the end of the day, without large figures. For action types and agents, only the sighting itself is ever read.
 */
const recount = (sql: Sql, unit: Unit) => {
  const { changes, day, destination, fingerprint, isCountedAgain, organizationId, production } = unit
  const ending = sql`(${day}::date + 1)::timestamp AT TIME ZONE 'UTC'`
  return sql`
    WITH remaining AS MATERIALIZED (
      SELECT DISTINCT ON (fingerprint) fingerprint, created_at, production, changes, destination_key,
        coalesce(stated_entities, 0) AS entities, coalesce(stated_usd_cents, 0) AS usd_cents
      FROM history
      WHERE ${isCountedAgain}::boolean AND organization_id = ${organizationId}
        AND created_at >= ${day}::date::timestamp AT TIME ZONE 'UTC' AND created_at < ${ending}
        AND (fingerprint = ${fingerprint} OR destination_key = ${destination})
        AND NOT EXISTS (SELECT FROM reviews WHERE reviews.organization_id = history.organization_id
          AND reviews.assessment_id = history.assessment_id AND outcome = 'risk_rejected')
      ORDER BY fingerprint, created_at, assessment_id
    ), withdrawn_unit AS (
      UPDATE units SET withdrawn = true
      WHERE ${ofDay(sql, unit)} AND fingerprint = ${fingerprint}
        AND NOT EXISTS (SELECT FROM remaining WHERE remaining.fingerprint = ${fingerprint})
      RETURNING 1
    ), there AS (
      SELECT min(created_at) AS first_at, max(entities) AS entities, max(usd_cents) AS usd_cents
      FROM remaining WHERE destination_key = ${destination} AND production = ${production} AND changes = ${changes}
    ), counted_again AS (
      UPDATE sightings SET
        first_at = coalesce(there.first_at, ${ending}),
        largest_entities = coalesce(there.entities, 0),
        largest_usd_cents = coalesce(there.usd_cents, 0)
      FROM there
      -- No name is empty, so this matches nothing without a destination. A constant false condition would remove the table from what a
      -- distributed database plans.
      WHERE ${ofDay(sql, unit)} AND kind = 'destination' AND name = ${destination ?? ""} AND production = ${production}
        AND changes = ${changes}
    )
    SELECT EXISTS (SELECT FROM withdrawn_unit) AS is_withdrawn
  `
}

/** For a withdrawn unit. If other assessments of the unit remain, no count changes. */
const uncount = Effect.fnUntraced(function* (sql: Sql, unit: Unit) {
  yield* sql`UPDATE sightings SET units = units - 1 WHERE ${ofUnit(sql, unit)}`
  yield* sql`DELETE FROM sightings WHERE ${ofUnit(sql, unit)} AND units <= 0`
  yield* sql`
    INSERT INTO unit_figures AS known (organization_id, production, day, measure, figure, changes, units)
    SELECT organization_id, production, day, measure, first_two_digits(figure), changes, -1
    FROM units CROSS JOIN LATERAL (VALUES
      ('units', 0::bigint), ('entities', stated_entities), (action_category, stated_usd_cents)
    ) AS of (measure, figure)
    WHERE ${ofDay(sql, unit)} AND fingerprint = ${unit.fingerprint} AND figure IS NOT NULL
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, production, day, measure, figure, changes) DO UPDATE SET units = known.units + excluded.units
  `
  yield* sql`DELETE FROM unit_figures WHERE ${ofDay(sql, unit)} AND units <= 0`
})

const decodeUnits = decodeRows(UnitRow)
const decodeRecounts = decodeRows(Schema.Struct({ isWithdrawn: Schema.Boolean }))

/**
 * Removes an assessment that a reviewer rejected from the tables that snapshots are read from. Its part in the pace and the 24 h sums
 * remains.
 *
 * Runs in the transaction that closes the review, after the outcome is written. Rows are locked in the same order as by the statement that
 * writes assessments (units, sightings, unit_figures), and within each table in key order. One statement locks the rows and a later one
 * reads them, so that the new counts include everything written by others.
 */
export const withdraw = Effect.fnUntraced(function* (
  sql: Sql,
  organizationId: string,
  assessmentId: string,
  countedMax = recountedMax
) {
  const [found] = yield* decodeUnits(lockUnit(sql, organizationId, assessmentId, countedMax))
  if (found === undefined) return
  const unit = { ...found, organizationId }
  yield* sql`SELECT FROM sightings WHERE ${ofUnit(sql, unit)} ORDER BY kind, name FOR UPDATE`
  const [recounted] = yield* decodeRecounts(recount(sql, unit))
  if (recounted?.isWithdrawn === true) yield* uncount(sql, unit)
  yield* sql`
    INSERT INTO baseline_revisions AS known (organization_id, revision) VALUES (${organizationId}, 1)
    ON CONFLICT (organization_id) DO UPDATE SET revision = known.revision + 1
  `
})
