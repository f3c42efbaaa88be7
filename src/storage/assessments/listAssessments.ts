/** Lists and searches the assessments of an organization, newest first, and folds the text that searches look in. */

import type { SqlClient } from "effect/sql"
import { searchedFirstRows, searchedInTurnMax, searchedOnRows } from "../../limits.ts"
import { arrayColumns } from "../sql/rows.ts"
import type { PlacedRow } from "../sql/BatchedStatement.ts"
import { asUuid, greatestId, type PageQuery } from "../timeOrderedId.ts"

interface OrganizationPageQuery extends PageQuery {
  readonly organizationId: string
}

/** A page of a list. PostgreSQL joins the items into one text, so that a page is always one row. */
export interface ListedPage {
  /** The items as JSON, separated by commas. */
  readonly itemsJson: string
  /** The id of the page's last row. Null if no row follows. */
  readonly lastId: string | null
}

/** The columns of a page, from those of the statements and functions that find it. */
const pageColumns = `place::int, coalesce(items_json, '') AS "itemsJson"`

/** The pages along the primary key, because ids begin with their time. One extra row tells whether there is a next page. */
export const selectPages = (sql: SqlClient.SqlClient, lookups: ReadonlyArray<OrganizationPageQuery>) => {
  const organizations = lookups.map(({ organizationId }) => organizationId)
  const befores = lookups.map(({ before }) => before ?? greatestId)
  const limits = lookups.map(({ limit }) => limit)
  return sql<ListedPage & PlacedRow>`
    SELECT ${sql.literal(pageColumns)}, CASE WHEN found > rows_max THEN last_id END AS "lastId"
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

/** More rows than an organization can have. Given as a limit, because a limit preserves the order of the search. */
const everyRow = 2 ** 31 - 1

export interface Search extends OrganizationPageQuery {
  readonly text: string
}

/** A condition that cannot match is null. */
const conditionsOf = ({ text, ...query }: Search) => {
  const pattern = isSearchable(text) ? searchPattern(text) : null
  const part = pattern === null ? null : indexedPart(text)
  const lookedAt = pattern === null ? 0 : part === null ? everyRow : searchedFirstRows
  const request = text.startsWith("req_") ? text : null
  return { ...query, pattern, part, request, id: asUuid(text) ?? null, lookedAt }
}

const searchColumns = arrayColumns<ReturnType<typeof conditionsOf>>({
  organization_id: ["uuid", ({ organizationId }) => organizationId],
  before: ["uuid", ({ before }) => before ?? greatestId],
  pattern: ["text", ({ pattern }) => pattern],
  part: ["text", ({ part }) => part],
  request: ["text", ({ request }) => request],
  id: ["uuid", ({ id }) => id],
  rows_max: ["int", ({ limit }) => limit],
  looked_at: ["int", ({ lookedAt }) => lookedAt]
})

const searchStatement = `
SELECT ${pageColumns}, last_id AS "lastId"
FROM unnest(${searchColumns.parameters}) WITH ORDINALITY AS asked (${searchColumns.names}, place)
  CROSS JOIN LATERAL search_assessments(${searchColumns.names}, ${searchedOnRows}, ${searchedInTurnMax})`

/**
 * Pages of assessments that contain the text in a field, ignoring case, or have it as their assessment, action or request id.
 *
 * The best search strategy depends on how frequent a text is, which no statistics can tell. So a few of the newest rows are read first:
 * they contain a frequent text, and a rare one is left to the index. The index covers texts of at least three bytes, from a moment after
 * they are sealed; the rest is scanned. Ids have their own indexes. All of this is one database function (`schema/search.sql`).
 */
export const selectMatches = (sql: SqlClient.SqlClient, searches: ReadonlyArray<Search>) =>
  sql.unsafe<ListedPage & PlacedRow>(searchStatement, searchColumns.values(searches.map(conditionsOf)))

const ascii = /^[\0-\x7F]*$/
/** Separates the fields in the text. A query that contains it matches nothing, so no match spans two fields. */
const separator = "\u001F"

/** Folds one code point at a time, so that a part of a text folds to a part of the folded text. Otherwise a final sigma would not. */
const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : Array.from(text, (character) => character.toUpperCase().toLowerCase()).join("")

/** The text of one assessment for searches, folded to ignore case. */
export const searchText = (fields: ReadonlyArray<string | undefined>): string =>
  fold(fields.filter((field) => field !== undefined).join(separator))

/** A LIKE pattern for texts that contain `query`. Escapes `%`, `_` and `\`. */
export const searchPattern = (query: string): string => `%${fold(query).replaceAll(/[\\%_]/g, "\\$&")}%`

/** Whether any text could contain `query`. */
export const isSearchable = (query: string): boolean => !query.includes(separator)

/**
 * The text to look up in the index; null if it is shorter than the three consecutive bytes that the index stores. A long query is looked up
 * as a whole, although each three bytes cost a look-up in every span, because texts made from a template begin alike.
 */
const indexedPart = (query: string): string | null => {
  const part = fold(query)
  return Buffer.byteLength(part) < 3 ? null : part
}
