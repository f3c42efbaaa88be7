/** Reads the established destinations of an organization in pages: a long past takes longer than one statement may. */

import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { establishedDestinationsMax, sightingsPageRows } from "../../limits.ts"
import type { BaselineSettings } from "../../scoring/Edition.ts"
import { withBatchTimeout } from "../timeouts.ts"

/** Whose history, and when it is read. */
export interface EstablishedQuery {
  readonly organizationId: string
  readonly production: boolean
  readonly changesOnly: boolean
  readonly baseline: BaselineSettings
  /** The window ends before this day, for example `2026-11-20`. */
  readonly until: string
  /** Microseconds since 1970, by the clock of the database. */
  readonly atMicros: number
}

/**
 * One page, in the order of the primary key. $1 organization, $2 production, $3 whether only what changes counts, $4 end of
 * the window, $5 the time, $6 days of the window, $7 and $8 days and hours that establish a destination, $9 the name that
 * the page begins with, $10 whether without that name itself, $11 its rows. Gives those that are established, and the last name.
 */
export const establishedStatement = `
WITH clock AS (
  SELECT to_timestamp($5::float8 / 1000000) AS now
), page AS (
  SELECT name, day, first_at, changes FROM sightings
  WHERE organization_id = $1::uuid AND production = $2::boolean AND kind = 'destination' AND name >= $9::text
    AND (name > $9::text OR NOT $10::boolean)
  ORDER BY name, day, changes LIMIT $11::int
), named AS (
  SELECT name, count(DISTINCT day) FILTER (WHERE counts) AS days, min(first_at) FILTER (WHERE counts) AS first_at,
    max(day) FILTER (WHERE counts) AS last_day
  FROM (
    SELECT page.*, (changes OR NOT $3::boolean) AND day < $4::date
      AND day > (now AT TIME ZONE 'UTC')::date - $6::int AS counts
    FROM page, clock
  ) AS weighed
  GROUP BY name
), judged AS (
  SELECT name, last_day, coalesce(days >= $7::int AND first_at <= now - $8::int * interval '1 hour', false) AS established,
    count(*) OVER () AS names, row_number() OVER (ORDER BY name) AS place
  FROM named, clock
)
SELECT name, last_day::text, established, names::int, place = names AS is_last, (SELECT count(*) FROM page)::int AS rows
FROM judged WHERE established OR place = names`

export interface EstablishedRow {
  readonly name: string
  readonly last_day: string | null
  readonly established: boolean
  /** Whether it is the last name of the page. */
  readonly is_last: boolean
  /** Of the page. */
  readonly names: number
  readonly rows: number
}

export const establishedParameters = (
  { atMicros, baseline, changesOnly, organizationId, production, until }: EstablishedQuery,
  from: PageStart,
  pageRows: number
): ReadonlyArray<unknown> => [
  organizationId,
  production,
  changesOnly,
  until,
  atMicros,
  PgTypes.int4(baseline.windowDays),
  PgTypes.int4(baseline.establishedDaysMin),
  PgTypes.int4(baseline.establishedHoursMin),
  from.name,
  from.without,
  PgTypes.int4(pageRows)
]

interface PageStart {
  readonly name: string
  /** Whether the page begins after the name. */
  readonly without: boolean
}

interface Established {
  readonly name: string
  readonly lastDay: string
}

const latestFirst = (a: Established, b: Established): number =>
  a.lastDay === b.lastDay ? (a.name < b.name ? -1 : 1) : a.lastDay > b.lastDay ? -1 : 1

/** The most recently seen ones, at most `establishedDestinationsMax`. Each page is a statement of its own, so others get a turn. */
export const readEstablished = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  query: EstablishedQuery,
  pageRows = sightingsPageRows
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  let latest: ReadonlyArray<Established> = []
  for (let from: PageStart = { name: "", without: false }; ;) {
    const rows = yield* withBatchTimeout(
      sql.unsafe<EstablishedRow>(establishedStatement, establishedParameters(query, from, pageRows))
    )
    const last = rows.find(({ is_last }) => is_last)
    const isLastPage = last === undefined || last.rows < pageRows
    // The rows of the last name of a full page may go on, so the next page begins with it, unless this one has no other.
    const isWhole = isLastPage || last.names === 1
    const established = rows.flatMap(({ established, is_last, last_day, name }) =>
      established && last_day !== null && (isWhole || !is_last) ? [{ name, lastDay: last_day }] : []
    )
    latest = [...latest, ...established].toSorted(latestFirst).slice(0, establishedDestinationsMax)
    if (isLastPage) return latest.map(({ name }) => name)
    from = { name: last.name, without: isWhole }
  }
})
