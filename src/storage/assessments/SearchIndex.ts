/** Adds the texts of assessments to the search index, in the background, after they are sealed. */

import { Effect } from "effect"
import {
  searchBatchBytes,
  searchBatchMax,
  searchBatchMs,
  searchRoundMs,
  searchSpanRows
} from "../../limits.ts"
import { askedRanges, type Projection } from "../facets/followSeals.ts"
import { rowBeside } from "../sql/rows.ts"
import { leastId } from "../timeOrderedId.ts"

const newestSpanOf = (organization: string): string => `
  SELECT after_id, rows, sequence, known_to FROM search_spans WHERE search_spans.organization_id = ${organization}
  ORDER BY after_id DESC LIMIT 1`

/** Starts a span for each organization that has none or whose newest one is full. */
const beginSpansStatement = `
INSERT INTO search_spans (organization_id, after_id, rows, sequence, known_to)
SELECT organization, coalesce(known_to, '${leastId}'), 0, coalesce(sequence, 0), coalesce(known_to, '${leastId}')
FROM ${askedRanges}
  LEFT JOIN LATERAL (${newestSpanOf("organization")}) AS newest ON true
WHERE rows IS NULL OR rows >= ${searchSpanRows}
ON CONFLICT DO NOTHING`

/**
 * Adds the texts of sealed assessments to the spans of their ids. A seal without an assessment belongs to an erased one. An id in the
 * future, from a clock that is ahead, says nothing about what the index covers.
 */
const putTextsStatement = `
WITH asked AS MATERIALIZED (
  SELECT * FROM ${askedRanges}
), sealed AS MATERIALIZED (
  SELECT organization_id, assessment_id FROM asked CROSS JOIN LATERAL (
    SELECT organization_id, assessment_id FROM seals
    WHERE organization_id = organization AND sequence BETWEEN first AND last
    ORDER BY sequence LIMIT (last - first + 1)
  ) AS of_range
), put AS (
  INSERT INTO search_texts (organization_id, assessment_id, span, search)
  SELECT sealed.organization_id, sealed.assessment_id, span, search FROM sealed
    CROSS JOIN LATERAL ${rowBeside({ table: "assessments", of: "sealed", columns: "search" })} AS assessed
    CROSS JOIN LATERAL (
      SELECT span FROM search_spans
      WHERE search_spans.organization_id = sealed.organization_id AND after_id < sealed.assessment_id
      ORDER BY after_id DESC LIMIT 1
    ) AS of_id
), newest_ids AS (
  SELECT DISTINCT ON (organization_id) organization_id, assessment_id FROM sealed
  WHERE assessment_id < time_ordered_id(statement_timestamp()) ORDER BY organization_id, assessment_id DESC
)
UPDATE search_spans AS spans
SET rows = spans.rows + (last - first + 1), sequence = last, known_to = greatest(spans.known_to, assessment_id)
FROM asked LEFT JOIN newest_ids ON newest_ids.organization_id = organization
  CROSS JOIN LATERAL (${newestSpanOf("organization")}) AS newest
WHERE spans.organization_id = organization AND spans.after_id = newest.after_id`

/** Also deletes empty spans, except the newest, which holds the progress, and the oldest, for assessments that are sealed late. */
const eraseTexts: ReadonlyArray<string> = [
  "DELETE FROM search_texts WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])",
  `WITH touched AS MATERIALIZED (
    SELECT DISTINCT after_id FROM unnest($2::uuid[]) AS erased (id) CROSS JOIN LATERAL (
      SELECT after_id FROM search_spans WHERE organization_id = $1::uuid AND after_id < id ORDER BY after_id DESC LIMIT 1
    ) AS of_id
  )
  DELETE FROM search_spans AS spans USING touched CROSS JOIN LATERAL (
    SELECT after_id FROM search_spans AS later
    WHERE later.organization_id = $1::uuid AND later.after_id > touched.after_id ORDER BY after_id LIMIT 1
  ) AS next
  WHERE spans.organization_id = $1::uuid AND spans.after_id = touched.after_id AND touched.after_id > '${leastId}' AND NOT EXISTS (
    SELECT FROM search_texts
    WHERE organization_id = $1::uuid AND assessment_id > touched.after_id AND assessment_id <= next.after_id
  )`
]

/** The texts that list searches look in. */
export const searchTexts: Projection = {
  what: "put texts into the index of searches",
  lockSpace: 0x7378,
  rowsMax: searchBatchMax,
  bytes: { ...searchBatchBytes, tookMsMax: searchBatchMs },
  roundMs: searchRoundMs,
  progress: `SELECT sequence AS high FROM (${newestSpanOf("asked.organization_id")}) AS newest`,
  make: (sql, ranges) =>
    Effect.gen(function* () {
      yield* sql.unsafe(beginSpansStatement, ranges)
      yield* sql.unsafe(putTextsStatement, ranges)
      yield* sql`SELECT sort_search_texts()`
    }),
  erase: eraseTexts
}
