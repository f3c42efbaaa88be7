/** Reads what an organization did on the days before today: one statement, cached for a minute. */

import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { baselineWindowRefreshMs, baselineWindowsMax, establishedDestinationsMax } from "../../limits.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { BaselineSettings } from "../../scoring/Edition.ts"
import { prepareLookalikes } from "../../scoring/names/lookalike.ts"
import { monotonicMs } from "../timeouts.ts"

export interface BaselineWindow {
  /** The window ends before this day, for example `2026-11-20`. */
  readonly today: string
  /** How many rejected reviews had taken something out of the organization's past when the window was read. */
  readonly revision: number
  readonly units: number
  /** By measure: `entities`, or an action category. The figures of a category are US cents. */
  readonly medians: ReadonlyMap<string, Median>
  readonly velocity: { readonly p95PerHour: number | null; readonly days: number; readonly hours: number }
  readonly usualDay: NonNullable<BehaviorSnapshot["usualDay"]>
  /** Whether a destination key looks like an established destination. Only the most recent of these are compared. */
  readonly isLookalikeOfEstablished: (destinationKey: string) => boolean
}

/** The sum that half of the days do not exceed. */
const usualOf = (column: string): string =>
  `(SELECT least(coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY ${column}), 0), ${Number.MAX_SAFE_INTEGER}) FROM summed)::float8`

/** $1 organization, $2 days of the window with today, $3 and $4 days and hours that establish a destination, $5 production. */
export const baselineWindowStatement = `
WITH clock AS (
  SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today
), counted AS (
  SELECT measure, figure, sum(units) AS units FROM unit_figures, clock
  WHERE organization_id = $1::uuid AND production = $5::boolean AND day < today AND day > today - $2::int
  GROUP BY measure, figure
), ranked AS (
  SELECT measure, figure, sum(units) OVER (PARTITION BY measure ORDER BY figure) AS up_to,
    sum(units) OVER (PARTITION BY measure) AS units
  FROM counted
), usual AS (
  SELECT measure, units, min(figure) FILTER (WHERE 2 * up_to >= units) AS median FROM ranked
  WHERE units > 0 GROUP BY measure, units
), hours AS (
  SELECT date_trunc('hour', slot, 'UTC') AS hour, sum(assessments) AS assessments FROM paces, clock
  WHERE organization_id = $1::uuid AND production = $5::boolean AND slot < today::timestamp AT TIME ZONE 'UTC'
    AND slot >= (today - $2::int + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY 1
), summed AS (
  SELECT sum(entities) AS entities, sum(usd_cents) AS usd_cents FROM sums, clock
  WHERE organization_id = $1::uuid AND production = $5::boolean AND scope = 'organization' AND name = ''
    AND hour < today::timestamp AT TIME ZONE 'UTC' AND hour >= (today - $2::int + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY (hour AT TIME ZONE 'UTC')::date
), established AS (
  SELECT name FROM sightings, clock
  WHERE organization_id = $1::uuid AND production = $5::boolean AND kind = 'destination' AND day < today AND day > today - $2::int
  GROUP BY name, now
  HAVING count(*) >= $3::int AND min(first_at) <= now - $4::int * interval '1 hour'
  ORDER BY max(day) DESC, name LIMIT ${establishedDestinationsMax}
)
SELECT today::text,
  coalesce((SELECT revision FROM baseline_revisions WHERE organization_id = $1::uuid), 0)::float8 AS revision,
  ARRAY(SELECT measure FROM usual ORDER BY measure) AS measures,
  ARRAY(SELECT units::float8 FROM usual ORDER BY measure) AS units,
  ARRAY(SELECT median::float8 FROM usual ORDER BY measure) AS medians,
  (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY assessments) FROM hours)::float8 AS p95_per_hour,
  (SELECT count(DISTINCT (hour AT TIME ZONE 'UTC')::date) FROM hours)::int AS days,
  (SELECT count(*) FROM hours)::int AS hours,
  (SELECT count(*) FROM summed)::int AS summed_days,
  ${usualOf("entities")} AS usual_entities, ${usualOf("usd_cents")} AS usual_usd_cents,
  ARRAY(SELECT name FROM established) AS established
FROM clock`

export const baselineWindowParameters = ({
  baseline,
  organizationId,
  production
}: BaselineWindowKey): ReadonlyArray<unknown> => [
  organizationId,
  PgTypes.int4(baseline.windowDays),
  PgTypes.int4(baseline.establishedDaysMin),
  PgTypes.int4(baseline.establishedHoursMin),
  production
]

