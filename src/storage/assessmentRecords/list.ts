/** The statements that list and search an organization's assessments, newest first. */

import type { SqlClient } from "effect/sql"
import { searchedFirstRows, searchedOnRows, searchedStretch } from "../../Limits.ts"
import type { ListedPage } from "../AssessmentRecord.ts"
import { asUuid, greatestId } from "../assessmentId.ts"
import { hasTrigram, isSearchable, searchPattern } from "../searchText.ts"
import type { Placed } from "./readTogether.ts"

export interface PageQuery {
  /** Rows of the page, at most. */
  readonly limit: number
  /** Only assessments with a lesser id. */
  readonly before: string | undefined
}

/** One of many. */
export interface PageQuestion extends PageQuery {
  readonly organizationId: string
}

/** A page is put together by PostgreSQL: one row of one text, whatever it lists. */
interface PageRow {
  readonly items_json: string | null
  readonly last_id: string | null
}

export const pageOfRow = (row: PageRow | undefined): ListedPage => ({
  itemsJson: row?.items_json ?? "",
  lastId: row?.last_id ?? null
})

/**
 * The pages, each with the place of its question. Ids begin with their time, so the primary key is the order of the list;
 * one row more than is shown tells whether there is a next page.
 */
export const selectPages = (sql: SqlClient.SqlClient, questions: ReadonlyArray<PageQuestion>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const befores = questions.map(({ before }) => before ?? greatestId)
  const limits = questions.map(({ limit }) => limit)
  return sql<PageRow & Placed>`
    SELECT place::int, items_json, CASE WHEN found > rows_max THEN last_id END AS last_id
    FROM unnest(${organizations}::uuid[], ${befores}::uuid[], ${limits}::int[]) WITH ORDINALITY
        AS asked (organization_id, before, rows_max, place)
      CROSS JOIN LATERAL (
        SELECT count(*) AS found, string_agg(item::text, ',' ORDER BY at) FILTER (WHERE at <= rows_max) AS items_json,
          (array_agg(assessment_id) FILTER (WHERE at = rows_max))[1] AS last_id
        FROM (
          SELECT assessment_id, item, row_number() OVER (ORDER BY assessment_id DESC) AS at FROM assessments
          WHERE organization_id = asked.organization_id AND assessment_id < asked.before
          ORDER BY assessment_id DESC
          LIMIT rows_max + 1
        ) AS newest
      ) AS page
  `
}

/** More than there can be: said as a limit, as that is what keeps the order of looking. */
const everyRow = 2 ** 31 - 1

/**
 * The page of those that hold `text` in a field, in any case, or have it for their assessment, action or request id.
 *
 * How often a text occurs decides how to look for it, and no statistics know it. So a few of the newest rows are looked at
 * first: what many hold is found among them, what next to none of them holds is the index's. No trigram, no use of the
 * index: an id is then found by its own. The looking itself is one function of the database (migration 50), for one round
 * trip. A condition that cannot hold is not asked: planning it would take as long as finding the rows.
 */
export const selectFound = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit }: PageQuery,
  text: string
) => {
  const pattern = isSearchable(text) ? searchPattern(text) : null
  const request = text.startsWith("req_") ? text : null
  const indexed = hasTrigram(text)
  return sql<PageRow>`
    SELECT items_json, last_id FROM search_assessments(${organizationId}, ${before ?? greatestId}, ${pattern}, ${request},
      ${asUuid(text) ?? null}, ${limit}, ${indexed ? searchedFirstRows : everyRow}, ${searchedOnRows}, ${searchedStretch}, ${indexed})
  `
}
