/** What today adds, and what is known of the very things that an action names: one statement for many questions. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"

export interface TodayQuestion {
  readonly organizationId: string
  readonly baseline: { readonly windowDays: number }
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
}

/**
 * $1 organizations, $2 fingerprints, $3 action types, $4 categories, $5 agents, $6 destination keys, one element per
 * question; $7 the days of each question's window, with today.
 *
 * `own` is the assessed action's own unit of today, which every count leaves out: repeating a question is no evidence.
 */
export const todayStatement = `
WITH clock AS (
  SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today
), asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
    WITH ORDINALITY AS asked (organization_id, fingerprint, action_type, action_category, agent, destination,
      window_days, place)
), alike AS MATERIALIZED (
  SELECT organization_id, action_category, counted.*, paced.*, volumes.*, amounts.*
  FROM (SELECT DISTINCT organization_id, action_category FROM asked) AS distinct_asked
  CROSS JOIN clock
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(units), 0)::float8 AS units FROM unit_figures
    WHERE unit_figures.organization_id = distinct_asked.organization_id AND day = today AND measure = 'units'
  ) AS counted
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(assessments), 0)::float8 AS last_hour FROM paces
    WHERE paces.organization_id = distinct_asked.organization_id
      AND slot >= date_bin(interval '10 minutes', now - interval '60 minutes', timestamptz '2000-01-01 00:00:00+00')
  ) AS paced
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(figure::float8), '{}') AS volume_figures,
      coalesce(array_agg(unit_figures.units::float8), '{}') AS volume_units
    FROM unit_figures
    WHERE unit_figures.organization_id = distinct_asked.organization_id AND day = today AND measure = 'entities'
  ) AS volumes
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(figure::float8), '{}') AS amount_figures,
      coalesce(array_agg(unit_figures.units::float8), '{}') AS amount_units
    FROM unit_figures
    WHERE unit_figures.organization_id = distinct_asked.organization_id AND day = today
      AND measure = distinct_asked.action_category
  ) AS amounts
)
SELECT today::text, (extract(epoch FROM now) * 1000000)::float8 AS at_micros,
  own.fingerprint IS NOT NULL AS has_own,
  own.action_category = asked.action_category AS own_category,
  own.stated_entities::float8 AS own_entities, own.stated_usd_cents::float8 AS own_usd_cents,
  alike.units, alike.last_hour, volume_figures, volume_units, amount_figures, amount_units,
  there.*,
  EXISTS (SELECT FROM sightings WHERE sightings.organization_id = asked.organization_id AND kind = 'action_type'
    AND name = asked.action_type AND day > today - asked.window_days
    AND (day < today OR sightings.units > (own.fingerprint IS NOT NULL)::int)) AS action_type_seen,
  EXISTS (SELECT FROM sightings WHERE sightings.organization_id = asked.organization_id AND kind = 'agent'
    AND name = asked.agent AND day > today - asked.window_days
    AND (day < today OR sightings.units > (own.fingerprint IS NOT NULL)::int)) AS agent_seen,
  recent.*
FROM asked
CROSS JOIN clock
JOIN alike USING (organization_id, action_category)
LEFT JOIN units AS own
  ON own.organization_id = asked.organization_id AND own.day = today AND own.fingerprint = asked.fingerprint
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE others > 0)::int AS destination_days,
    coalesce(floor(extract(epoch FROM now - min(first_at) FILTER (WHERE day < today)) / 3600), 0)::int
      AS destination_hours,
    coalesce(max(entities), 0)::float8 AS destination_entities,
    coalesce(max(usd_cents), 0)::float8 AS destination_usd_cents
  FROM (
    SELECT day, first_at,
      sightings.units - (day = today AND own.fingerprint IS NOT NULL)::int AS others,
      CASE WHEN day = today AND largest_entities_by = asked.fingerprint
        THEN other_entities ELSE largest_entities END AS entities,
      CASE WHEN day = today AND largest_usd_cents_by = asked.fingerprint
        THEN other_usd_cents ELSE largest_usd_cents END AS usd_cents
    FROM sightings WHERE sightings.organization_id = asked.organization_id AND kind = 'destination'
      AND name = asked.destination AND day > today - asked.window_days
  ) AS days
) AS there
CROSS JOIN LATERAL (
  SELECT
    least(coalesce(sum(entities), 0) - coalesce(max(own_entities) FILTER (WHERE own_hour >= since), 0),
      ${Number.MAX_SAFE_INTEGER})::float8 AS recent_entities,
    least(coalesce(sum(usd_cents), 0) - coalesce(max(own_usd_cents) FILTER (WHERE own_hour >= since), 0),
      ${Number.MAX_SAFE_INTEGER})::float8 AS recent_usd_cents
  FROM (
    SELECT date_trunc('hour', now - interval '24 hours', 'UTC') AS since, own.last_hour AS own_hour,
      own.summed_entities AS own_entities, own.summed_usd_cents AS own_usd_cents
  ) AS day_ago
  LEFT JOIN agent_sums ON agent_sums.organization_id = asked.organization_id
    AND agent_sums.agent = coalesce(asked.agent, '') AND hour >= since
) AS recent
ORDER BY place`

export interface TodayRow {
  readonly today: string
  readonly at_micros: number
  readonly has_own: boolean
  readonly own_category: boolean | null
  readonly own_entities: number | null
  readonly own_usd_cents: number | null
  readonly units: number
  readonly volume_figures: ReadonlyArray<number>
  readonly volume_units: ReadonlyArray<number>
  readonly amount_figures: ReadonlyArray<number>
  readonly amount_units: ReadonlyArray<number>
  readonly last_hour: number
  readonly destination_days: number
  readonly destination_hours: number
  readonly destination_entities: number
  readonly destination_usd_cents: number
  readonly action_type_seen: boolean
  readonly agent_seen: boolean
  readonly recent_entities: number
  readonly recent_usd_cents: number
}

const array = (values: ReadonlyArray<unknown>, oid: number) =>
  // Fails only for an element type without an array type, and these have one.
  Result.getOrThrow(PgTypes.array(values, oid))

export const todayParameters = (questions: ReadonlyArray<TodayQuestion>): ReadonlyArray<unknown> => {
  const each = (oid: number, value: (question: TodayQuestion) => unknown) => array(questions.map(value), oid)
  const { bytea, int4, text } = PgTypes.OID
  return [
    each(text, ({ organizationId }) => organizationId),
    each(bytea, ({ fingerprint }) => fingerprint),
    each(text, ({ record }) => record.normalizedActionType),
    each(text, ({ record }) => record.actionCategory),
    each(text, ({ record }) => record.agentId),
    each(text, ({ record }) => record.destinationKey),
    each(int4, ({ baseline }) => baseline.windowDays)
  ]
}