export interface BaselineWindowRow {
  readonly today: string
  readonly revision: number
  readonly measures: ReadonlyArray<string>
  readonly units: ReadonlyArray<number>
  readonly medians: ReadonlyArray<number>
  readonly p95_per_hour: number | null
  readonly days: number
  readonly hours: number
  readonly summed_days: number
  readonly usual_entities: number
  readonly usual_usd_cents: number
  readonly established: ReadonlyArray<string>
}

/** The result of work that gives way to other requests between its steps. */
export const inSteps = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const step = work.next()
    return step.done === true ? Effect.succeed(step.value) : Effect.andThen(Effect.yieldNow, inSteps(work))
  })

export const baselineWindowOfRow = Effect.fnUntraced(function* (
  row: BaselineWindowRow,
  { counterDigitsMax }: BaselineSettings
): Effect.fn.Return<BaselineWindow> {
  const medians = new Map(
    row.measures.map((measure, i) => [measure, { units: row.units[i] ?? 0, median: row.medians[i] ?? null }])
  )
  return {
    today: row.today,
    revision: row.revision,
    units: medians.get("units")?.units ?? 0,
    medians,
    velocity: { p95PerHour: row.p95_per_hour, days: row.days, hours: row.hours },
    usualDay: { days: row.summed_days, entities: row.usual_entities, usdCents: row.usual_usd_cents },
    isLookalikeOfEstablished: yield* inSteps(prepareLookalikes(row.established, counterDigitsMax))
  }
})

interface BaselineWindowKey {
  readonly organizationId: string
  /** The history of production, or that of every other environment. */
  readonly production: boolean
  readonly baseline: BaselineSettings
}

interface CachedWindow {
  readonly loading: Fiber.Fiber<BaselineWindow, SqlError.SqlError>
  /** On the clock of `monotonicMs`. */
  readonly untilMs: number
  /** What was known before. It is served until the window is loaded. */
  readonly held: BaselineWindow | null
}

const knownOf = ({ held, loading }: CachedWindow): BaselineWindow | null => {
  const exit = loading.pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit) ? exit.value : held
}

interface BaselineWindowCache {
  /** Null where no window is cached, or while the first is still being read. Starts to read an old one again. */
  readonly cached: (key: BaselineWindowKey) => BaselineWindow | null
  readonly read: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
  readonly invalidate: (key: BaselineWindowKey) => void
}

const textOfKey = ({ baseline, organizationId, production }: BaselineWindowKey): string =>
  `${organizationId} ${production} ${baseline.windowDays} ${baseline.establishedDaysMin} ${baseline.establishedHoursMin} ${baseline.counterDigitsMax ?? 0}`

/**
 * Caches the windows of the most recent organizations. A failed read is not cached. A caller that stops waiting for a read does not
 * cancel it. An old window is served while it is read again: a long past may take longer to read than a request can wait, and
 * the days before today hardly change. Where they did, the day or the revision says so, and the request waits (`joinSameDay`).
 */
export const makeBaselineWindowCache = Effect.fnUntraced(function* (
  load: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
): Effect.fn.Return<BaselineWindowCache, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const windows = new Map<string, CachedWindow>()

  const isOld = ({ untilMs }: CachedWindow): boolean => monotonicMs(clock) >= untilMs

  const startLoading = (text: string, key: BaselineWindowKey, held: BaselineWindow | null): CachedWindow => {
    const [oldest] = windows.keys()
    if (windows.size >= baselineWindowsMax && oldest !== undefined) windows.delete(oldest)
    const untilMs = monotonicMs(clock) + baselineWindowRefreshMs
    const started = { loading: Fiber.runIn(fork(load(key)), scope), untilMs, held }
    windows.delete(text)
    windows.set(text, started)
    started.loading.addObserver((exit) => {
      if (Exit.isFailure(exit) && held === null && windows.get(text) === started) windows.delete(text)
    })
    return started
  }

  return {
    cached: (key) => {
      const text = textOfKey(key)
      const found = windows.get(text)
      if (found === undefined) return null
      const known = knownOf(found)
      if (known !== null && isOld(found)) startLoading(text, key, known)
      return known
    },
    read: (key) =>
      Effect.suspend(() => {
        const text = textOfKey(key)
        const found = windows.get(text)
        const usable = found !== undefined && !isOld(found)
        return Fiber.join((usable ? found : startLoading(text, key, null)).loading)
      }),
    invalidate: (key) => windows.delete(textOfKey(key))
  }
})

export interface Median {
  readonly units: number
  /** The smallest figure that at least half of the units do not exceed. Null without units. */
  readonly median: number | null
}

export const noFigures: Median = { units: 0, median: null }
