/** What the background makes of assessments after their seals, one process at a time. */

import { PgTypes } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import type { ModeSql } from "../sql/Sql.ts"

/** `busy`: another process does the same, or erases, so nothing was done. */
export type Made = "all" | "more is left" | "busy"

export interface SealRange {
  readonly organizationId: string
  /** Sequences. */
  readonly first: number
  readonly last: number
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** Invariant: who holds the lock of a mode is alone, and none does while an erasure takes rows away that it has read. */
export const alone = (
  clients: ModeSql["Service"],
  lockSpace: number,
  mode: Mode,
  work: (sql: SqlClient.SqlClient) => Stored<Made>
): Stored<Made> => {
  const sql = clients.for(mode)
  return sql.withTransaction(
    Effect.gen(function* () {
      const [lock] = yield* sql<{ readonly held: boolean }>`
        SELECT pg_try_advisory_xact_lock(${lockSpace}::int, ${modes.indexOf(mode)}::int) AS held
      `
      return lock?.held === true ? yield* work(sql) : "busy"
    })
  )
}

/** Organizations, first and last sequences: three parameters of a statement. */
export const rangeParameters = (ranges: ReadonlyArray<SealRange>): ReadonlyArray<unknown> => {
  const { int8, text } = PgTypes.OID
  const column = (oid: number, value: (range: SealRange) => unknown) =>
    Result.getOrThrow(PgTypes.array(ranges.map(value), oid))
  return [
    column(text, ({ organizationId }) => organizationId),
    column(int8, ({ first }) => BigInt(first)),
    column(int8, ({ last }) => BigInt(last))
  ]
}

/**
 * The organizations with seals beyond their progress: SQL for the row that says as `high` how far the organization of `asked` is. Goes
 * from one to the next along the index of seals.
 */
export const selectBehind = (sql: SqlClient.SqlClient, progress: Statement.Fragment) =>
  Effect.map(
    sql<{ readonly organization_id: string }>`
      WITH RECURSIVE asked AS (
        (SELECT organization_id, sequence FROM seals ORDER BY organization_id DESC, sequence DESC LIMIT 1)
        UNION ALL
        SELECT next.organization_id, next.sequence FROM asked CROSS JOIN LATERAL (
          SELECT organization_id, sequence FROM seals WHERE seals.organization_id < asked.organization_id
          ORDER BY organization_id DESC, sequence DESC LIMIT 1
        ) AS next
      )
      SELECT organization_id FROM asked LEFT JOIN LATERAL (${progress}) AS made ON true
      WHERE high IS NULL OR high < sequence
    `,
    (rows) => rows.map((row) => row.organization_id)
  )
