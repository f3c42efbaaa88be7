/** Finds the assessments and reviews of an organization that match filters, newest first, a bounded part of them for each page. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ActionCategory, Environment } from "../../domain/Action.ts"
import { dayAfter, isoDay } from "../../domain/Day.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import type { ReviewOutcome, ReviewState } from "../../domain/Review.ts"
import {
  facetDaysMax,
  facetsFirstStep,
  facetsLookedMax,
  facetsSearchedMax,
  facetsStepFactor
} from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { isSearchable, searchPattern } from "../assessments/listAssessments.ts"
import { ResourceSql } from "../sql/Sql.ts"
import { makeBoundedRunner, StorageTimeout } from "../timeouts.ts"
import { greatestId, idAtInstant, leastId } from "../timeOrderedId.ts"
import { type FacetName, notableSql, numberedFacets } from "./facetTables.ts"

/** Null: not filtered by this. */
export interface FacetFilter {
  readonly levels: ReadonlyArray<ActionRiskLevel> | null
  readonly environments: ReadonlyArray<Environment> | null
  readonly categories: ReadonlyArray<ActionCategory> | null
  readonly complete: boolean | null
  /** As it was stated. */
  readonly agentId: string | null
  /** As it was stated. */
  readonly actionType: string | null
  /** The code of a factor that was raised. */
  readonly factor: string | null
  readonly hasReview: boolean | null
  /** Text in a field, as the search of a list finds it. */
  readonly text: string | null
  /** Ids, of which the first may be in the list and the second may not. */
  readonly from: string | null
  readonly to: string | null
}

export const noFilter: FacetFilter = {
  levels: null,
  environments: null,
  categories: null,
  complete: null,
  agentId: null,
  actionType: null,
  factor: null,
  hasReview: null,
  text: null,
  from: null,
  to: null
}

interface PageQuery {
  readonly limit: number
  /** Only ids before this one. */
  readonly before: string | undefined
}

interface ReviewFilter {
  readonly state: ReviewState | null
  readonly outcome: ReviewOutcome | null
}

interface Matches {
  /** Newest first. */
  readonly ids: ReadonlyArray<string>
  /** Where the next page begins; null where there is none. A page may end before it is full. */
  readonly lastId: string | null
}

export class FilteredLists extends Context.Service<FilteredLists>()("action-risk/storage/FilteredLists", {
  make: Effect.gen(function* () {
    const clients = yield* ResourceSql
    const runBounded = yield* makeBoundedRunner
    const inTurn = <A>(owner: Owner, finding: Effect.Effect<A, SqlError.SqlError>, timeoutMs: number) =>
      runBounded(clients.inTurn(owner, finding), {
        ms: timeoutMs,
        timeoutError: () => new StorageTimeout({ waitedMs: timeoutMs })
      })
    const assessments = Effect.fn("FilteredLists.assessments")((
      owner: Owner,
      filter: FacetFilter,
      query: PageQuery,
      timeoutMs: number
    ) => {
      const sql = clients.for(owner)
      const finding = Effect.gen(function* () {
        const { ids, lastId } = yield* findMatches(
          sql,
          owner.organizationId,
          filter,
          fromFacets(sql, filter),
          query
        )
        const [row] = yield* sql<{ readonly items_json: string | null }>`
              SELECT string_agg(item::text, ',' ORDER BY assessment_id DESC) AS items_json FROM assessments
              WHERE organization_id = ${owner.organizationId} AND assessment_id = ANY (${ids}::uuid[])
            `
        return { itemsJson: row?.items_json ?? "", lastId }
      })
      return inTurn(owner, finding, timeoutMs)
    })
    const reviews = Effect.fn("FilteredLists.reviews")((
      owner: Owner,
      filter: FacetFilter & ReviewFilter,
      query: PageQuery,
      timeoutMs: number
    ) => {
      const sql = clients.for(owner)
      const notable = { ...filter, hasReview: true }
      const finding = findMatches(sql, owner.organizationId, notable, fromReviews(sql, filter), query)
      return inTurn(owner, finding, timeoutMs)
    })
    return { assessments, reviews }
  })
}) {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(FilteredLists, FilteredLists.make)
}

type Sql = SqlClient.SqlClient

const numbersOf = (facet: keyof typeof numberedFacets, values: ReadonlyArray<string>) =>
  values.map((value) => (numberedFacets[facet] as ReadonlyArray<string>).indexOf(value) + 1)

