/** Follows the seals: builds everything derived from sealed assessments, in chain order, one process at a time. */

import { Context, Effect, Exit, Layer } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import { followedAtOnce } from "../../limits.ts"
import { arrayColumns, rowBeside } from "../sql/rows.ts"
import { type Group, inEachGroup, lockOf } from "../sql/groups.ts"
import { ModeSql } from "../sql/Sql.ts"
import { retryOnceOrLog } from "../storageErrors.ts"
import { monotonicNow } from "../timeouts.ts"

type Sql = SqlClient.SqlClient
type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** Rows derived from sealed assessments. Each projection has its own progress, so that none waits for a slower one. */
export interface Projection {
  /** The name of the work, for logs. */
  readonly what: string
  /** The advisory lock held while building the projection and while erasing from it, per mode. */
  readonly lockSpace: number
  /** The number of assessments per transaction. */
  readonly rowsMax: number
  /** The bytes of text per transaction: doubled after a fast one, and halved after one that took longer than `tookMsMax`. */
  readonly bytes?: {
    readonly first: number
    readonly least: number
    readonly most: number
    readonly tookMsMax: number
  }
  /** How long one round of consecutive transactions lasts. */
  readonly roundMs: number
  /** SQL that returns, as `high`, the last sequence number processed for the organization of `asked`. */
  readonly progress: string
  /** Builds the projection from what is sealed, and stores the progress. The parameters of its statements are `askedRanges`. */
  readonly make: (sql: Sql, ranges: ReadonlyArray<unknown>) => Stored<unknown>
  /** Statements that remove assessments again, under the lock. $1 is their organization, $2 their ids. */
  readonly erase: ReadonlyArray<string>
}

interface Followed {
  /** Organizations with more to process. */
  readonly left: ReadonlyArray<string>
  /** Organizations that another process is following or erasing from, so nothing was done. */
  readonly busy: ReadonlyArray<string>
}

export class SealFollower extends Context.Service<SealFollower>()("action-risk/storage/SealFollower", {
  make: Effect.gen(function* () {
    const clients = yield* ModeSql
    const adaptBytes = makeAdaptiveBytes()
    /** Processes some of these organizations' seals, oldest first, as much as one transaction may. */
    const follow = Effect.fn("SealFollower.follow")(function* (
      of: Projection,
      mode: Mode,
      organizations: ReadonlyArray<string>
    ) {
      const followed = yield* inEachGroup(clients, mode, (group) => {
        const own = organizations.filter((id) => clients.for({ mode, organizationId: id }) === group.sql)
        if (own.length === 0) return Effect.succeed<Followed>({ left: [], busy: [] })
        return adaptBytes(of, mode, (bytes) => followAlone(of, group, own, bytes))
      })
      return { left: followed.flatMap(({ left }) => left), busy: followed.flatMap(({ busy }) => busy) }
    })
    /** The organizations with unprocessed seals. Reads one row per organization. */
    const behind = Effect.fn("SealFollower.behind")(function* (of: Projection, mode: Mode) {
      const found = yield* inEachGroup(clients, mode, ({ sql }) =>
        selectBehind(sql, sql.literal(of.progress))
      )
      return found.flat().map((row) => row.organization_id)
    })
    return { follow, behind }
  })
}) {
  static readonly layer = Layer.effect(SealFollower, SealFollower.make)
}

/** Adapts the size: equal sizes take up to thirty times as long, depending on how many different three-byte sequences they have. */
const makeAdaptiveBytes = () => {
  const bytesOf = new Map<string, number>()
  return Effect.fnUntraced(function* (of: Projection, mode: Mode, work: (bytes: number) => Stored<Followed>) {
    if (of.bytes === undefined) return yield* work(Infinity)
    const { first, least, most, tookMsMax } = of.bytes
    const key = `${of.what} ${mode}`
    const bytes = bytesOf.get(key) ?? first
    const startedAtMs = yield* monotonicNow
    return yield* Effect.onExit(
      work(bytes),
      Effect.fnUntraced(function* (exit) {
        const tookMs = (yield* monotonicNow) - startedAtMs
        if (Exit.isFailure(exit) || tookMs > tookMsMax) bytesOf.set(key, Math.max(least, bytes / 2))
        else if (exit.value.left.length > 0 && tookMs < tookMsMax / 2)
          bytesOf.set(key, Math.min(most, bytes * 2))
      })
    )
  })
}

