/** What the days before today say about an organization: one statement, cached for a minute. */

import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { baselineWindowRefreshMs, baselineWindowsMax, establishedDestinationsMax } from "../../limits.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { lookalikeOfAny } from "../../scoring/lookalike.ts"
import { monotonicMs } from "../timeouts.ts"

/** The release's thresholds that a snapshot is read with. */
export type BaselineSettings = Pick<
  Numbers["behavior"],
  "establishedDaysMin" | "establishedHoursMin" | "windowDays"
>

export interface BaselineWindow {
  /** `2026-11-20`: the day that it is before. */
  readonly today: string
  /** How often it had lost something when it was read. */
  readonly revision: number
  readonly units: number
  /** By measure: `entities`, or an action category, whose figures are US cents. */
  readonly figures: ReadonlyMap<string, Histogram>
  readonly velocity: { readonly p95PerHour: number | null; readonly days: number; readonly hours: number }
  /** Whether a destination key passes for one that was seen on enough days; the most recent of these are known. */
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

export const baselineWindowOfRow = (row: BaselineWindowRow): BaselineWindow => {
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
    isLookalikeOfEstablished: lookalikeOfAny(row.established)
  }
}

/** Holds what the days before today say of organizations, for a minute and of the most recent ones. */
interface BaselineWindowKey {
  readonly organizationId: string
  readonly baseline: BaselineSettings
}

interface CachedWindow {
  readonly loading: Fiber.Fiber<BaselineWindow, SqlError.SqlError>
  /** By `monotonicMs`. */
  readonly untilMs: number
}

interface BaselineWindowCache {
  /** Null while it is not known yet. */
  readonly cached: (question: BaselineWindowKey) => BaselineWindow | null
  readonly read: (question: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
  readonly invalidate: (question: BaselineWindowKey) => void
}

const keyOf = ({ baseline, organizationId }: BaselineWindowKey): string =>
  `${organizationId} ${baseline.windowDays} ${baseline.establishedDaysMin} ${baseline.establishedHoursMin}`

/** A past that could not be read is not held. Whoever gives up waiting for one does not keep others from finding it. */
export const makeBaselineWindowCache = Effect.fnUntraced(function* (
  load: (question: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
): Effect.fn.Return<BaselineWindowCache, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const pasts = new Map<string, CachedWindow>()

  const held = (key: string): CachedWindow | undefined => {
    const one = pasts.get(key)
    return one === undefined || monotonicMs(clock) >= one.untilMs ? undefined : one
  }

  const start = (key: string, question: BaselineWindowKey): CachedWindow => {
    const [oldest] = pasts.keys()
    if (pasts.size >= baselineWindowsMax && oldest !== undefined) pasts.delete(oldest)
    const untilMs = monotonicMs(clock) + baselineWindowRefreshMs
    const one = { loading: Fiber.runIn(fork(load(question)), scope), untilMs }
    pasts.delete(key)
    pasts.set(key, one)
    one.loading.addObserver((exit) => {
      if (Exit.isFailure(exit) && pasts.get(key) === one) pasts.delete(key)
    })
    return one
  }

  return {
    cached: (question) => {
      const exit = held(keyOf(question))?.loading.pollUnsafe()
      return exit !== undefined && Exit.isSuccess(exit) ? exit.value : null
    },
    read: (question) =>
      Effect.suspend(() => {
        const key = keyOf(question)
        return Fiber.join((held(key) ?? start(key, question)).loading)
      }),
    invalidate: (question) => pasts.delete(keyOf(question))
  }
})

interface UnsortedCounts {
  /** Each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export interface Histogram {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place or a smaller one: summed once for all questions that share them. */
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
  /** The smallest figure that at least half of the units do not exceed; null without units. */
  readonly median: number | null
}

/** The smallest of the figures that at least `rank` units do not exceed, as `passed` counts them; `Infinity` without one. */
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

/** Of both together, without one unit of `except`. Each question excepts another figure, and walks neither of them. */
export const combinedMedian = (past: Histogram, today: Histogram, except: number | null): Median => {
  const excepted = except !== null && (has(past, except) || has(today, except)) ? except : Infinity
  const passed = (figure: number) =>
    unitsUpTo(past, figure) + unitsUpTo(today, figure) - (figure >= excepted ? 1 : 0)
  const units = passed(Number.MAX_VALUE)
  if (units < 1) return { units, median: null }
  const rank = Math.ceil(units / 2)
  return { units, median: Math.min(smallest(past, rank, passed), smallest(today, rank, passed)) }
}