/** The conditions on columns that facets and the counts of days both have. */
const numberedConditions = (
  sql: Sql,
  { categories, complete, environments, hasReview, levels }: FacetFilter
): ReadonlyArray<Statement.Fragment> => [
  ...(levels === null ? [] : [sql`level = ANY (${numbersOf("level", levels)}::smallint[])`]),
  ...(environments === null
    ? []
    : [sql`environment = ANY (${numbersOf("environment", environments)}::smallint[])`]),
  ...(categories === null ? [] : [sql`category = ANY (${numbersOf("category", categories)}::smallint[])`]),
  ...(complete === null ? [] : [sql`complete = ${complete}`]),
  ...(hasReview === null
    ? []
    : [hasReview ? sql`${sql.literal(notableSql)}` : sql`NOT ${sql.literal(notableSql)}`])
]

const facetConditions = (sql: Sql, filter: FacetFilter): Statement.Fragment => {
  const { actionType, agentId, factor } = filter
  return sql.and([
    sql`true`,
    ...numberedConditions(sql, filter),
    ...(agentId === null ? [] : [sql`agent_id = ${agentId}`]),
    ...(actionType === null ? [] : [sql`action_type = ${actionType}`]),
    ...(factor === null
      ? []
      : [sql`(SELECT number FROM facet_factors WHERE code = ${factor}) = ANY (factors)`])
  ])
}

/** Where rows are looked at, and what a match is. */
interface Source {
  readonly table: "facets" | "reviews"
  /** Which rows of the table are looked at: an index leads to them. */
  readonly looked: Statement.Fragment
  /** A condition on a row, with `facets` joined to it where the table is another. */
  readonly matches: Statement.Fragment
  readonly lookedMax: number
}

const fromFacets = (sql: Sql, filter: FacetFilter): Source => {
  const conditions = facetConditions(sql, filter)
  const { text } = filter
  return text === null
    ? { table: "facets", looked: sql`true`, matches: conditions, lookedMax: facetsLookedMax }
    : {
        table: "facets",
        looked: sql`true`,
        matches: sql`(${conditions}) AND ${holds(sql, text)}`,
        lookedMax: facetsSearchedMax
      }
}

/** A condition on a row that was looked at. */
const holds = (sql: Sql, text: string): Statement.Fragment => {
  const pattern = isSearchable(text) ? searchPattern(text) : null
  return sql`EXISTS (
      SELECT FROM assessments WHERE assessments.organization_id = looked.organization_id
        AND assessments.assessment_id = looked.assessment_id AND search LIKE ${pattern}
    )`
}

const fromReviews = (sql: Sql, filter: FacetFilter & ReviewFilter): Source => {
  const { outcome, state, text } = filter
  const ofState =
    state === null ? sql`true` : state === "open" ? sql`closed_at IS NULL` : sql`closed_at IS NOT NULL`
  return {
    table: "reviews",
    looked: ofState,
    matches: sql`${outcome === null ? sql`true` : sql`outcome = ${outcome}`} AND EXISTS (
      SELECT FROM facets WHERE facets.organization_id = looked.organization_id
        AND facets.assessment_id = looked.assessment_id AND ${facetConditions(sql, filter)}
      OFFSET 0
    )${text === null ? sql`` : sql` AND ${holds(sql, text)}`}`,
    // Each row is looked up in the facets, which takes several times as long as to read the next row of them.
    lookedMax: text === null ? Math.floor(facetsLookedMax / 8) : facetsSearchedMax
  }
}

const named = ({ actionType, agentId, factor }: FacetFilter) =>
  [
    ["agent_id", agentId],
    ["action_type", actionType],
    ["factor", factor]
  ].flatMap(([kind, name]) => (name === null ? [] : [{ kind: kind as FacetName, name: name ?? "" }]))

const dayOfId = (id: string): string => {
  const ms = Number.parseInt(id.replace("-", "").slice(0, 12), 16)
  return isoDay(Math.min(ms, lastDayMs))
}
const lastDayMs = Date.UTC(9_999, 11, 31)

const startOfDay = (day: string): string => idAtInstant(`${day}T00:00:00Z`) ?? leastId

/**
 * The days on which there may be a match, newest first. A name without a count of its own on a day is on it only among those
 * that the day counts together, under the empty name.
 */
