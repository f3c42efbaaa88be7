/** Lists and searches an organization's assessments, newest first, and folds the text that is searched. */

import type { SqlClient } from "effect/sql"
import { searchedFirstRows, searchedOnRows, searchedStretch } from "../../limits.ts"
import type { PlacedRow } from "../sql/BatchedStatement.ts"
import { asUuid, greatestId } from "../timeOrderedId.ts"
import type { ListedPage } from "./AssessmentRecord.ts"

export interface AssessmentPageQuery {
  /** Rows of the page, at most. */
  readonly limit: number
  /** Only assessments with a lesser id. */
  readonly before: string | undefined
}

/** One of many. */
interface OrganizationPageQuery extends AssessmentPageQuery {
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
export const selectPages = (sql: SqlClient.SqlClient, questions: ReadonlyArray<OrganizationPageQuery>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const befores = questions.map(({ before }) => before ?? greatestId)
  const limits = questions.map(({ limit }) => limit)
  return sql<PageRow & PlacedRow>`
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
export const selectMatches = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit }: AssessmentPageQuery,
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

/** The one text per assessment that `q` is looked for in, folded so that case does not matter. */
const ascii = /^[\0-\x7F]*$/
/** Stands between fields. A query that holds it matches nothing, so no match ever spans two fields. */
const separator = "\u001F"

/** Folded one code point at a time: a part of a text then folds to a part of the folded text (a final sigma would not). */
const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : Array.from(text, (character) => character.toUpperCase().toLowerCase()).join("")

export const searchText = (fields: ReadonlyArray<string | undefined>): string =>
  fold(fields.filter((field) => field !== undefined).join(separator))

/** A LIKE pattern for texts that contain `query`; `%`, `_` and `\` stand for themselves. */
export const searchPattern = (query: string): string => `%${fold(query).replaceAll(/[\\%_]/g, "\\$&")}%`

/** Whether any text could contain `query`. */
export const isSearchable = (query: string): boolean => !query.includes(separator)

/** Whether a trigram index can tell anything of `query`: three letters or digits in a row. */
const hasTrigram = (query: string): boolean => /[\p{L}\p{N}]{3}/u.test(query)