/** Invariant: one process at a time follows a group, and none does while an erasure removes rows that it has read. */
const followAlone = (of: Projection, group: Group, organizations: ReadonlyArray<string>, bytes: number) => {
  const { sql } = group
  return sql.withTransaction(
    Effect.gen(function* () {
      const [lock] = yield* sql<{ readonly held: boolean }>`
        SELECT pg_try_advisory_xact_lock(${of.lockSpace}::int, ${lockOf(group)}::int) AS held
      `
      if (lock?.held !== true) return { left: [], busy: organizations }
      const next = yield* selectNext(sql, of, organizations, bytes)
      if (next.length > 0) yield* of.make(sql, ranges.values(next))
      const left = next.filter(({ head, last }) => last < head)
      return { left: left.map((row) => row.organization_id), busy: [] }
    })
  )
}

interface NextRange {
  readonly organization_id: string
  readonly first: number
  readonly last: number
  readonly head: number
}

/** An even share of the rows and bytes for each organization, but at least one row, so that none waits for long texts. */
const selectNext = (sql: Sql, of: Projection, organizations: ReadonlyArray<string>, bytes: number) => {
  const rowsMax = Math.ceil(of.rowsMax / organizations.length)
  const isCounted = bytes !== Infinity
  const textBytes = isCounted
    ? sql`LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "sealed", columns: "octet_length(search) AS bytes" }))} AS assessed ON true`
    : sql`CROSS JOIN (SELECT 0 AS bytes) AS assessed`
  return sql<NextRange>`
    SELECT organization_id, (high + 1)::float8 AS first, max(sequence)::float8 AS last, head::float8
    FROM (
      SELECT asked.organization_id, high, head, sequence, row_number() OVER in_order AS place, sum(coalesce(bytes, 0)) OVER in_order AS bytes
      FROM unnest(${organizations}::uuid[]) AS asked (organization_id)
        CROSS JOIN LATERAL (SELECT coalesce((${sql.literal(of.progress)}), 0) AS high) AS made
        CROSS JOIN LATERAL (
          SELECT sequence AS head FROM seals WHERE seals.organization_id = asked.organization_id
          ORDER BY sequence DESC LIMIT 1
        ) AS newest
        CROSS JOIN LATERAL (
          SELECT organization_id, sequence, assessment_id FROM seals
          WHERE seals.organization_id = asked.organization_id AND sequence > high ORDER BY sequence LIMIT ${rowsMax}
        ) AS sealed
        ${textBytes}
      WINDOW in_order AS (PARTITION BY asked.organization_id ORDER BY sequence)
    ) AS waiting
    WHERE place = 1 OR bytes <= ${isCounted ? Math.floor(bytes / organizations.length) : 0}
    GROUP BY organization_id, high, head
    ORDER BY organization_id
  `
}

const ranges = arrayColumns<NextRange>({
  organization: ["uuid", (range) => range.organization_id],
  first: ["bigint", ({ first }) => BigInt(first)],
  last: ["bigint", ({ last }) => BigInt(last)]
})

/** The rows of the first three parameters of a statement that builds a projection. */
export const askedRanges = `unnest(${ranges.parameters}) AS asked (${ranges.names})`

/** Goes from one organization to the next along the index of seals. */
const selectBehind = (sql: Sql, progress: Statement.Fragment) =>
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
  `

/** Follows the seals that this process has made. The next round continues what one round could not finish. */
export const makeFollowing = Effect.fnUntraced(function* (of: Projection) {
  const { behind, follow } = yield* SealFollower
  const sealedOf = { live: new Set<string>(), test: new Set<string>() }
  const add = (mode: Mode, organizations: ReadonlyArray<string>) => {
    for (const organizationId of organizations) sealedOf[mode].add(organizationId)
  }
  const followSome = Effect.fnUntraced(function* (mode: Mode) {
    const some = [...sealedOf[mode]].slice(0, followedAtOnce)
    // Organizations that seal meanwhile are added again, and those with more to process go to the end, so that they take turns.
    for (const organizationId of some) sealedOf[mode].delete(organizationId)
    const { busy, left } = yield* Effect.onError(follow(of, mode, some), () =>
      Effect.sync(() => add(mode, some))
    )
    add(mode, left)
    return busy
  })
  const followSealed = Effect.fnUntraced(function* (mode: Mode) {
    const untilMs = (yield* monotonicNow) + of.roundMs
    const busy: Array<string> = []
    while (sealedOf[mode].size > 0 && (yield* monotonicNow) < untilMs) busy.push(...(yield* followSome(mode)))
    add(mode, busy)
  })
  return {
    add,
    follow: (mode: Mode) => retryOnceOrLog(of.what, followSealed(mode)),
    /** Finds seals of other processes that were stopped before they could continue. */
    findMore: Effect.forEach(modes, (mode) =>
      retryOnceOrLog(
        `find ${of.what}`,
        Effect.map(behind(of, mode), (organizations) => add(mode, organizations))
      )
    )
  }
})
