/** Seals evidence in the background: appends each stored assessment to the chain of its organization and mode. */

import { Context, Effect, Layer, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Mode, modes } from "../domain/Caller.ts"
import {
  sealBatchMax,
  sealEveryMs,
  sealsCountedEveryMs,
  sealsCountedMax,
  sealsFollowedEveryMs
} from "../limits.ts"
import { registerGauge } from "../metrics.ts"
import { searchTexts } from "../storage/assessments/SearchIndex.ts"
import { facets } from "../storage/facets/facetTables.ts"
import { makeFollowing, SealFollower } from "../storage/facets/followSeals.ts"
import { arrayColumns, rowBeside } from "../storage/sql/rows.ts"
import { type Group, inEachGroup, lockOf } from "../storage/sql/groups.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { retryOnceOrLog } from "../storage/storageErrors.ts"
import { entryDigest, genesis, leafDigest, snapshotDigest } from "./chain.ts"

interface UnsealedRow {
  readonly organization_id: string
  readonly assessment_id: string
  readonly created_at: string
  readonly salt: Uint8Array
  readonly input_digest: Uint8Array
  readonly result_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
}

interface HeadRow {
  readonly organization_id: string
  readonly sequence: number
  readonly entry_digest: Uint8Array
}

interface SealHead {
  readonly sequence: number
  readonly digest: Uint8Array
}

/** The key space of the advisory lock that allows one sealer per group across all processes. */
const lockSpace = 0x7365

export class Seals extends Context.Service<
  Seals,
  {
    /**
     * Seals at most `rowsMax` waiting assessments of each group, oldest first. Returns the largest number; 0 if another process is sealing.
     */
    readonly seal: (mode: Mode, rowsMax: number) => Effect.Effect<number, SqlError.SqlError>
    /** The organizations for which this process has sealed something since the last call. */
    readonly takeSealed: (mode: Mode) => ReadonlyArray<string>
    /** The number of assessments waiting for their seal, counted up to `rowsMax`. */
    readonly waiting: (mode: Mode, rowsMax: number) => Effect.Effect<number, SqlError.SqlError>
  }
