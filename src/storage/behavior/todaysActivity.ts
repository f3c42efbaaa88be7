/** Reads the history of the names in an action, the sums and the pace of the last hours, what today adds, and whether its idempotency key was answered: one statement for many queries. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import { isAnswered } from "../assessments/storedAnswers.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"

export interface TodayQuery {
  readonly organizationId: string
  readonly baseline: BaselineSettings
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
  /** Where the evidence of the past that is held ends. It is kept for a while after midnight (see `kept`). */
  readonly heldUntil?: string
  /** The idempotency key of the request, where it has one. */
  readonly key?: string | null
}

const sumOf = (table: string, scope: string, isName: string): string =>
  `SELECT entities, usd_cents FROM ${table} WHERE ${table}.organization_id = asked.organization_id
    AND ${table}.production = asked.production AND scope = '${scope}' AND name ${isName}
    AND hour >= date_trunc('hour', now - interval '24 hours', 'UTC')`

const within = (figure: string): string =>
  `least(greatest(coalesce(sum(${figure}), 0), 0), ${Number.MAX_SAFE_INTEGER})::float8`

/** The sums of a name over the last 24 hours, from the beginning of an hour, as outcome events have corrected them. */
const summed = (
  scope: "agent" | "destination" | "organization",
  isName: string
): string => `CROSS JOIN LATERAL (
  SELECT ${within("entities")} AS ${scope}_entities, ${within("usd_cents")} AS ${scope}_usd_cents
  FROM (${sumOf("sums", scope, isName)} UNION ALL ${sumOf("outcome_sums", scope, isName)}) AS counted
) AS of_${scope}`

/**
 * A long past takes longer to read than a request can wait. So after midnight the one that is held is served until the new one
 * is loaded: its evidence ends a day earlier than it could, which is no younger than it has to be.
 */
const kept = "CASE WHEN asked.held_until = ends - 1 THEN asked.held_until ELSE ends END"

const sighting = (
  kind: string
): string => `FROM sightings WHERE sightings.organization_id = asked.organization_id
    AND sightings.production = asked.production AND kind = '${kind}' AND name = asked.${kind}
    AND (changes OR NOT changes_only)`

const seenBefore = (kind: string): string => `EXISTS (SELECT ${sighting(kind)}
    AND day > today - asked.window_days AND day < until)`

/** 1 where today counts the unit of the action itself. */
const counted = "(own.withdrawn IS FALSE)::int"

/**
 * Since the evidence ends, by another unit than that of the action itself today. A name has two rows a day, as what changes
 * something is counted apart: only their sum says whether there is another unit.
 */
const seenLately = (kind: string): string => `(SELECT coalesce(bool_or(day < today)
    OR sum(sightings.units) FILTER (WHERE day = today) > ${counted}, false) ${sighting(kind)}
    AND day >= until AND day <= today)`

/**
 * One array element for each query: $1 organizations, $2 fingerprints, $3 action types, $4 agents, $5 destination keys,
 * $6 days of the window including today, $7 names of the agents' sums, $8 whether the history is that of production,
 * $9 hours since a day's end until it is evidence, $10 whether only what changes is evidence, $11 where the evidence of
 * the past that is held ends, $12 idempotency keys, $13 names of the destinations' sums.
 *
 * Each query looks its rows up separately (`LATERAL`): the plan of a join that was made while a table was empty may read all
 * of the table forever.
 *
 * Familiarity begins later: what was seen since the evidence ends (`until`) is only reported, apart from what the score uses.
 * `own` is the assessed action's own unit of today, which is not reported either. Sums and the pace of the last hour leave nothing out.
 */
