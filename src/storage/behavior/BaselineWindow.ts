/** Reads what an organization did on the days before today: one statement, cached for a minute. */

import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { baselineWindowRefreshMs, baselineWindowsMax, establishedDestinationsMax } from "../../limits.ts"
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
  readonly figures: ReadonlyMap<string, Histogram>
  readonly velocity: { readonly p95PerHour: number | null; readonly days: number; readonly hours: number }
  /** Whether a destination key looks like an established destination. Only the most recent of these are compared. */
  readonly isLookalikeOfEstablished: (destinationKey: string) => boolean
}

/** $1 organization, $2 days of the window with today, $3 and $4 days and hours that establish a destination. */
export const baselineWindowStatement = `
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
  ORDER BY max(day) DESC, name LIMIT ${establishedDestinationsMax}
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

export const baselineWindowParameters = (
  organizationId: string,
  baseline: BaselineSettings
): ReadonlyArray<unknown> => [
  organizationId,
  PgTypes.int4(baseline.windowDays),
  PgTypes.int4(baseline.establishedDaysMin),
  PgTypes.int4(baseline.establishedHoursMin)
]

export interface BaselineWindowRow {
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

/** The result of work that gives way to other requests between its steps. */
export const inSteps = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const step = work.next()
    return step.done === true ? Effect.succeed(step.value) : Effect.andThen(Effect.yieldNow, inSteps(work))
  })

export const baselineWindowOfRow = Effect.fnUntraced(function* (
  row: BaselineWindowRow
): Effect.fn.Return<BaselineWindow> {
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
    figures: new Map(Array.from(byMeasure, ([measure, of]) => [measure, toHistogram(of)])),
    velocity: { p95PerHour: row.p95_per_hour, days: row.days, hours: row.hours },
    isLookalikeOfEstablished: yield* inSteps(prepareLookalikes(row.established))
  }
})

interface BaselineWindowKey {
  readonly organizationId: string
  readonly baseline: BaselineSettings
}

interface CachedWindow {
  readonly loading: Fiber.Fiber<BaselineWindow, SqlError.SqlError>
  /** On the clock of `monotonicMs`. */
  readonly untilMs: number
}

interface BaselineWindowCache {
  /** Null where no window is cached, or while it is still being read. */
  readonly cached: (key: BaselineWindowKey) => BaselineWindow | null
  readonly read: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
  readonly invalidate: (key: BaselineWindowKey) => void
}

const textOfKey = ({ baseline, organizationId }: BaselineWindowKey): string =>
  `${organizationId} ${baseline.windowDays} ${baseline.establishedDaysMin} ${baseline.establishedHoursMin}`

/** Caches the windows of the most recent organizations. A failed read is not cached. A caller that stops waiting for a read does not cancel it. */
export const makeBaselineWindowCache = Effect.fnUntraced(function* (
  load: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
): Effect.fn.Return<BaselineWindowCache, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const windows = new Map<string, CachedWindow>()

  const fresh = (text: string): CachedWindow | undefined => {
    const found = windows.get(text)
    return found === undefined || monotonicMs(clock) >= found.untilMs ? undefined : found
  }

  const startLoading = (text: string, key: BaselineWindowKey): CachedWindow => {
    const [oldest] = windows.keys()
    if (windows.size >= baselineWindowsMax && oldest !== undefined) windows.delete(oldest)
    const untilMs = monotonicMs(clock) + baselineWindowRefreshMs
    const started = { loading: Fiber.runIn(fork(load(key)), scope), untilMs }
    windows.delete(text)
    windows.set(text, started)
    started.loading.addObserver((exit) => {
      if (Exit.isFailure(exit) && windows.get(text) === started) windows.delete(text)
    })
    return started
  }

  return {
    cached: (key) => {
      const exit = fresh(textOfKey(key))?.loading.pollUnsafe()
      return exit !== undefined && Exit.isSuccess(exit) ? exit.value : null
    },
    read: (key) =>
      Effect.suspend(() => {
        const text = textOfKey(key)
        return Fiber.join((fresh(text) ?? startLoading(text, key)).loading)
      }),
    invalidate: (key) => windows.delete(textOfKey(key))
  }
})

interface UnsortedCounts {
  /** Every figure occurs once. */
  readonly figures: ReadonlyArray<number>
  /** The number of units with the figure at the same index. */
  readonly units: ReadonlyArray<number>
}

/** How many units have which figure. Medians are read from it. */
export interface Histogram {
  /** Ascending. Every figure occurs once. */
  readonly figures: ReadonlyArray<number>
  /** The number of units with the figure at the same index or a smaller one. Summed once for all queries that share them. */
  readonly upTo: ReadonlyArray<number>
}

export const emptyHistogram: Histogram = { figures: [], upTo: [] }

const inOrder = (of: UnsortedCounts): UnsortedCounts => {
  if (of.figures.every((figure, i) => i === 0 || figure > (of.figures[i - 1] ?? 0))) return of
  const order = of.figures.map((_, i) => i).toSorted((a, b) => (of.figures[a] ?? 0) - (of.figures[b] ?? 0))
  return { figures: order.map((i) => of.figures[i] ?? 0), units: order.map((i) => of.units[i] ?? 0) }
}

/** The same figures in ascending order, with the sums of their units. */
export const toHistogram = (of: UnsortedCounts): Histogram => {
  const { figures, units } = inOrder(of)
  let sum = 0
  return { figures, upTo: units.map((count) => (sum += count)) }
}

/** How many of the figures do not exceed this one. */
const countNotAbove = ({ figures }: Histogram, figure: number): number => {
  let from = 0
  let to = figures.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((figures[middle] ?? 0) > figure) to = middle
    else from = middle + 1
  }
  return from
}

const has = (of: Histogram, figure: number): boolean => of.figures[countNotAbove(of, figure) - 1] === figure

const unitsUpTo = (of: Histogram, figure: number): number => of.upTo[countNotAbove(of, figure) - 1] ?? 0

export interface Median {
  readonly units: number
  /** The smallest figure that at least half of the units do not exceed. Null without units. */
  readonly median: number | null
}

/** The smallest figure that at least `rank` units do not exceed, by the counts of `passed`. `Infinity` where there is none. */
const smallest = ({ figures }: Histogram, rank: number, passed: (figure: number) => number): number => {
  let from = 0
  let to = figures.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (passed(figures[middle] ?? 0) >= rank) to = middle
    else from = middle + 1
  }
  return figures[from] ?? Infinity
}

/**
 * The median of both histograms together, without one unit of the figure `except`. Each query excludes another figure; the
 * search skips that unit instead of copying the histograms.
 */
export const combinedMedian = (past: Histogram, today: Histogram, except: number | null): Median => {
  const excepted = except !== null && (has(past, except) || has(today, except)) ? except : Infinity
  const passed = (figure: number) =>
    unitsUpTo(past, figure) + unitsUpTo(today, figure) - (figure >= excepted ? 1 : 0)
  const units = passed(Number.MAX_VALUE)
  if (units < 1) return { units, median: null }
  const rank = Math.ceil(units / 2)
  return { units, median: Math.min(smallest(past, rank, passed), smallest(today, rank, passed)) }
}
