/** Finds an organization's assessments and reviews that match filters, newest first, examining a bounded number for each page. */

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
import { ofState } from "../ReviewRecords.ts"
import { ResourceSql } from "../sql/Sql.ts"
import { withTimeout } from "../timeouts.ts"
import { greatestId, idAtInstant, leastId, type PageQuery } from "../timeOrderedId.ts"
import { facetNames, notableSql, numberedFacets } from "./facetTables.ts"

/** An absent or null member does not filter. */
export interface FacetFilter {
  readonly levels?: ReadonlyArray<ActionRiskLevel> | null
  readonly environments?: ReadonlyArray<Environment> | null
  readonly categories?: ReadonlyArray<ActionCategory> | null
  readonly complete?: boolean | null
  /** As stated by the caller. */
  readonly agentId?: string | null
  /** As stated by the caller. */
  readonly actionType?: string | null
  /** The code of a raised factor. */
  readonly factor?: string | null
  readonly hasReview?: boolean | null
  /** Text in any field, as in a list search. */
  readonly text?: string | null
  /** Ids: `from` is inclusive, `to` is exclusive. */
  readonly from?: string | null
  readonly to?: string | null
}

interface ReviewFilter {
  readonly state: ReviewState | null
  readonly outcome: ReviewOutcome | null
}

interface Matches {
  /** Newest first. */
  readonly ids: ReadonlyArray<string>
  /** Where the next page starts; null if there is none. A page may end before it is full. */
  readonly lastId: string | null
}

export class FilteredLists extends Context.Service<FilteredLists>()("action-risk/storage/FilteredLists", {
  make: Effect.gen(function* () {
    const { inTurn } = yield* ResourceSql
    const assessments = Effect.fn("FilteredLists.assessments")((
      owner: Owner,
      filter: FacetFilter,
      query: PageQuery,
      timeoutMs: number
    ) => {
      const finding = inTurn(owner, (sql) => findAssessments(sql, owner.organizationId, filter, query))
      return withTimeout(timeoutMs, finding)
    })
    const reviews = Effect.fn("FilteredLists.reviews")((
      owner: Owner,
      filter: FacetFilter & ReviewFilter,
      query: PageQuery,
      timeoutMs: number
    ) => {
      const notable = { ...filter, hasReview: true }
      const finding = inTurn(owner, (sql) =>
        findMatches(sql, owner.organizationId, notable, fromReviews(sql, filter), query)
      )
      return withTimeout(timeoutMs, finding)
    })
    return { assessments, reviews }
  })
}) {
  static readonly layer = Layer.effect(FilteredLists, FilteredLists.make)
}

type Sql = SqlClient.SqlClient

const numbersOf = (facet: keyof typeof numberedFacets, values: ReadonlyArray<string>) =>
  values.map((value) => (numberedFacets[facet] as ReadonlyArray<string>).indexOf(value) + 1)

const findAssessments = Effect.fnUntraced(function* (
  sql: Sql,
  organizationId: string,
  filter: FacetFilter,
  query: PageQuery
) {
  const { ids, lastId } = yield* findMatches(sql, organizationId, filter, fromFacets(sql, filter), query)
  const [row] = yield* sql<{ readonly itemsJson: string | null }>`
    SELECT string_agg(item::text, ',' ORDER BY assessment_id DESC) AS "itemsJson" FROM assessments
    WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[])
  `
  return { itemsJson: row?.itemsJson ?? "", lastId }
})

type Conditions = ReadonlyArray<Statement.Fragment>

/** A condition, if its value is given. */
const given = <A>(value: A | null | undefined, condition: (value: A) => Statement.Fragment): Conditions =>
  value === null || value === undefined ? [] : [condition(value)]

/** Conditions on columns that both facets and the counts by day have. */
const numberedConditions = (
  sql: Sql,
  { categories, complete, environments, hasReview, levels }: FacetFilter
): Conditions => {
  const isAmong = (facet: keyof typeof numberedFacets) => (values: ReadonlyArray<string>) =>
    sql`${sql(facet)} = ANY (${numbersOf(facet, values)}::smallint[])`
  const notable = sql.literal(notableSql)
  return [
    ...given(levels, isAmong("level")),
    ...given(environments, isAmong("environment")),
    ...given(categories, isAmong("category")),
    ...given(complete, (is) => sql`complete = ${is}`),
    ...given(hasReview, (has) => (has ? sql`${notable}` : sql`NOT ${notable}`))
  ]
}