>()("action-risk/evidence/Seals") {
  static readonly layer = Layer.effect(
    Seals,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const sealedOf = { live: new Set<string>(), test: new Set<string>() }
      const seal = Effect.fn("Seals.seal")(function* (mode: Mode, rowsMax: number) {
        const sealed = yield* inEachGroup(clients, mode, (group) =>
          Effect.tap(group.sql.withTransaction(sealSome(group, rowsMax)), (organizations) =>
            Effect.sync(() => organizations.forEach((organizationId) => sealedOf[mode].add(organizationId)))
          )
        )
        return Math.max(...sealed.map(({ length }) => length))
      })
      const takeSealed = (mode: Mode): ReadonlyArray<string> => {
        const organizations = [...sealedOf[mode]]
        sealedOf[mode].clear()
        return organizations
      }
      const waiting = Effect.fn("Seals.waiting")(function* (mode: Mode, rowsMax: number) {
        const counted = yield* inEachGroup(
          clients,
          mode,
          ({ sql }) => sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM (SELECT 1 FROM unsealed LIMIT ${rowsMax}) AS counted
        `
        )
        return Math.min(
          rowsMax,
          counted.flat().reduce((sum, { count }) => sum + count, 0)
        )
      })
      return Seals.of({ seal, takeSealed, waiting })
    })
  )
}

/** Returns the organization of each sealed assessment. */
const sealSome = Effect.fnUntraced(function* (
  group: Group,
  rowsMax: number
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const { mode, sql } = group
  // Invariant: one sealer at a time. Two would append two entries with the same sequence number.
  const [lock] = yield* sql<{ readonly held: boolean }>`
    SELECT pg_try_advisory_xact_lock(${lockSpace}::int, ${lockOf(group)}::int) AS held
  `
  if (lock?.held !== true) return []
  const rows = yield* sql<UnsealedRow>`
    SELECT waiting.*, salt, input_digest, result_digest, behavior_snapshot, rules_digest, policy_digest,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
    FROM (SELECT organization_id, assessment_id FROM unsealed ORDER BY assessment_id LIMIT ${rowsMax}) AS waiting
      CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "waiting" }))} AS assessed
    ORDER BY assessment_id
  `
  if (rows.length === 0) return []
  const heads = yield* readHeads(sql, [...new Set(rows.map((row) => row.organization_id))])
  const sealed = rows.map((row) => sealRow(row, mode, heads))
  yield* sql.unsafe(insertSeals, columns.values(sealed))
  return sealed.map(({ organizationId }) => organizationId)
})

const columns = arrayColumns<ReturnType<typeof sealRow>>({
  organization_id: ["uuid", ({ row }) => row.organization_id],
  assessment_id: ["uuid", ({ row }) => row.assessment_id],
  sequence: ["bigint", ({ sequence }) => BigInt(sequence)],
  previous_digest: ["bytea", ({ previousDigest }) => previousDigest],
  entry_digest: ["bytea", ({ digest }) => digest],
  input_leaf: ["bytea", ({ inputLeaf }) => inputLeaf],
  result_leaf: ["bytea", ({ resultLeaf }) => resultLeaf],
  snapshot_leaf: ["bytea", ({ snapshotLeaf }) => snapshotLeaf]
})

const insertSeals = `
WITH sealed AS (
  SELECT * FROM unnest(${columns.parameters}) AS sealed (${columns.names})
), done AS (
  DELETE FROM unsealed USING sealed
  WHERE unsealed.organization_id = sealed.organization_id AND unsealed.assessment_id = sealed.assessment_id
)
INSERT INTO seals (${columns.names}, sealed_at)
SELECT *, statement_timestamp() FROM sealed`

const readHeads = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizations: ReadonlyArray<string>
) {
  const rows = yield* sql<HeadRow>`
    SELECT organization_id, sequence::float8, entry_digest
    FROM unnest(${organizations}::uuid[]) AS asked (organization_id)
      CROSS JOIN LATERAL (
        SELECT sequence, entry_digest FROM seals WHERE seals.organization_id = asked.organization_id
        ORDER BY sequence DESC LIMIT 1
      ) AS head
  `
  return new Map(
    rows.map((row): [string, SealHead] => [
      row.organization_id,
      { sequence: row.sequence, digest: row.entry_digest }
    ])
  )
})

/** Builds the entry of the row, and makes it its organization's head in `heads`. */
const sealRow = (row: UnsealedRow, mode: Mode, heads: Map<string, SealHead>) => {
  const head = heads.get(row.organization_id) ?? { sequence: 0, digest: genesis }
  const { salt } = row
  const entry = {
    organizationId: row.organization_id,
    mode,
    sequence: head.sequence + 1,
    previousDigest: head.digest,
    assessmentId: row.assessment_id,
    createdAt: row.created_at,
    inputLeaf: leafDigest(salt, row.input_digest),
    resultLeaf: leafDigest(salt, row.result_digest),
    snapshotLeaf: leafDigest(salt, snapshotDigest(row.behavior_snapshot)),
    rulesDigest: row.rules_digest,
    policyDigest: row.policy_digest
  }
  const digest = entryDigest(entry)
  heads.set(row.organization_id, { sequence: entry.sequence, digest })
  return { ...entry, row, digest }
}

/** Seals all waiting assessments of a mode, unless another process is sealing. */
export const sealUnsealed = (mode: Mode) =>
  Effect.flatMap(Seals, ({ seal }) =>
    Effect.repeat(seal(mode, sealBatchMax), { while: (sealed) => sealed === sealBatchMax })
  )

/**
 * Seals evidence every `sealEveryMs` as long as the process runs, so that no answer waits for a seal. An assessment is sealed at most two
 * seconds after it was written. The filter columns follow immediately. The search texts follow in parallel, because indexing long texts
 * takes long and no seal should wait for that.
 */
export const sealingWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { takeSealed } = yield* Seals
    const filters = yield* makeFollowing(facets)
    const texts = yield* makeFollowing(searchTexts)
    const followSeals = Effect.fnUntraced(function* (mode: Mode) {
      const organizations = takeSealed(mode)
      for (const { add } of [filters, texts]) add(mode, organizations)
      yield* filters.follow(mode)
    })
    const sealBoth = Effect.forEach(modes, (mode) =>
      // After a failure the assessments stay in their table, and the next round of any process seals them.
      Effect.andThen(retryOnceOrLog("seal evidence", sealUnsealed(mode)), followSeals(mode))
    )
    const findMore = Effect.andThen(filters.findMore, texts.findMore)
    yield* Effect.forkScoped(Effect.repeat(findMore, Schedule.spaced(sealsFollowedEveryMs)))
    yield* Effect.forkScoped(Effect.repeat(sealBoth, Schedule.spaced(sealEveryMs)))
    yield* Effect.forkScoped(Effect.repeat(Effect.forEach(modes, texts.follow), Schedule.spaced(sealEveryMs)))
  })
).pipe(Layer.provide([Seals.layer, SealFollower.layer]))

/** The metric of assessments waiting for their seal. It grows if no process seals any more. */
export const unsealedGauge = Layer.effectDiscard(
  Effect.gen(function* () {
    const { waiting } = yield* Seals
    const counted = { live: 0, test: 0 }
    const count = Effect.forEach(modes, (mode) =>
      retryOnceOrLog(
        "count unsealed evidence",
        Effect.map(waiting(mode, sealsCountedMax), (found) => (counted[mode] = found))
      )
    )
    yield* Effect.forkScoped(Effect.repeat(count, Schedule.spaced(sealsCountedEveryMs)))
    for (const mode of modes) {
      const description = "Assessments waiting for a place in the hash chain."
      yield* registerGauge("action_risk.seals.waiting", description, { mode }, () => counted[mode])
    }
  })
).pipe(Layer.provide(Seals.layer))
