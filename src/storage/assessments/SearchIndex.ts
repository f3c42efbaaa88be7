/** Puts the texts of assessments into the index that searches use, in the background, after their seals. */

import { Context, Effect, Exit, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { searchBatchBytes, searchBatchMax, searchBatchMs, searchSpanRows } from "../../limits.ts"
import { alone, followGroups, type Made, rangeParameters, selectBehind } from "../facets/followSeals.ts"
import { rowBeside } from "../sql/rowBeside.ts"
import type { Group } from "../sql/groups.ts"
import { ModeSql } from "../sql/Sql.ts"
import { monotonicNow } from "../timeouts.ts"
import { leastId } from "../timeOrderedId.ts"

/** The advisory lock of what puts texts into the index and what erases them, in each mode. */
export const searchLockSpace = 0x7378

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /** Puts in some of what was sealed of these organizations, the oldest first: as much as one transaction may. */
    readonly follow: (mode: Mode, organizations: ReadonlyArray<string>) => Stored<Made>
    /** The organizations with seals that the index does not know. Reads one row of each organization. */
    readonly behind: (mode: Mode) => Stored<ReadonlyArray<string>>
  }
>()("action-risk/storage/SearchIndex") {
  static readonly layer = Layer.effect(
    SearchIndex,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const { first, least, most } = searchBatchBytes
      // The same bytes take from one time to thirty times as long: what counts is how many different three bytes they have.
      const bytesOf = { live: first, test: first }
      const followOf = Effect.fnUntraced(function* (group: Group, organizations: ReadonlyArray<string>) {
        const { mode } = group
        const startedAtMs = yield* monotonicNow
        const work = (sql: SqlClient.SqlClient) => followSeals(sql, organizations, bytesOf[mode])
        return yield* Effect.onExit(
          alone(group, searchLockSpace, work),
          Effect.fnUntraced(function* (exit) {
            const tookMs = (yield* monotonicNow) - startedAtMs
            if (Exit.isFailure(exit) || tookMs > searchBatchMs)
              bytesOf[mode] = Math.max(least, bytesOf[mode] / 2)
            else if (exit.value === "more is left" && tookMs < searchBatchMs / 2)
              bytesOf[mode] = Math.min(most, bytesOf[mode] * 2)
          })
        )
      })
      const follow = Effect.fn("SearchIndex.follow")((mode: Mode, organizations: ReadonlyArray<string>) =>
        followGroups(clients, mode, organizations, followOf)
      )
      const behind = Effect.fn("SearchIndex.behind")((mode: Mode) => selectBehind(clients, mode, progressOf))
      return SearchIndex.of({ follow, behind })
    })
  )
}

const newestSpanOf = (organization: string): string => `
  SELECT after_id, rows, sequence, known_to FROM search_spans WHERE search_spans.organization_id = ${organization}
  ORDER BY after_id DESC LIMIT 1`

const progressOf = (sql: SqlClient.SqlClient) =>
  sql`SELECT sequence AS high FROM (${sql.literal(newestSpanOf("asked.organization_id"))}) AS newest`

/** $1 organizations: begins a span for each that has none or whose newest one is full. */
const beginSpansStatement = `
INSERT INTO search_spans (organization_id, after_id, rows, sequence, known_to)
SELECT organization, coalesce(known_to, '${leastId}'), 0, coalesce(sequence, 0), coalesce(known_to, '${leastId}')
FROM unnest($1::uuid[]) AS asked (organization) LEFT JOIN LATERAL (${newestSpanOf("organization")}) AS newest ON true
WHERE rows IS NULL OR rows >= ${searchSpanRows}
ON CONFLICT DO NOTHING`

/**
 * $1 organizations, $2 and $3 the first and last sequence of each: puts the texts of what is sealed into the spans of their ids.
 * A seal without an assessment is one of an erased assessment. An id of the future, from a clock that is ahead, says nothing of what
 * the index knows.
 */
const putTextsStatement = `
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS asked (organization, first, last)
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

interface NextRange {
  readonly organization_id: string
  readonly first: number
  readonly last: number
  readonly head: number
}

/**
 * What comes next of each organization, an even share of the rows and of the bytes that one transaction may put in, and one row
 * at least: so none waits for another one's long texts.
 */
const selectNext = (sql: SqlClient.SqlClient, organizations: ReadonlyArray<string>, bytes: number) => {
  const rowsMax = Math.ceil(searchBatchMax / organizations.length)
  const bytesMax = Math.floor(bytes / organizations.length)
  return sql<NextRange>`
    SELECT organization_id, (high + 1)::float8 AS first, max(sequence)::float8 AS last, head::float8
    FROM (
      SELECT asked.organization_id, high, head, sequence, row_number() OVER in_order AS place, sum(coalesce(bytes, 0)) OVER in_order AS bytes
      FROM unnest(${organizations}::uuid[]) AS asked (organization_id)
        CROSS JOIN LATERAL (SELECT coalesce((${progressOf(sql)}), 0) AS high) AS made
        CROSS JOIN LATERAL (
          SELECT sequence AS head FROM seals WHERE seals.organization_id = asked.organization_id
          ORDER BY sequence DESC LIMIT 1
        ) AS newest
        CROSS JOIN LATERAL (
          SELECT sequence, assessment_id FROM seals
          WHERE seals.organization_id = asked.organization_id AND sequence > high ORDER BY sequence LIMIT ${rowsMax}
        ) AS sealed
        LEFT JOIN LATERAL (
          SELECT octet_length(search) AS bytes FROM assessments
          WHERE assessments.organization_id = asked.organization_id AND assessments.assessment_id = sealed.assessment_id
          LIMIT 1
        ) AS assessed ON true
      WINDOW in_order AS (PARTITION BY asked.organization_id ORDER BY sequence)
    ) AS waiting
    WHERE place = 1 OR bytes <= ${bytesMax}
    GROUP BY organization_id, high, head
  `
}

const followSeals = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizations: ReadonlyArray<string>,
  bytes: number
): Effect.fn.Return<Made, SqlError.SqlError> {
  const next = yield* selectNext(sql, organizations, bytes)
  if (next.length === 0) return "all"
  const ranges = next.map(({ first, last, organization_id }) => ({
    organizationId: organization_id,
    first,
    last
  }))
  const parameters = rangeParameters(ranges)
  yield* sql.unsafe(beginSpansStatement, parameters.slice(0, 1))
  yield* sql.unsafe(putTextsStatement, parameters)
  yield* sql`SELECT sort_search_texts()`
  return next.some(({ head, last }) => last < head) ? "more is left" : "all"
})

/**
 * Take the texts of assessments out again, under the lock. $1 is their organization, $2 their ids. Spans that have nothing left go
 * too, but for the newest one, which says how far the index is, and the oldest, so that what is sealed late finds a span.
 */
export const eraseTexts: ReadonlyArray<string> = [
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
