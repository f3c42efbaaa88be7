/** What the days before today say about an organization, whatever it asks: good until the day ends, or one loses something. */

import { PgTypes } from "@effect/sql-pg"
import { establishedMax } from "../../Limits.ts"
import { imitatesOneOf } from "../../scoring/imitates.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { ascending, type Figures } from "./figures.ts"

/** The release's thresholds that a snapshot is read with. */
export type Baseline = Pick<Numbers["behavior"], "establishedDaysMin" | "establishedHoursMin" | "windowDays">

export interface Past {
  /** `2026-11-20`: the day that it is before. */
  readonly today: string
  /** How often it had lost something when it was read. */
  readonly revision: number
  readonly units: number
  /** By measure: `entities`, or an action category, whose figures are US cents. */
  readonly figures: ReadonlyMap<string, Figures>
  readonly velocity: { readonly p95PerHour: number | null; readonly days: number; readonly hours: number }
  /** Whether a destination key passes for one that was seen on enough days; the most recent of these are known. */
  readonly imitatesEstablished: (destinationKey: string) => boolean
}

/** $1 organization, $2 days of the window with today, $3 and $4 days and hours that establish a destination. */
export const pastStatement = `
WITH clock AS (
  SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today
), counted AS (
  SELECT measure, figure, sum(units) AS units FROM unit_figures, clock
  WHERE organization_id = $1::uuid AND day < today AND day > today - $2::int
  GROUP BY measure, figure
), hours AS (
  SELECT date_trunc('hour', slot, 'UTC') AS hour, sum(assessments) AS assessments FROM paces, clock
  WHERE organization_id = $1::uuid AND slot < today::timestamp AT TIME ZONE 'UTC'
    AND slot >= (today - $2::int + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY 1
), established AS (
  SELECT name FROM sightings, clock
  WHERE organization_id = $1::uuid AND kind = 'destination' AND day < today AND day > today - $2::int
  GROUP BY name, now
  HAVING count(*) >= $3::int AND min(first_at) <= now - $4::int * interval '1 hour'
  ORDER BY max(day) DESC, name LIMIT ${establishedMax}
)
SELECT today::text,
  coalesce((SELECT revision FROM baseline_revisions WHERE organization_id = $1::uuid), 0)::float8 AS revision,
  ARRAY(SELECT measure FROM counted ORDER BY measure, figure) AS measures,
  ARRAY(SELECT figure::float8 FROM counted ORDER BY measure, figure) AS figures,
  ARRAY(SELECT units::float8 FROM counted ORDER BY measure, figure) AS units,
  (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY assessments) FROM hours)::float8 AS p95_per_hour,
  (SELECT count(DISTINCT (hour AT TIME ZONE 'UTC')::date) FROM hours)::int AS days,
  (SELECT count(*) FROM hours)::int AS hours,
  ARRAY(SELECT name FROM established) AS established
FROM clock`

export const pastParameters = (organizationId: string, baseline: Baseline): ReadonlyArray<unknown> => [
  organizationId,
  PgTypes.int4(baseline.windowDays),
  PgTypes.int4(baseline.establishedDaysMin),
  PgTypes.int4(baseline.establishedHoursMin)
]

export interface PastRow {
  readonly today: string
  readonly revision: number
  readonly measures: ReadonlyArray<string>
  readonly figures: ReadonlyArray<number>
  readonly units: ReadonlyArray<number>
  readonly p95_per_hour: number | null
  readonly days: number
  readonly hours: number
  readonly established: ReadonlyArray<string>
}

export const pastOfRow = (row: PastRow): Past => {
  const byMeasure = new Map<string, { figures: Array<number>; units: Array<number> }>()
  row.measures.forEach((measure, i) => {
    const of = byMeasure.get(measure) ?? { figures: [], units: [] }
    of.figures.push(row.figures[i] ?? 0)
    of.units.push(row.units[i] ?? 0)
    byMeasure.set(measure, of)
  })
  return {
    today: row.today,
    revision: row.revision,
    units: byMeasure.get("units")?.units[0] ?? 0,
    figures: new Map(Array.from(byMeasure, ([measure, of]) => [measure, ascending(of)])),
    velocity: { p95PerHour: row.p95_per_hour, days: row.days, hours: row.hours },
    imitatesEstablished: imitatesOneOf(row.established)
  }
}
