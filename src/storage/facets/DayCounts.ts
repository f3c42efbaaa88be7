/** Counts of assessments by day: by level, category, environment and status, and by agent, action and factor. */

import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { statisticsNamesMax } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { decodeRows, rowBeside } from "../sql/rows.ts"
import { ResourceSql } from "../sql/Sql.ts"
import { idAtInstant, leastId } from "../timeOrderedId.ts"
import { type FacetName, facetNames, notableSql, numberedFacets } from "./facetTables.ts"

/** UTC days, both inclusive. */
export interface DaySpan {
  readonly from: string
  readonly to: string
}

export const countedBy = ["day", "level", "category", "environment", "assessment_status"] as const
export type CountedBy = (typeof countedBy)[number]

/** Has a value for each column by which was counted; the other columns are absent. */
const DayTally = Schema.Struct({
  day: Schema.optionalKey(Schema.String),
  level: Schema.optionalKey(Schema.String),
  category: Schema.optionalKey(Schema.String),
  environment: Schema.optionalKey(Schema.String),
  assessment_status: Schema.optionalKey(Schema.String),
  count: Schema.Finite,
  /** How many of them have a review, because their level is high or critical or they are incomplete. */
  notable: Schema.Finite
}).pipe(Schema.encodeKeys({ assessment_status: "assessmentStatus" }))
const decodeTallies = decodeRows(DayTally)

const NameTally = Schema.Struct({
  kind: Schema.Literals(facetNames),
  /** Null: all names together that a day did not count separately. */
  name: Schema.NullOr(Schema.String),
  count: Schema.Finite,
  notable: Schema.Finite
})
export type NameTally = typeof NameTally.Type
const decodeNames = decodeRows(NameTally)

/** Open reviews: their number, and since when the oldest has been waiting. */
const OpenReviews = Schema.Struct({
  count: Schema.Int,
  oldest: Schema.NullOr(Schema.Date),
  /** How many were opened within the last hour, day and week, and earlier, in this order. */
  ages: Schema.Array(Schema.Int)
})
export type OpenReviews = typeof OpenReviews.Type
const decodeOpen = decodeRows(OpenReviews)

export class DayCounts extends Context.Service<DayCounts>()("action-risk/storage/DayCounts", {
  make: Effect.gen(function* () {
    const { inTurn } = yield* ResourceSql

    /** By day, then most frequent first. */
    const tallies = Effect.fn("DayCounts.tallies")(function* (
      owner: Owner,
      { from, to }: DaySpan,
      by: ReadonlyArray<CountedBy>
    ) {
      const values = by.map((one) => valueOf[one])
      const statement = `
        SELECT ${by.map((one) => `${valueOf[one]} AS ${one}, `).join("")}coalesce(sum(count), 0)::float8 AS count,
          coalesce(sum(count) FILTER (WHERE ${notableSql}), 0)::float8 AS notable
        FROM tallies WHERE organization_id = $1::uuid AND day BETWEEN $2::date AND $3::date
        ${by.length === 0 ? "" : `GROUP BY ${values.join(", ")}`}
        ORDER BY ${[...(by.includes("day") ? ["day"] : []), "sum(count) DESC", ...values].join(", ")}
      `
      const rows = yield* inTurn(owner, (sql) =>
        decodeTallies(sql.unsafe(statement, [owner.organizationId, from, to]))
      )
      return rows.filter(({ count }) => count > 0)
    })

    /** Kind by kind, each with its most frequent names first, at most `statisticsNamesMax`. */
    const names = Effect.fn("DayCounts.names")(
      (owner: Owner, { from, to }: DaySpan, kinds: ReadonlyArray<FacetName>) =>
        inTurn(owner, (sql) =>
          decodeNames(sql`
            SELECT asked.kind, nullif(name, '') AS name, count, notable
            FROM unnest(${kinds}::text[]) WITH ORDINALITY AS asked (kind, place) CROSS JOIN LATERAL (
              SELECT name, sum(count)::float8 AS count, sum(notable)::float8 AS notable FROM name_tallies
              WHERE organization_id = ${owner.organizationId} AND name_tallies.kind = asked.kind
                AND day BETWEEN ${from}::date AND ${to}::date
              GROUP BY name ORDER BY sum(count) DESC, name_tallies.name LIMIT ${statisticsNamesMax}
            ) AS counted
            ORDER BY place, count DESC, counted.name
          `)
        )
    )

    const openReviews = Effect.fn("DayCounts.openReviews")(function* (owner: Owner) {
      const nowMs = yield* Clock.currentTimeMillis
      const [row] = yield* inTurn(owner, (sql) => decodeOpen(selectOpen(sql, owner.organizationId, nowMs)))
      return row ?? { count: 0, oldest: null, ages: [0, 0, 0, 0] }
    })

    /** The time of the newest counted assessment; null if there is none. */
    const countedTo = Effect.fn("DayCounts.countedTo")(function* (owner: Owner) {
      const [row] = yield* inTurn(owner, (sql) => decodeCountedTo(selectCountedTo(sql, owner.organizationId)))
      return row?.createdAt ?? null
    })

    return { tallies, names, openReviews, countedTo }
  })
}) {
  static readonly layer = Layer.effect(DayCounts, DayCounts.make)
}

const named = (facet: keyof typeof numberedFacets): string =>
  `(ARRAY['${numberedFacets[facet].join("', '")}'])[${facet}]`

/** As SQL expressions. */
const valueOf: Readonly<Record<CountedBy, string>> = {
  day: "day::text",
  level: named("level"),
  category: named("category"),
  environment: named("environment"),
  assessment_status: "CASE WHEN complete THEN 'complete' ELSE 'incomplete' END"
}

const decodeCountedTo = decodeRows(Schema.Struct({ createdAt: Schema.Date }))

/** Uses ids, which begin with the time, so that only the index of open reviews is read. */
const selectOpen = (sql: SqlClient.SqlClient, organizationId: string, nowMs: number) => {
  const [hour, day, week] = [1, 24, 168].map(
    (hours) => idAtInstant(new Date(nowMs - hours * 3_600_000).toISOString()) ?? leastId
  )
  return sql`
    SELECT count(*)::int AS count, ARRAY[
        count(*) FILTER (WHERE assessment_id >= ${hour}),
        count(*) FILTER (WHERE assessment_id < ${hour} AND assessment_id >= ${day}),
        count(*) FILTER (WHERE assessment_id < ${day} AND assessment_id >= ${week}),
        count(*) FILTER (WHERE assessment_id < ${week})
      ]::int[] AS ages,
      (SELECT opened_at FROM reviews WHERE organization_id = ${organizationId} AND closed_at IS NULL
        ORDER BY assessment_id LIMIT 1) AS oldest
    FROM reviews WHERE organization_id = ${organizationId} AND closed_at IS NULL
  `
}

const selectCountedTo = (sql: SqlClient.SqlClient, organizationId: string) => sql`
  SELECT created_at FROM (
    SELECT organization_id, assessment_id FROM facets_made CROSS JOIN LATERAL (
      SELECT assessment_id FROM seals
      WHERE seals.organization_id = facets_made.organization_id AND sequence = high
    ) AS sealed
    WHERE organization_id = ${organizationId}
  ) AS counted CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "counted", columns: "created_at" }))} AS newest
`
