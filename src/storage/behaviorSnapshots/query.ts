/** The statement that reads a behaviour snapshot: the definitions of scoring.md §6, one after the other. */

import { PgTypes } from "@effect/sql-pg"
import { lookalikeCandidatesMax } from "../../Limits.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { Numbers } from "../../scoring/Model.ts"

/** The release's thresholds that a snapshot is read with. */
export type Baseline = Pick<Numbers["behavior"], "establishedDaysMin" | "establishedHoursMin" | "windowDays">

/**
 * $1 organization, $2 fingerprint, $3 action type, $4 category, $5 agent, $6 destination key, $7-$9 the thresholds.
 *
 * A unit is a fingerprint on a day. `others` leaves out the assessed action on its own day: repeating a question is no
 * evidence. Any length can imitate (hidden characters, `rn` for `m`), so candidates are bounded by number, not by length.
 * Figures of equal fingerprints are equal under one rule release; across a change of release the largest counts.
 */
export const snapshotStatement = `
WITH others AS MATERIALIZED (
  SELECT * FROM history
  WHERE organization_id = $1::uuid AND created_at < statement_timestamp()
    AND created_at >= statement_timestamp() - $7::int * interval '24 hours'
    AND NOT (fingerprint = $2::bytea AND day = (statement_timestamp() AT TIME ZONE 'UTC')::date)
), volumes AS (
  SELECT max(stated_entities) AS entities FROM others GROUP BY fingerprint, day
), amounts AS (
  SELECT max(stated_usd_cents) AS usd_cents FROM others WHERE action_category = $4::text GROUP BY fingerprint, day
), hours AS (
  SELECT count(*) AS assessments FROM others GROUP BY date_trunc('hour', created_at, 'UTC')
), there AS (
  SELECT * FROM others WHERE destination_key = $6::text
), recent AS (
  SELECT max(scored_entities) AS entities, max(scored_usd_cents) AS usd_cents FROM others
  WHERE created_at >= statement_timestamp() - interval '24 hours' AND action_class <> 'read'
    AND agent_id IS NOT DISTINCT FROM $5::text
  GROUP BY fingerprint, day
), established AS (
  SELECT destination_key FROM others
  WHERE destination_key <> $6::text
  GROUP BY destination_key
  HAVING count(DISTINCT day) >= $8::int
    AND min(created_at) <= statement_timestamp() - $9::int * interval '1 hour'
  ORDER BY abs(char_length(destination_key) - char_length($6::text)), destination_key
  LIMIT ${lookalikeCandidatesMax}
)
SELECT
  (extract(epoch FROM statement_timestamp()) * 1000000)::float8 AS at_micros,
  (SELECT count(*) FROM volumes)::int AS sample_size,
  (SELECT count(entities) FROM volumes)::int AS volume_units,
  (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY entities) FROM volumes)::float8 AS volume_median,
  (SELECT count(usd_cents) FROM amounts)::int AS amount_units,
  (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY usd_cents) FROM amounts)::float8 AS amount_median,
  (SELECT count(*) FROM history
    WHERE organization_id = $1::uuid AND created_at < statement_timestamp()
      AND created_at >= statement_timestamp() - interval '60 minutes')::int AS last_hour,
  (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY assessments) FROM hours)::int AS p95_per_hour,
  (SELECT count(DISTINCT day) FROM others)::int AS days,
  (SELECT count(*) FROM hours)::int AS hours,
  (SELECT count(DISTINCT day) FROM there)::int AS destination_days,
  (SELECT coalesce(floor(extract(epoch FROM statement_timestamp() - min(created_at)) / 3600), 0) FROM there)::int
    AS destination_hours,
  (SELECT coalesce(max(stated_entities), 0) FROM there)::float8 AS destination_entities,
  (SELECT coalesce(max(stated_usd_cents), 0) FROM there)::float8 AS destination_usd_cents,
  ARRAY(SELECT destination_key FROM established) AS established,
  EXISTS (SELECT FROM others WHERE normalized_action_type = $3::text) AS action_type_seen,
  EXISTS (SELECT FROM others WHERE agent_id = $5::text) AS agent_seen,
  (SELECT least(coalesce(sum(entities), 0), ${Number.MAX_SAFE_INTEGER}) FROM recent)::float8 AS recent_entities,
  (SELECT least(coalesce(sum(usd_cents), 0), ${Number.MAX_SAFE_INTEGER}) FROM recent)::float8 AS recent_usd_cents`

export const snapshotParameters = (
  organizationId: string,
  record: HistoryRecord,
  fingerprint: Uint8Array,
  baseline: Baseline
): ReadonlyArray<unknown> => [
  organizationId,
  fingerprint,
  record.normalizedActionType,
  record.actionCategory,
  record.agentId,
  record.destinationKey,
  PgTypes.int4(baseline.windowDays),
  PgTypes.int4(baseline.establishedDaysMin),
  PgTypes.int4(baseline.establishedHoursMin)
]

export interface SnapshotRow {
  readonly at_micros: number
  readonly sample_size: number
  readonly volume_units: number
  readonly volume_median: number | null
  readonly amount_units: number
  readonly amount_median: number | null
  readonly last_hour: number
  readonly p95_per_hour: number | null
  readonly days: number
  readonly hours: number
  readonly destination_days: number
  readonly destination_hours: number
  readonly destination_entities: number
  readonly destination_usd_cents: number
  readonly established: ReadonlyArray<string>
  readonly action_type_seen: boolean
  readonly agent_seen: boolean
  readonly recent_entities: number
  readonly recent_usd_cents: number
}
