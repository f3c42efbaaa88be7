/** What the background makes of assessments after their seals, one process at a time. */

import { PgTypes } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import { followedAtOnce } from "../../limits.ts"
import { type Group, inEachGroup, lockOf } from "../sql/groups.ts"
import type { ModeSql } from "../sql/Sql.ts"
import { retryOnceOrLog } from "../storageErrors.ts"
import { monotonicNow } from "../timeouts.ts"

/** `busy`: another process does the same, or erases, so nothing was done. */
export type Made = "all" | "more is left" | "busy"

export interface SealRange {
  readonly organizationId: string
  /** Sequences. */
  readonly first: number
  readonly last: number
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

interface Follower {
  /** Makes some of what follows the seals of these organizations. */
  readonly follow: (mode: Mode, organizations: ReadonlyArray<string>) => Stored<Made>
  /** The organizations with seals that were not followed. */
  readonly behind: (mode: Mode) => Stored<ReadonlyArray<string>>
}

/** Invariant: who holds the lock of a group is alone, and none does while an erasure takes rows away that it has read. */
export const alone = (
  group: Group,
  lockSpace: number,
  work: (sql: SqlClient.SqlClient) => Stored<Made>
): Stored<Made> => {
  const { sql } = group
  return sql.withTransaction(
    Effect.gen(function* () {
      const [lock] = yield* sql<{ readonly held: boolean }>`
        SELECT pg_try_advisory_xact_lock(${lockSpace}::int, ${lockOf(group)}::int) AS held
      `
      return lock?.held === true ? yield* work(sql) : "busy"
    })
  )
}

/** Follows the seals of organizations, of those of each group on their own. */
export const followGroups = (
  clients: ModeSql["Service"],
  mode: Mode,
  organizations: ReadonlyArray<string>,
  follow: (group: Group, organizations: ReadonlyArray<string>) => Stored<Made>
): Stored<Made> =>
  Effect.map(
    inEachGroup(clients, mode, (group) => {
      const own = organizations.filter(
        (organizationId) => clients.for({ mode, organizationId }) === group.sql
      )
      return own.length === 0 ? Effect.succeed<Made>("all") : follow(group, own)
    }),
    (made) => made.find((one) => one === "more is left") ?? made.find((one) => one === "busy") ?? "all"
  )

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
export const selectBehind = (
  clients: ModeSql["Service"],
  mode: Mode,
  progressOf: (sql: SqlClient.SqlClient) => Statement.Fragment
) =>
  Effect.map(
    inEachGroup(clients, mode, ({ sql }) => selectBehindOf(sql, progressOf(sql))),
    (found) => found.flat()
  )

const selectBehindOf = (sql: SqlClient.SqlClient, progress: Statement.Fragment) =>
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

/** What follows the seals that this process has made: what one round could not do is left to the next. */
export const makeFollowing = (what: string, { behind, follow }: Follower, roundMs: number) => {
  const sealedOf = { live: new Set<string>(), test: new Set<string>() }
  const add = (mode: Mode, organizations: ReadonlyArray<string>) => {
    for (const organizationId of organizations) sealedOf[mode].add(organizationId)
  }
  const followSome = Effect.fnUntraced(function* (mode: Mode) {
    const some = [...sealedOf[mode]].slice(0, followedAtOnce)
    // What is sealed meanwhile is added again, and what is not done goes to the end: organizations take turns.
    for (const organizationId of some) sealedOf[mode].delete(organizationId)
    return yield* follow(mode, some).pipe(
      Effect.onError(() => Effect.sync(() => add(mode, some))),
      Effect.tap((made) => Effect.sync(() => made !== "all" && add(mode, some)))
    )
  })
  const followSealed = Effect.fnUntraced(function* (mode: Mode) {
    const untilMs = (yield* monotonicNow) + roundMs
    while (sealedOf[mode].size > 0 && (yield* monotonicNow) < untilMs)
      if ((yield* followSome(mode)) === "busy") return
  })
  return {
    add,
    follow: (mode: Mode) => retryOnceOrLog(what, followSealed(mode)),
    /** Finds what other processes have sealed that were stopped before they could go on. */
    findMore: Effect.forEach(modes, (mode) =>
      retryOnceOrLog(
        `find ${what}`,
        Effect.map(behind(mode), (organizations) => add(mode, organizations))
      )
    )
  }
}
