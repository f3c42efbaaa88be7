/** The behavior of an organization on the days before today, cached for a minute. */

import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import type { SqlError, Statement } from "effect/sql"
import {
  agentPacesMax,
  baselineBytesMax,
  baselineBytesPerCharacter,
  baselineBytesPerName,
  baselineWindowRefreshMs,
  baselineWindowsMax
} from "../../limits.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import { prepareLookalikes } from "../../scoring/names/lookalike.ts"
import { monotonicMs } from "../timeouts.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"

export interface BaselineWindow {
  /** The window ends before this day, for example `2026-11-20`. */
  readonly until: string
  /** How many rejected reviews had removed something from the organization's past when the window was read. */
  readonly revision: number
  readonly units: number
  /** Keyed by measure: `entities`, or an action category, whose figures are US cents. */
  readonly medians: ReadonlyMap<string, Median>
  /** The pace used for an agent without enough hours of its own: computed over the hours of each agent. */
  readonly pace: UsualPace
  /** By agent or pool, for those with the most hours. */
  readonly agentPaces: ReadonlyMap<string, UsualPace>
  readonly usualDay: BehaviorSnapshot["usualDay"]
  /** Whether a destination key looks like an established destination. Only the most recent ones are compared. */
  readonly isLookalikeOfEstablished: (destinationKey: string) => boolean
  /** Its approximate size in memory. */
  readonly bytes: number
}

/** Names make up nearly all of it. */
const bytesOf = (names: ReadonlyArray<string>): number =>
  names.reduce((sum, { length }) => sum + baselineBytesPerName + length * baselineBytesPerCharacter, 0)

/** How busy an hour is, among hours with any assessment. */
interface UsualPace {
  /** 95th percentile, nearest rank; null without hours. */
  readonly p95PerHour: number | null
  /** Distinct UTC days and clock hours with any assessment. */
  readonly days: number
  readonly hours: number
}

/** The median sum: at least half of the days do not exceed it. */
const usualOf = (sql: Statement.Constructor, column: string): Statement.Fragment =>
  sql`least(coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY ${sql(column)}), 0), ${sql.literal(`${Number.MAX_SAFE_INTEGER}`)})`

/** Everything in a window except the established destinations, which may be too many for one statement. */
export const selectBaselineWindow = (
  sql: Statement.Constructor,
  { baseline, changesOnly, organizationId, production }: BaselineWindowKey
) => {
  const ofOrganization = sql`organization_id = ${organizationId} AND production = ${production}`
  const counts = changesOnly ? sql`changes` : sql`true`
  const busyHour = sql`percentile_disc(0.95) WITHIN GROUP (ORDER BY assessments)`
  const daysOfHours = sql`count(DISTINCT (hour AT TIME ZONE 'UTC')::date)`
  return sql<BaselineWindowRow>`
    WITH clock AS (
      SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today,
        ((statement_timestamp() - ${baseline.evidenceHoursMin} * interval '1 hour') AT TIME ZONE 'UTC')::date AS until
    ), counted AS (
      SELECT measure, figure, sum(units) AS units FROM unit_figures, clock
      WHERE ${ofOrganization} AND ${counts} AND day < until AND day > today - ${baseline.windowDays}::int
      GROUP BY measure, figure
    ), ranked AS (
      SELECT measure, figure, sum(units) OVER (PARTITION BY measure ORDER BY figure) AS up_to,
        sum(units) OVER (PARTITION BY measure) AS units
      FROM counted
    ), usual AS (
      SELECT measure, units, min(figure) FILTER (WHERE 2 * up_to >= units) AS median FROM ranked
      WHERE units > 0 GROUP BY measure, units
    ), hours AS (
      SELECT name, date_trunc('hour', slot, 'UTC') AS hour, sum(assessments) AS assessments FROM agent_paces, clock
      WHERE ${ofOrganization} AND slot < until::timestamp AT TIME ZONE 'UTC'
        AND slot >= (today - ${baseline.windowDays}::int + 1)::timestamp AT TIME ZONE 'UTC' AND ${counts}
      GROUP BY 1, 2
    ), agents AS (
      SELECT name, ${busyHour} AS p95_per_hour, ${daysOfHours} AS days, count(*) AS hours FROM hours
      GROUP BY name HAVING ${daysOfHours} >= ${baseline.velocityDaysMin} AND count(*) >= ${baseline.velocityHoursMin}
      ORDER BY count(*) DESC, name LIMIT ${agentPacesMax}
    ), summed AS (
      SELECT sum(entities) AS entities, sum(usd_cents) AS usd_cents FROM sums, clock
      WHERE ${ofOrganization} AND scope = 'organization' AND name = ''
        AND hour < until::timestamp AT TIME ZONE 'UTC' AND hour >= (today - ${baseline.windowDays}::int + 1)::timestamp AT TIME ZONE 'UTC'
      GROUP BY (hour AT TIME ZONE 'UTC')::date
    )
    SELECT until::text,
      coalesce((SELECT revision FROM baseline_revisions WHERE organization_id = ${organizationId}), 0)::float8 AS revision,
      (SELECT coalesce(json_object_agg(measure, json_build_object('units', units, 'median', median)), '{}') FROM usual) AS medians,
      (SELECT json_build_object('p95PerHour', ${busyHour}, 'days', ${daysOfHours}, 'hours', count(*)) FROM hours) AS pace,
      (SELECT coalesce(json_object_agg(name, json_build_object('p95PerHour', p95_per_hour, 'days', days, 'hours', hours)), '{}')
        FROM agents) AS "agentPaces",
      (SELECT json_build_object('days', count(*), 'entities', ${usualOf(sql, "entities")}, 'usdCents', ${usualOf(sql, "usd_cents")})
        FROM summed) AS "usualDay",
      (extract(epoch FROM now) * 1000000)::float8 AS "atMicros"
    FROM clock
  `
}

