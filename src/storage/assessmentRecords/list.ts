/** The statements that list and search an organization's assessments, newest first. */

import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { searchedFirstRows, searchedOnRows } from "../../Limits.ts"
import type { ListedAssessment } from "../AssessmentRecord.ts"
import { asUuid } from "../assessmentId.ts"
import { hasTrigram, isSearchable, searchPattern } from "../searchText.ts"

export interface PageQuery {
  readonly limit: number
  /** Only assessments with a lesser id. */
  readonly before: string | undefined
  /** Text that a field contains in any case, or an exact assessment, action or request id. */
  readonly search: string | null
}

interface ListedRow {
  readonly assessment_id: string
  readonly item: string
}

/** More than there can be: said as a limit, as that is what keeps the order of looking. */
const everyRow = 2 ** 31 - 1

type Page = Effect.Effect<ReadonlyArray<ListedAssessment>, SqlError.SqlError>

export const listPage = (sql: SqlClient.SqlClient, organizationId: string, query: PageQuery): Page =>
  Effect.map(
    query.search === null
      ? selectNewest(sql, organizationId, query)
      : search(sql, organizationId, query, query.search),
    (rows) => rows.map((row) => ({ assessmentId: row.assessment_id, itemJson: row.item }))
  )

/** What a list is of. Ids begin with their time, so the primary key is the order of the list. */
const within = (sql: SqlClient.SqlClient, organizationId: string, { before }: PageQuery) => sql`
  organization_id = ${organizationId} ${before === undefined ? sql`` : sql`AND assessment_id < ${before}`}`

const selectNewest = (sql: SqlClient.SqlClient, organizationId: string, query: PageQuery) => sql<ListedRow>`
  SELECT assessment_id, item::text AS item FROM assessments
  WHERE ${within(sql, organizationId, query)}
  ORDER BY assessment_id DESC
  LIMIT ${query.limit}
`

/**
 * How often a text occurs decides how to look for it, and no statistics know it. So the newest rows are looked at first:
 * what many hold is found among them, what none of them holds is rare and is the index's.
 */
const search = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: string,
  query: PageQuery,
  text: string
) {
  const matching = matches(sql, text)
  // No trigram, no use of the index; an id is found by its own.
  if (!hasTrigram(text)) return yield* selectAmong(sql, organizationId, query, matching, everyRow)
  const first = yield* selectAmong(sql, organizationId, query, matching, searchedFirstRows)
  if (first.length === query.limit) return first
  if (first.length > 0) {
    const more = yield* selectAmong(sql, organizationId, query, matching, searchedOnRows)
    if (more.length === query.limit) return more
  }
  return yield* selectIndexed(sql, organizationId, query, matching)
})

/** Reads along the primary key until the page is full, or so many rows were looked at. */
const selectAmong = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  query: PageQuery,
  matching: Statement.Fragment,
  rowsMax: number
) => sql<ListedRow>`
  SELECT assessment_id, item::text AS item FROM (
    SELECT assessment_id, item, search, request_id, action_id FROM assessments
    WHERE ${within(sql, organizationId, query)}
    ORDER BY assessment_id DESC
    LIMIT ${rowsMax}
  ) AS newest
  WHERE ${matching}
  ORDER BY assessment_id DESC
  LIMIT ${query.limit}
`

/**
 * Every match by the indexes, and then the newest of them. Planned for the very text: how many rows of everybody hold it,
 * beside how many rows the organization has, is what decides between its trigrams and the organization's rows in turn.
 */
const selectIndexed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  query: PageQuery,
  matching: Statement.Fragment
) =>
  sql.withTransaction(
    Effect.andThen(
      sql`SET LOCAL plan_cache_mode = force_custom_plan`,
      sql<ListedRow>`
        SELECT assessment_id, item::text AS item FROM (
          SELECT assessment_id, item FROM assessments
          WHERE ${within(sql, organizationId, query)} AND (${matching})
          OFFSET 0
        ) AS found
        ORDER BY assessment_id DESC
        LIMIT ${query.limit}
      `
    )
  )

const matches = (sql: SqlClient.SqlClient, text: string): Statement.Fragment => {
  const id = asUuid(text)
  return sql.or([
    isSearchable(text) ? sql`search LIKE ${searchPattern(text)}` : sql`false`,
    sql`request_id = ${text}`,
    ...(id === undefined ? [] : [sql`assessment_id = ${id}`, sql`action_id = ${id}`])
  ])
}
