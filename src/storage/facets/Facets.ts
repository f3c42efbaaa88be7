/** Makes the facets of assessments after their seals, in the background: of new ones at once, of older ones in steps. */

import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import { facetsBatchMax } from "../../limits.ts"
import { ModeSql } from "../sql/Sql.ts"
import { facetsLockSpace, makeFacetsStatement } from "./facetTables.ts"

interface Range {
  readonly organizationId: string
  /** Sequences. */
  readonly first: number
  readonly last: number
}

/** `busy`: another process makes facets, or erases some, so nothing was done. */
type Made = "all" | "more is left" | "busy"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Facets extends Context.Service<
  Facets,
  {
    /** Makes facets of what was sealed of these organizations, at most `facetsBatchMax`. */
    readonly follow: (mode: Mode, organizations: ReadonlyArray<string>) => Stored<Made>
    /** Makes facets of at most `facetsBatchMax` older assessments of one organization. */
    readonly fillOlder: (mode: Mode) => Stored<Made>
    /** The organizations with seals that nobody has made facets of. Reads one row of each organization. */
    readonly behind: (mode: Mode) => Stored<ReadonlyArray<string>>
  }
>()("action-risk/storage/Facets") {
  static readonly layer = Layer.effect(
    Facets,
    Effect.gen(function* () {
      const clients = yield* ModeSql

      /** Invariant: one at a time, and none while an erasure takes rows away that it has read. */
      const alone = (mode: Mode, work: (sql: SqlClient.SqlClient) => Stored<Made>) => {
        const sql = clients.for(mode)
        return sql.withTransaction(
          Effect.gen(function* () {
            const [lock] = yield* sql<{ readonly held: boolean }>`
              SELECT pg_try_advisory_xact_lock(${facetsLockSpace}::int, ${modes.indexOf(mode)}::int) AS held
            `
            return lock?.held === true ? yield* work(sql) : "busy"
          })
        )
      }

      const follow = Effect.fn("Facets.follow")((mode: Mode, organizations: ReadonlyArray<string>) =>
        organizations.length === 0
          ? Effect.succeed<Made>("all")
          : alone(mode, (sql) => followSeals(sql, organizations))
      )
      const fillOlder = Effect.fn("Facets.fillOlder")((mode: Mode) => alone(mode, fillSome))
      const behind = Effect.fn("Facets.behind")(function* (mode: Mode) {
        const rows = yield* selectBehind(clients.for(mode))
        return rows.map((row) => row.organization_id)
      })
      return Facets.of({ follow, fillOlder, behind })
    })
  )
}

const make = (sql: SqlClient.SqlClient, ranges: ReadonlyArray<Range>) => {
  const { int8, text } = PgTypes.OID
  const column = (oid: number, value: (range: Range) => unknown) =>
    Result.getOrThrow(PgTypes.array(ranges.map(value), oid))
  return sql.unsafe(makeFacetsStatement, [
    column(text, ({ organizationId }) => organizationId),
    column(int8, ({ first }) => BigInt(first)),
    column(int8, ({ last }) => BigInt(last))
  ])
}

interface Progress {
  readonly organization_id: string
  /** Null where no facets were made yet: then what is sealed by now is older. */
  readonly high: number | null
  readonly head: number
}

const followSeals = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizations: ReadonlyArray<string>
): Effect.fn.Return<Made, SqlError.SqlError> {
  const progress = yield* sql<Progress>`
    SELECT asked.organization_id, high::float8, head.sequence::float8 AS head
    FROM unnest(${organizations}::uuid[]) AS asked (organization_id)
      LEFT JOIN facets_made USING (organization_id)
      CROSS JOIN LATERAL (
        SELECT sequence FROM seals WHERE seals.organization_id = asked.organization_id ORDER BY sequence DESC LIMIT 1
      ) AS head
    ORDER BY organization_id
  `
  let room = facetsBatchMax
  const ranges: Array<Range> = []
  for (const { head, high, organization_id: organizationId } of progress) {
    // The newest first: of an organization whose facets were never made, all but the newest are older ones.
    const first = high === null ? Math.max(1, head - facetsBatchMax + 1) : high + 1
    const last = Math.min(head, first + room - 1)
    if (last < first) continue
    ranges.push({ organizationId, first, last })
    room -= last - first + 1
  }
  if (ranges.length > 0) {
    yield* make(sql, ranges)
    yield* sql`
      INSERT INTO facets_made (organization_id, low, high)
      SELECT * FROM unnest(${ranges.map(({ organizationId }) => organizationId)}::uuid[],
        ${ranges.map(({ first }) => first)}::bigint[], ${ranges.map(({ last }) => last)}::bigint[])
      ON CONFLICT (organization_id) DO UPDATE SET high = excluded.high
    `
  }
  return room > 0 ? "all" : "more is left"
})

const fillSome = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<Made, SqlError.SqlError> {
  const [older] = yield* sql<{ readonly organization_id: string; readonly low: number }>`
    SELECT organization_id, low::float8 FROM facets_made WHERE low > 1 ORDER BY organization_id LIMIT 1
  `
  if (older === undefined) return "all"
  const { low, organization_id: organizationId } = older
  const first = Math.max(1, low - facetsBatchMax)
  yield* make(sql, [{ organizationId, first, last: low - 1 }])
  yield* sql`UPDATE facets_made SET low = ${first} WHERE organization_id = ${organizationId}`
  return "more is left"
})

/** Goes from organization to organization along the index of seals. */
const selectBehind = (sql: SqlClient.SqlClient) => sql<{ readonly organization_id: string }>`
  WITH RECURSIVE sealed AS (
    (SELECT organization_id, sequence FROM seals ORDER BY organization_id DESC, sequence DESC LIMIT 1)
    UNION ALL
    SELECT next.organization_id, next.sequence FROM sealed CROSS JOIN LATERAL (
      SELECT organization_id, sequence FROM seals WHERE seals.organization_id < sealed.organization_id
      ORDER BY organization_id DESC, sequence DESC LIMIT 1
    ) AS next
  )
  SELECT organization_id FROM sealed LEFT JOIN facets_made USING (organization_id)
  WHERE high IS NULL OR high < sequence
`