export interface BaselineWindowRow extends Pick<BaselineWindow, "until" | "revision" | "pace" | "usualDay"> {
  readonly medians: Readonly<Record<string, Median>>
  readonly agentPaces: Readonly<Record<string, UsualPace>>
  /** Microseconds since 1970, by the clock of the database. */
  readonly atMicros: number
}

/** Runs the steps of a generator, and lets other requests run in between. */
export const inSteps = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const step = work.next()
    return step.done === true ? Effect.succeed(step.value) : Effect.andThen(Effect.yieldNow, inSteps(work))
  })

export const baselineWindowOfRow = Effect.fnUntraced(function* (
  { agentPaces, medians, pace, revision, until, usualDay }: BaselineWindowRow,
  established: ReadonlyArray<string>,
  { counterDigitsMax }: BaselineSettings
): Effect.fn.Return<BaselineWindow> {
  return {
    until,
    revision,
    units: medians["units"]?.units ?? 0,
    medians: new Map(Object.entries(medians)),
    pace,
    agentPaces: new Map(Object.entries(agentPaces)),
    usualDay,
    isLookalikeOfEstablished: yield* inSteps(prepareLookalikes(established, counterDigitsMax)),
    bytes: bytesOf(established) + bytesOf(Object.keys(agentPaces))
  }
})

export interface BaselineWindowKey {
  readonly organizationId: string
  /** Whether to read the history of production, or that of all other environments. */
  readonly production: boolean
  /** Whether only actions that change something count as evidence. */
  readonly changesOnly: boolean
  readonly baseline: BaselineSettings
}

interface CachedWindow {
  readonly organizationId: string
  readonly loading: Fiber.Fiber<BaselineWindow, SqlError.SqlError>
  /** On the clock of `monotonicMs`. */
  readonly untilMs: number
  /** The previous window, which is served until this one is loaded. */
  readonly held: BaselineWindow | null
}

const knownOf = ({ held, loading }: CachedWindow): BaselineWindow | null => {
  const exit = loading.pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit) ? exit.value : held
}

export interface BaselineWindowCache {
  /** Null if no window is cached or the first is still being read. Starts re-reading an old one. */
  readonly cached: (key: BaselineWindowKey) => BaselineWindow | null
  readonly read: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>
  readonly invalidate: (key: BaselineWindowKey) => void
}

const textOfKey = ({ baseline, changesOnly, organizationId, production }: BaselineWindowKey): string =>
  [organizationId, production, changesOnly, baseline.windowDays, baseline.establishedDaysMin]
    .concat([baseline.establishedHoursMin, baseline.evidenceHoursMin])
    .concat([baseline.velocityDaysMin, baseline.velocityHoursMin, baseline.counterDigitsMax])
    .join(" ")

/**
 * Caches the windows of the most recent organizations in bounded memory. A failed read is not cached, and a caller that stops waiting does
 * not cancel a read. An old window is served while it is re-read: reading may take longer than a request can wait, and past days hardly
 * change. If they did, `joinSameDay` makes the request wait. Not Effect's `Cache`, which has neither the memory limit nor the old value.
 */
export const makeBaselineWindowCache = Effect.fnUntraced(function* (
  load: (key: BaselineWindowKey) => Effect.Effect<BaselineWindow, SqlError.SqlError>,
  bytesMax = baselineBytesMax
): Effect.fn.Return<BaselineWindowCache, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const windows = new Map<string, CachedWindow>()

  const isOld = ({ untilMs }: CachedWindow): boolean => monotonicMs(clock) >= untilMs

  /** Evicts whole organizations, those read longest ago first, but never the one read last. */
  const keepWithinBytes = (organizationId: string): void => {
    let bytes = 0
    for (const held of windows.values()) bytes += knownOf(held)?.bytes ?? 0
    for (const { organizationId: oldest } of windows.values()) {
      if (bytes <= bytesMax) return
      if (oldest === organizationId) continue
      for (const [text, held] of windows)
        if (held.organizationId === oldest) {
          bytes -= knownOf(held)?.bytes ?? 0
          windows.delete(text)
        }
    }
  }

  const startLoading = (text: string, key: BaselineWindowKey, held: BaselineWindow | null): CachedWindow => {
    const [oldest] = windows.keys()
    if (windows.size >= baselineWindowsMax && oldest !== undefined) windows.delete(oldest)
    const untilMs = monotonicMs(clock) + baselineWindowRefreshMs
    const { organizationId } = key
    const started = { organizationId, loading: Fiber.runIn(fork(load(key)), scope), untilMs, held }
    windows.delete(text)
    windows.set(text, started)
    started.loading.addObserver((exit) => {
      if (Exit.isSuccess(exit)) keepWithinBytes(organizationId)
      else if (held === null && windows.get(text) === started) windows.delete(text)
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
