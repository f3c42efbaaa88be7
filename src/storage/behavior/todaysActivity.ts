/** Reads the activity of today, and the history of the names in an action: one statement for many queries. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import { emptyHistogram, type Histogram, toHistogram } from "./BaselineWindow.ts"

export interface TodayQuery {
  readonly organizationId: string
  readonly baseline: { readonly windowDays: number }
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
}

/**
 * One array element for each query: $1 organizations, $2 fingerprints, $3 action types, $4 categories, $5 agents,
 * $6 destination keys, $7 days of the window including today, $8 whether the query is the first of its organization, $9
 * whether it is the first of its category in the organization, $10 names of the 24 h sums. Only the first query gets the figures that several share.
 *
 * Each query looks its rows up separately (`LATERAL`): the plan of a join that was made while a table was empty may read all
 * of the table forever.
 *
 * `own` is the assessed action's own unit of today. Every count leaves it out: repeating a request is no evidence. A
 * withdrawn unit is in no count anyway, but it is still in the 24 h sums.
 */
export const todayStatement = `
WITH clock AS (
  SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today
)
SELECT today::text, (extract(epoch FROM now) * 1000000)::float8 AS at_micros,
  own.withdrawn IS FALSE AS has_own,
  own.withdrawn IS FALSE AND own.action_category = asked.action_category AS own_category,
  CASE WHEN own.withdrawn IS FALSE THEN own.stated_entities END::float8 AS own_entities,
  CASE WHEN own.withdrawn IS FALSE THEN own.stated_usd_cents END::float8 AS own_usd_cents,
  coalesce((SELECT revision FROM baseline_revisions WHERE baseline_revisions.organization_id = asked.organization_id), 0)
    ::float8 AS revision,
  counted.*, paced.*, amounts.*,
  there.*,
  EXISTS (SELECT FROM sightings WHERE sightings.organization_id = asked.organization_id AND kind = 'action_type'
    AND name = asked.action_type AND day > today - asked.window_days
    AND (day < today OR sightings.units > (own.withdrawn IS FALSE)::int)) AS action_type_seen,
  EXISTS (SELECT FROM sightings WHERE sightings.organization_id = asked.organization_id AND kind = 'agent'
    AND name = asked.agent AND day > today - asked.window_days
    AND (day < today OR sightings.units > (own.withdrawn IS FALSE)::int)) AS agent_seen,
  recent.*
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::boolean[],
  $9::boolean[], $10::text[]) WITH ORDINALITY AS asked (organization_id, fingerprint, action_type, action_category, agent, destination,
  window_days, first_of_organization, first_of_category, summed_under, place)
CROSS JOIN clock
LEFT JOIN LATERAL (
  SELECT * FROM units
  WHERE units.organization_id = asked.organization_id AND day = today AND units.fingerprint = asked.fingerprint
  LIMIT 1
) AS own ON true
CROSS JOIN LATERAL (
  SELECT coalesce(sum(unit_figures.units) FILTER (WHERE measure = 'units'), 0)::float8 AS units,
    array_agg(figure::float8) FILTER (WHERE measure = 'entities') AS volume_figures,
    array_agg(unit_figures.units::float8) FILTER (WHERE measure = 'entities') AS volume_units
  FROM unit_figures
  WHERE first_of_organization AND unit_figures.organization_id = asked.organization_id AND day = today
    AND measure IN ('entities', 'units')
) AS counted
CROSS JOIN LATERAL (
  SELECT coalesce(sum(assessments), 0)::float8 AS last_hour FROM paces
  WHERE first_of_organization AND paces.organization_id = asked.organization_id
    AND slot >= date_bin(interval '10 minutes', now - interval '60 minutes', timestamptz '2000-01-01 00:00:00+00')
) AS paced
CROSS JOIN LATERAL (
  SELECT array_agg(figure::float8) AS amount_figures, array_agg(unit_figures.units::float8) AS amount_units
  FROM unit_figures
  WHERE first_of_category AND unit_figures.organization_id = asked.organization_id AND day = today
    AND measure = asked.action_category
) AS amounts
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE others > 0)::int AS destination_days,
    coalesce(floor(extract(epoch FROM now - min(first_at) FILTER (WHERE day < today)) / 3600), 0)::int
      AS destination_hours,
    coalesce(max(entities), 0)::float8 AS destination_entities,
    coalesce(max(usd_cents), 0)::float8 AS destination_usd_cents
  FROM (
    SELECT day, first_at,
      sightings.units - (day = today AND own.withdrawn IS FALSE)::int AS others,
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
    SELECT date_trunc('hour', now - interval '24 hours', 'UTC') AS since,
      CASE WHEN coalesce(own.summed_under, asked.agent, '') = asked.summed_under THEN own.last_hour END AS own_hour,
      own.summed_entities AS own_entities, own.summed_usd_cents AS own_usd_cents
  ) AS day_ago
  LEFT JOIN agent_sums ON agent_sums.organization_id = asked.organization_id
    AND agent_sums.agent = asked.summed_under AND hour >= since
) AS recent
ORDER BY place`