export const todayStatement = `
WITH clock AS (
  SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today
)
SELECT until::text, (extract(epoch FROM now) * 1000000)::float8 AS at_micros,
  coalesce((SELECT revision FROM baseline_revisions WHERE baseline_revisions.organization_id = asked.organization_id), 0)
    ::float8 AS revision,
  coalesce((SELECT sum(unit_figures.units) FROM unit_figures WHERE unit_figures.organization_id = asked.organization_id
    AND unit_figures.production = asked.production AND (changes OR NOT changes_only) AND day >= until AND day <= today
    AND measure = 'units' AND figure = 0), 0)::float8 - ${counted} AS units_lately,
  paced.*, there.*, of_agent.*, of_destination.*, of_organization.*,
  ${seenBefore("action_type")} AS action_type_seen, ${seenLately("action_type")} AS action_type_seen_lately,
  ${seenBefore("agent")} AS agent_seen, ${seenLately("destination")} AS destination_seen_lately,
  ${isAnswered} AS answered
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::boolean[],
    $9::int[], $10::boolean[], $11::text[]::date[], $12::text[], $13::text[])
  WITH ORDINALITY AS asked (organization_id, fingerprint, action_type, agent, destination, window_days, summed_under,
    production, evidence_hours, changes_only, held_until, key, destination_summed_under, place)
CROSS JOIN clock
CROSS JOIN LATERAL (
  SELECT ((now - asked.evidence_hours * interval '1 hour') AT TIME ZONE 'UTC')::date AS ends
) AS evidence
CROSS JOIN LATERAL (SELECT ${kept} AS until) AS held
LEFT JOIN LATERAL (
  SELECT withdrawn FROM units
  WHERE units.organization_id = asked.organization_id AND day = today AND units.fingerprint = asked.fingerprint
  LIMIT 1
) AS own ON true
CROSS JOIN LATERAL (
  SELECT date_bin(interval '10 minutes', now - interval '60 minutes', timestamptz '2000-01-01 00:00:00+00') AS since
) AS recent
CROSS JOIN LATERAL (
  SELECT coalesce(sum(assessments), 0)::float8 AS last_hour FROM agent_paces
  WHERE agent_paces.organization_id = asked.organization_id AND agent_paces.production = asked.production
    AND name = asked.summed_under AND slot >= since AND (changes OR NOT changes_only)
) AS paced
CROSS JOIN LATERAL (
  SELECT count(DISTINCT day)::int AS destination_days,
    coalesce(floor(extract(epoch FROM now - min(first_at)) / 3600), 0)::int AS destination_hours,
    coalesce(max(sightings.largest_entities), 0)::float8 AS largest_entities,
    coalesce(max(sightings.largest_usd_cents), 0)::float8 AS largest_usd_cents
  ${sighting("destination")} AND day > today - asked.window_days AND day < until
) AS there
${summed("agent", "= asked.summed_under")}
${summed("destination", "= asked.destination_summed_under")}
${summed("organization", "= ''")}
ORDER BY place`

export interface TodayRow {
  readonly until: string
  readonly at_micros: number
  /** How many rejected reviews have taken something out of the organization's past. */
  readonly revision: number
  readonly units_lately: number
  readonly last_hour: number
  readonly destination_days: number
  readonly destination_hours: number
  readonly largest_entities: number
  readonly largest_usd_cents: number
  readonly agent_entities: number
  readonly agent_usd_cents: number
  readonly destination_entities: number
  readonly destination_usd_cents: number
  readonly organization_entities: number
  readonly organization_usd_cents: number
  readonly action_type_seen: boolean
  readonly action_type_seen_lately: boolean
  readonly agent_seen: boolean
  readonly destination_seen_lately: boolean
  /** Whether the idempotency key was answered and has not expired. */
  readonly answered: boolean
}

/** Gives the row of one query, for less: `schema/behavior.sql` says how. */
export const todayAloneStatement = `
SELECT * FROM read_behavior($1::uuid, $2::bytea, $3::text, $4::text, $5::text, $6::int, $7::text, $8::boolean, $9::int,
  $10::boolean, $11::text::date, $12::text, $13::text)`

const array = (values: ReadonlyArray<unknown>, oid: number) =>
  // Fails only for an element type without an array type, and these have one.
  Result.getOrThrow(PgTypes.array(values, oid))

const { bool, bytea, int4, text } = PgTypes.OID

/** Each parameter: the type of an element, and its value for a query. */
const parameters: ReadonlyArray<readonly [oid: number, value: (query: TodayQuery) => unknown]> = [
  [text, ({ organizationId }) => organizationId],
  [bytea, ({ fingerprint }) => fingerprint],
  [text, ({ record }) => record.normalizedActionType],
  [text, ({ record }) => record.agentId],
  [text, ({ record }) => record.destinationKey],
  [int4, ({ baseline }) => baseline.windowDays],
  [text, ({ record }) => record.summedUnder],
  [bool, ({ record }) => record.production],
  [int4, ({ baseline }) => baseline.evidenceHoursMin],
  [bool, ({ record }) => record.changes],
  [text, ({ heldUntil = null }) => heldUntil],
  [text, ({ key = null }) => key],
  [text, ({ record }) => record.destinationSummedUnder]
]

export const todayParameters = (queries: ReadonlyArray<TodayQuery>): ReadonlyArray<unknown> =>
  parameters.map(([oid, value]) => array(queries.map(value), oid))

export const todayAloneParameters = (query: TodayQuery): ReadonlyArray<unknown> =>
  parameters.map(([, value]) => {
    const given = value(query)
    return typeof given === "number" ? PgTypes.int4(given) : given
  })