const facetConditions = (sql: Sql, filter: FacetFilter): Statement.Fragment =>
  sql.and([
    ...numberedConditions(sql, filter),
    ...given(filter.agentId, (agent) => sql`agent_id = ${agent}`),
    ...given(filter.actionType, (type) => sql`action_type = ${type}`),
    ...given(
      filter.factor,
      (code) => sql`(SELECT number FROM facet_factors WHERE code = ${code}) = ANY (factors)`
    )
  ])

/** Where to look for rows, and which of them match. */
interface Source {
  readonly table: "facets" | "reviews"
  /** Which rows of the table to examine, using an index. */
  readonly looked: Statement.Fragment
  /** A condition on a row, with `facets` joined to it if the table is another one. */
  readonly matches: Statement.Fragment
  readonly lookedMax: number
}

const fromFacets = (sql: Sql, filter: FacetFilter): Source => ({
  table: "facets",
  looked: sql`true`,
  matches: sql.and([facetConditions(sql, filter), ...given(filter.text, holds(sql))]),
  lookedMax: (filter.text ?? null) === null ? facetsLookedMax : facetsSearchedMax
})

/** A condition on an examined row: its assessment contains the text. */
const holds = (sql: Sql) => (text: string) => {
  const pattern = isSearchable(text) ? searchPattern(text) : null
  return sql`EXISTS (
      SELECT FROM assessments WHERE assessments.organization_id = looked.organization_id
        AND assessments.assessment_id = looked.assessment_id AND search LIKE ${pattern}
    )`
}

const fromReviews = (sql: Sql, filter: FacetFilter & ReviewFilter): Source => ({
  table: "reviews",
  looked: ofState(sql, filter.state),
  matches: sql.and([
    ...given(filter.outcome, (outcome) => sql`outcome = ${outcome}`),
    sql`EXISTS (
      SELECT FROM facets WHERE facets.organization_id = looked.organization_id
        AND facets.assessment_id = looked.assessment_id AND ${facetConditions(sql, filter)}
      OFFSET 0
    )`,
    ...given(filter.text, holds(sql))
  ]),
  // Each row is looked up in the facets, which takes several times as long as reading the next row of them.
  lookedMax: (filter.text ?? null) === null ? Math.floor(facetsLookedMax / 8) : facetsSearchedMax
})

const named = ({ actionType, agentId, factor }: FacetFilter) => {
  const names = { agent_id: agentId, action_type: actionType, factor }
  return facetNames.flatMap((kind) => {
    const name = names[kind] ?? null
    return name === null ? [] : [{ kind, name }]
  })
}

const dayOfId = (id: string): string => {
  const ms = Number.parseInt(id.replace("-", "").slice(0, 12), 16)
  return isoDay(Math.min(ms, lastDayMs))
}
const lastDayMs = Date.UTC(9_999, 11, 31)

const startOfDay = (day: string): string => idAtInstant(`${day}T00:00:00Z`) ?? leastId

/** The days with possible matches, newest first. A name without its own count on a day may be counted under the empty name. */
const selectDays = (sql: Sql, organizationId: string, filter: FacetFilter, { least, most }: Span) => {
  const [first, ...others] = named(filter)
  const inSpan = sql`organization_id = ${organizationId} AND day BETWEEN ${dayOfId(least)}::date AND ${dayOfId(most)}::date`
  const counted = sql.and(numberedConditions(sql, filter))
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
    SELECT day::text FROM (${days}) AS days WHERE ${sql.and(first === undefined ? also : [ofCounts, ...also])}
    ORDER BY day DESC LIMIT ${facetDaysMax + 1}
  `
}

/** A range of ids: `least` is inclusive, `most` is exclusive. */
interface Span {
  readonly least: string
  readonly most: string
}

/** Merges adjacent days into spans, newest first. */
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

const lookAt = (
  sql: Sql,
  organizationId: string,
  { looked, matches, table }: Source,
  span: Span,
  rows: number,
  wanted: number
) => sql<{
  readonly seen: number
  readonly least: string | null
  readonly ids: ReadonlyArray<string> | null
}>`
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