interface ReadRow {
  readonly today: string
  readonly at_micros: number
  /** How many rejected reviews have taken something out of the organization's past. */
  readonly revision: number
  readonly has_own: boolean
  readonly own_category: boolean | null
  readonly own_entities: number | null
  readonly own_usd_cents: number | null
  readonly units: number
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

/** A row as PostgreSQL sends it. Only the first of several queries has the figures that they share. Null without figures. */
export interface SharedTodayRow extends ReadRow {
  readonly volume_figures: ReadonlyArray<number> | null
  readonly volume_units: ReadonlyArray<number> | null
  readonly amount_figures: ReadonlyArray<number> | null
  readonly amount_units: ReadonlyArray<number> | null
}

export interface TodayRow extends ReadRow {
  readonly volumes: Histogram
  readonly amounts: Histogram
}

/** For each query the index of the first query with the same key. */
const firstsBy = (
  queries: ReadonlyArray<TodayQuery>,
  keyOf: (query: TodayQuery) => string
): ReadonlyArray<number> => {
  const firsts = new Map<string, number>()
  return queries.map((query, place) => {
    const key = keyOf(query)
    const first = firsts.get(key) ?? place
    firsts.set(key, first)
    return first
  })
}

const firstsOf = (queries: ReadonlyArray<TodayQuery>) => ({
  ofOrganization: firstsBy(queries, ({ organizationId }) => organizationId),
  ofCategory: firstsBy(queries, ({ organizationId, record }) => `${organizationId} ${record.actionCategory}`)
})

/** The rows in the order of the queries, each with its shared figures. Queries that share figures share one object. */
export const todayRowsOf = (
  queries: ReadonlyArray<TodayQuery>,
  rows: ReadonlyArray<SharedTodayRow>
): ReadonlyArray<TodayRow> => {
  const { ofCategory, ofOrganization } = firstsOf(queries)
  const volumes = rows.map((row) => figuresOf(row.volume_figures, row.volume_units))
  const amounts = rows.map((row) => figuresOf(row.amount_figures, row.amount_units))
  return rows.map((row, place) => {
    const first = ofOrganization[place] ?? place
    const { last_hour, units } = rows[first] ?? row
    return {
      ...row,
      units,
      last_hour,
      volumes: volumes[first] ?? emptyHistogram,
      amounts: amounts[ofCategory[place] ?? place] ?? emptyHistogram
    }
  })
}

const figuresOf = (figures: ReadonlyArray<number> | null, units: ReadonlyArray<number> | null): Histogram =>
  figures === null || units === null ? emptyHistogram : toHistogram({ figures, units })

const array = (values: ReadonlyArray<unknown>, oid: number) =>
  // Fails only for an element type without an array type, and these have one.
  Result.getOrThrow(PgTypes.array(values, oid))

export const todayParameters = (queries: ReadonlyArray<TodayQuery>): ReadonlyArray<unknown> => {
  const each = (oid: number, value: (query: TodayQuery) => unknown) => array(queries.map(value), oid)
  const { bool, bytea, int4, text } = PgTypes.OID
  const { ofCategory, ofOrganization } = firstsOf(queries)
  const isOwn = (first: number, place: number) => first === place
  return [
    each(text, ({ organizationId }) => organizationId),
    each(bytea, ({ fingerprint }) => fingerprint),
    each(text, ({ record }) => record.normalizedActionType),
    each(text, ({ record }) => record.actionCategory),
    each(text, ({ record }) => record.agentId),
    each(text, ({ record }) => record.destinationKey),
    each(int4, ({ baseline }) => baseline.windowDays),
    array(ofOrganization.map(isOwn), bool),
    array(ofCategory.map(isOwn), bool),
    each(text, ({ record }) => record.summedUnder)
  ]
}