const selectDays = (sql: Sql, organizationId: string, filter: FacetFilter, { least, most }: Span) => {
  const [first, ...others] = named(filter)
  const inSpan = sql`organization_id = ${organizationId} AND day BETWEEN ${dayOfId(least)}::date AND ${dayOfId(most)}::date`
  const counted = sql.and([sql`true`, ...numberedConditions(sql, filter)])
  const also = others.map(
    ({ kind, name }) => sql`EXISTS (
      SELECT FROM name_tallies WHERE organization_id = ${organizationId} AND kind = ${kind}
        AND name IN (${name}, '') AND name_tallies.day = days.day
    )`
  )
  const ofCounts = sql`EXISTS (
    SELECT FROM tallies WHERE organization_id = ${organizationId} AND tallies.day = days.day AND ${counted}
  )`
  const days =
    first === undefined
      ? sql`SELECT day FROM tallies WHERE ${inSpan} AND ${counted} GROUP BY day ORDER BY day DESC`
      : sql`SELECT DISTINCT day FROM name_tallies WHERE ${inSpan} AND kind = ${first.kind} AND name IN (${first.name}, '')`
  return sql<{ readonly day: string }>`
    SELECT day::text FROM (${days}) AS days WHERE ${sql.and(first === undefined ? [sql`true`, ...also] : [ofCounts, ...also])}
    ORDER BY day DESC LIMIT ${facetDaysMax + 1}
  `
}

/** Ids: from the least on, before the most. */
interface Span {
  readonly least: string
  readonly most: string
}

/** Neighbouring days as one span, newest first. */
const spansOf = (days: ReadonlyArray<string>, { least, most }: Span): ReadonlyArray<Span> => {
  const spans: Array<{ least: string; most: string; day: string }> = []
  for (const day of days) {
    const last = spans.at(-1)
    const next = dayAfter(day)
    if (last?.day === next) Object.assign(last, { day, least: startOfDay(day) })
    else spans.push({ day, least: startOfDay(day), most: startOfDay(next) })
  }
  return spans.map((span) => ({
    least: span.least > least ? span.least : least,
    most: span.most < most ? span.most : most
  }))
}

interface Looked {
  readonly seen: number
  readonly least: string | null
  readonly ids: ReadonlyArray<string> | null
}

const lookAt = (
  sql: Sql,
  organizationId: string,
  { looked, matches, table }: Source,
  span: Span,
  rows: number,
  wanted: number
) => sql<Looked>`
  SELECT count(*)::int AS seen, (array_agg(assessment_id ORDER BY assessment_id))[1] AS least,
    (array_agg(assessment_id ORDER BY assessment_id DESC) FILTER (WHERE ${matches}))[1:${wanted}::int] AS ids
  FROM (
    SELECT * FROM ${sql(table)}
    WHERE organization_id = ${organizationId} AND assessment_id < ${span.most} AND assessment_id >= ${span.least} AND ${looked}
    ORDER BY assessment_id DESC LIMIT ${rows}
  ) AS looked
`

const findMatches = Effect.fnUntraced(function* (
  sql: Sql,
  organizationId: string,
  filter: FacetFilter,
  source: Source,
  { before, limit }: PageQuery
): Effect.fn.Return<Matches, SqlError.SqlError> {
  const least = filter.from ?? leastId
  const most = [before ?? greatestId, filter.to ?? greatestId].toSorted()[0] ?? greatestId
  const found = yield* selectDays(sql, organizationId, filter, { least, most })
  const days = found.slice(0, facetDaysMax).map(({ day }) => day)
  const ids: Array<string> = []
  let looked = 0
  let step = facetsFirstStep
  for (const span of spansOf(days, { least, most })) {
    for (let upTo = span.most; ;) {
      const rows = Math.min(step, source.lookedMax - looked)
      const wanted = limit + 1 - ids.length
      const [at] = yield* lookAt(sql, organizationId, source, { ...span, most: upTo }, rows, wanted)
      ids.push(...(at?.ids ?? []))
      if (ids.length > limit) return { ids: ids.slice(0, limit), lastId: ids[limit - 1] ?? null }
      looked += at?.seen ?? 0
      step = step * facetsStepFactor
      if (at === undefined || at.least === null || at.seen < rows) break
      if (looked >= source.lookedMax) return { ids, lastId: at.least }
      upTo = at.least
    }
  }
  return { ids, lastId: found.length > facetDaysMax ? startOfDay(days.at(-1) ?? "") : null }
})
