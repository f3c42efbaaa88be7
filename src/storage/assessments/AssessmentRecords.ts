/** Stores the assessments of both modes: writes each once, and reads by id, by idempotency key, and page by page. */

import { Cause, Clock, Context, Effect, Exit, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import {
  failedWritesMin,
  failedWritesMs,
  idempotencyMemoryHours,
  searchesTogetherMax,
  searchesTogetherMs,
  searchStatementsMax,
  turnsWaitingMax,
  writeBatchesInFlightMax,
  writeBatchMax
} from "../../limits.ts"
import { byPlace, makeBatchedReads, makeBatchedStatement, type PlacedRow } from "../sql/BatchedStatement.ts"
import { arrayColumns, rowBeside } from "../sql/rows.ts"
import { type Group, inEachGroup, makeForGroups } from "../sql/groups.ts"
import { ModeSql, ResourceSql } from "../sql/Sql.ts"
import { monotonicMs } from "../timeouts.ts"
import type { PageQuery } from "../timeOrderedId.ts"
import { tracedFn } from "../tracedFn.ts"
import { DeliverySignal } from "../webhooks/DeliverySignal.ts"
import type {
  AssessmentRecord,
  Evidence,
  Owner,
  Seal,
  SealableEvidence,
  StoredEvidence
} from "./AssessmentRecord.ts"
import { type ListedPage, type Search, selectMatches, selectPages } from "./listAssessments.ts"
import { selectAnswers } from "./storedAnswers.ts"

interface Writing {
  /** Whether the most recent writes all failed, not long ago. */
  readonly fails: () => boolean
  /** Forgets the failed writes, because their cause is gone. */
  readonly forget: () => void
}

/** Operations with a timeout fail with `StorageTimeout` when it expires. A shared statement continues for the other callers. */
export class AssessmentRecords extends Context.Service<AssessmentRecords>()(
  "action-risk/storage/AssessmentRecords",
  {
    make: Effect.gen(function* () {
      const clients = yield* ModeSql
      return {
        ...(yield* makeWrite(clients)),
        ...(yield* makeReads(clients)),
        ...(yield* makeLists(yield* ResourceSql)),
        /** Deletes at most `keysMax` expired idempotency keys per group, and returns the largest number deleted in any group. */
        deleteExpiredKeys: Effect.fn("AssessmentRecords.deleteExpiredKeys")(function* (
          mode: Mode,
          keysMax: number
        ) {
          const deleted = yield* inEachGroup(clients, mode, ({ sql }) => deleteExpiredKeys(sql, keysMax))
          return Math.max(...deleted.map(({ length }) => length))
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(AssessmentRecords, AssessmentRecords.make).pipe(
    Layer.provide(DeliverySignal.layer)
  )
}

/** Reports whether writes to the database fail. The default, for processes without a database, never reports a failure. */
export class WritingHealth extends Context.Reference<Writing>("action-risk/storage/WritingHealth", {
  defaultValue: () => ({ fails: () => false, forget: () => undefined })
}) {
  static readonly layer = Layer.effect(
    WritingHealth,
    Effect.map(AssessmentRecords, ({ writing }) => writing)
  ).pipe(Layer.provide(AssessmentRecords.layer))
}

const makeWrite = Effect.fnUntraced(function* (clients: ModeSql["Service"]) {
  const signal = yield* DeliverySignal
  const writeBatch = ({ mode, sql }: Group, batch: ReadonlyArray<AssessmentWrite>) =>
    Effect.map(sql.unsafe<WrittenRow>(writeStatement, writeParameters(batch)), ([row]) => {
      if (row?.announced === true) signal.notify(mode)
      const written = new Set(row?.written)
      return batch.map((_, i) => written.has(i + 1))
    })

  const writerOf = (group: Group) =>
    makeBatchedStatement({
      name: "write_assessments",
      batchMax: writeBatchMax,
      inFlightMax: writeBatchesInFlightMax,
      tenantOf: ({ owner }) => owner.organizationId,
      run: (batch: ReadonlyArray<AssessmentWrite>) => writeBatch(group, batch)
    })
  const writers = yield* makeForGroups(clients, writerOf)
  const outcomes = yield* watchWrites
  /** False if nothing was written: the id is already stored, or the idempotency key belongs to another assessment. */
  const write = tracedFn("AssessmentRecords.write")(
    (owner: Owner, record: AssessmentRecord, timeoutMs: number) =>
      outcomes.watch(writers(owner)({ owner, record }, timeoutMs))
  )
  return { write, writing: outcomes }
})

export interface AssessmentWrite {
  readonly owner: Owner
  readonly record: AssessmentRecord
}

/** The parameters of `write_assessments`, in order. Their types check the values, and no table checks them again. */
const columns = arrayColumns<AssessmentWrite>({
  organization_id: ["uuid", ({ owner }) => owner.organizationId],
  key: ["text", ({ record }) => record.idempotencyKey],
  input_digest: ["digest", ({ record }) => record.inputDigest],
  assessment_id: ["uuid", ({ record }) => record.assessmentId],
  action_id: ["uuid", ({ record }) => record.actionId],
  request_id: ["text", ({ record }) => record.requestId],
  created_at: ["timestamptz", ({ record }) => timestamp(record.createdAtMicros)],
  complete: ["boolean", ({ record }) => record.complete],
  response: ["bytea", ({ record }) => record.response],
  result_digest: ["digest", ({ record }) => record.resultDigest],
  input: ["bytea", ({ record }) => record.input],
  behavior_snapshot: ["bytea", ({ record }) => record.behaviorSnapshot],
  rules_digest: ["digest", ({ record }) => record.rulesDigest],
  policy_digest: ["digest", ({ record }) => record.policyDigest],
  item: ["json", ({ record }) => JSON.stringify(record.item)],
  search: ["text", ({ record }) => record.search],
  fingerprint: ["digest", ({ record }) => record.fingerprint],
  normalized_action_type: ["text", ({ record }) => record.history.normalizedActionType],
  action_category: ["text", ({ record }) => record.history.actionCategory],
  action_class: ["text", ({ record }) => record.history.actionClass],
  production: ["boolean", ({ record }) => record.history.production],
  changes: ["boolean", ({ record }) => record.history.changes],
  agent_id: ["text", ({ record }) => record.history.agentId],
  summed_under: ["text", ({ record }) => record.history.summedUnder],
  destination_key: ["text", ({ record }) => record.history.destinationKey],
  destination_summed_under: ["text", ({ record }) => record.history.destinationSummedUnder],
  stated_entities: ["figure", ({ record }) => bigint(record.history.statedEntities)],
  stated_usd_cents: ["figure", ({ record }) => bigint(record.history.statedUsdCents)],
  scored_entities: ["figure", ({ record }) => bigint(record.history.scoredEntities)],
  scored_usd_cents: ["figure", ({ record }) => bigint(record.history.scoredUsdCents)],
  salt: ["salt", ({ record }) => record.salt],
  level: ["text", ({ record }) => record.level]
})

/** `write_assessments` is in `schema/assessments.sql`. */
export const writeStatement = `SELECT written, announced FROM write_assessments(${columns.parameters})`

export const writeParameters = columns.values

export interface WrittenRow {
  /** The positions in the batch, from 1, of those that were written; null if none was. */
  readonly written: ReadonlyArray<number> | null
  /** Whether a delivery was queued. */
  readonly announced: boolean
}

const bigint = (figure: number | null): bigint | null => (figure === null ? null : BigInt(figure))

/** ISO 8601 with microseconds, which a Date would round away. */
const timestamp = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = (micros % 1_000).toString().padStart(3, "0")
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}

/** Tracks whether writes succeed. A single failure may be due to its own row or connection; several in a row are not. */
const watchWrites = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  let inARow = 0
  let lastMs = 0
  return {
    watch: <A, E>(write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.onExit(write, (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) inARow = 0
          else if (!Cause.hasInterruptsOnly(exit.cause)) {
            inARow++
            lastMs = monotonicMs(clock)
          }
        })
      ),
    fails: () => inARow >= failedWritesMin && monotonicMs(clock) - lastMs < failedWritesMs,
    forget: () => {
      inARow = 0
    }
  }
})

const makeReads = Effect.fnUntraced(function* (clients: ModeSql["Service"]) {
  const answers = yield* makeBatchedReads("find_answers", clients, byPlace(selectAnswers))
  /** The assessment stored under the idempotency key, unless the key has expired. */
  const findByIdempotencyKey = tracedFn("AssessmentRecords.findByIdempotencyKey")(
    (owner: Owner, key: string, timeoutMs: number) =>
      answers(owner)({ organizationId: owner.organizationId, key }, timeoutMs)
  )

  const evidence = yield* makeBatchedReads("find_evidence", clients, byPlace(selectEvidence))
  /** `assessmentId` is a UUID. */
  const find = tracedFn("AssessmentRecords.find")((owner: Owner, assessmentId: string, timeoutMs: number) =>
    Effect.map(
      evidence(owner)({ organizationId: owner.organizationId, assessmentId }, timeoutMs),
      (row): StoredEvidence | undefined => row && withSeal(row)
    )
  )

  /** One page of the range, oldest first, at most `rowsMax`. `after`: the last id of the previous page. */
  const evidencePage = Effect.fn("AssessmentRecords.evidencePage")(function* (
    owner: Owner,
    range: IdRange,
    after: string | null,
    rowsMax: number
  ): Effect.fn.Return<ReadonlyArray<SealableEvidence>, SqlError.SqlError> {
    const { organizationId } = owner
    const rows = yield* selectEvidencePage(clients.for(owner), organizationId, range, after, rowsMax)
    return rows.map((row) => ({ organizationId, ...withSeal(row) }))
  })

  return { findByIdempotencyKey, find, evidencePage }
})

const orNoPage = (page: ListedPage | undefined): ListedPage => page ?? { itemsJson: "", lastId: null }

const makeLists = Effect.fnUntraced(function* (resources: ResourceSql["Service"]) {
  const pages = yield* makeBatchedReads("list_pages", resources, byPlace(selectPages))
  /** Newest first. */
  const page = tracedFn("AssessmentRecords.page")(
    (owner: Owner, { before, limit }: PageQuery, timeoutMs: number) =>
      Effect.map(pages(owner)({ organizationId: owner.organizationId, before, limit }, timeoutMs), orNoPage)
  )

  const searchTogether = (mode: Mode, searches: ReadonlyArray<Search>) => {
    // All searches in a batch belong to one organization.
    const owner = { mode, organizationId: searches[0]?.organizationId ?? "" }
    return resources.inTurn(owner, (sql) => selectMatches(sql, searches))
  }
  const searcherOf = ({ mode }: Group) =>
    makeBatchedStatement({
      name: "search_assessments",
      batchMax: searchesTogetherMax,
      inFlightMax: searchStatementsMax,
      waitingMax: turnsWaitingMax,
      tenantOf: ({ organizationId }: Search) => organizationId,
      apart: { fastMs: searchesTogetherMs },
      run: (searches: ReadonlyArray<Search>) => byPlace(searchTogether)(mode, searches)
    })
  const searchers = yield* makeForGroups(resources, searcherOf)
  /** Newest first: the assessments that contain the text or have it as an id. Cancelled at the timeout. */
  const search = tracedFn("AssessmentRecords.search")(
    (owner: Owner, query: PageQuery, text: string, timeoutMs: number) =>
      Effect.map(
        searchers(owner)({ organizationId: owner.organizationId, text, ...query }, timeoutMs),
        orNoPage
      )
  )

  /** At most `rowsMax` assessments within a range of ids, newest first, without their seals. */
  const historyPage = Effect.fn("AssessmentRecords.historyPage")(function* (
    owner: Owner,
    { before, from }: IdRange,
    rowsMax: number
  ) {
    const rows = yield* resources.inTurn(
      owner,
      (sql) => sql<Omit<StoredEvidence, "seal">>`
        SELECT ${sql.literal(assessmentColumns)} FROM assessments
        WHERE organization_id = ${owner.organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
        ORDER BY assessment_id DESC LIMIT ${rowsMax}
      `
    )
    return rows.map((row): StoredEvidence => ({ ...row, seal: null }))
  })

  return { page, search, historyPage }
})

const deleteExpiredKeys = (sql: SqlClient.SqlClient, keysMax: number) => sql`
  DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
    SELECT organization_id, key FROM idempotency_keys
    WHERE completed_at <= statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
    ORDER BY completed_at LIMIT ${keysMax} FOR UPDATE SKIP LOCKED
  ) RETURNING 1
`

/** A row of stored evidence. The columns of its seal are null until it is sealed. */
export type EvidenceRow = Evidence & { readonly [Column in keyof Seal]: Seal[Column] | null } & {
  readonly assessmentId: string
}

const assessmentColumns = `assessment_id AS "assessmentId", response, result_digest AS "resultDigest", input,
  input_digest AS "inputDigest", behavior_snapshot AS "behaviorSnapshot", rules_digest AS "rulesDigest",
  policy_digest AS "policyDigest"`
const sealColumns = `sequence::float8 AS sequence, previous_digest AS "previousDigest", entry_digest AS "entryDigest",
  sealed_at AS "sealedAt"`

/** The stored assessments among the look-ups, each with the position of its look-up. */
export const selectEvidence = (
  sql: SqlClient.SqlClient,
  lookups: ReadonlyArray<{ readonly organizationId: string; readonly assessmentId: string }>
) => {
  const organizations = lookups.map(({ organizationId }) => organizationId)
  const ids = lookups.map(({ assessmentId }) => assessmentId)
  return sql<EvidenceRow & PlacedRow>`
    SELECT place::int, kept.*, sealed.*
    FROM unnest(${organizations}::uuid[], ${ids}::uuid[]) WITH ORDINALITY AS asked (organization_id, assessment_id, place)
      CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "asked", columns: assessmentColumns }))} AS kept
      LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "seals", of: "asked", columns: sealColumns }))} AS sealed ON true
  `
}

/** A range of assessment ids, which begin with their time. */
export interface IdRange {
  /** The smallest id of the range. */
  readonly from: string
  /** The range ends before this id. */
  readonly before: string
}

export type SealableRow = EvidenceRow & Omit<SealableEvidence, "organizationId" | "seal">

/** The seal of each row of `assessments`, for a LATERAL join. */
export const sealOfEach = rowBeside({
  table: "seals",
  of: "assessments",
  columns: "sequence, previous_digest, entry_digest, sealed_at, input_leaf, result_leaf, snapshot_leaf"
})

/** Oldest first, along the primary key. */
export const selectEvidencePage = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, from }: IdRange,
  after: string | null,
  rowsMax: number
) => sql<SealableRow>`
  SELECT ${sql.literal(assessmentColumns)}, ${sql.literal(sealColumns)}, salt, input_leaf AS "inputLeaf",
    result_leaf AS "resultLeaf", snapshot_leaf AS "snapshotLeaf",
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
  FROM assessments LEFT JOIN LATERAL ${sql.literal(sealOfEach)} AS seal ON true
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id
  LIMIT ${rowsMax}
`

const withSeal = <Row extends EvidenceRow>({
  entryDigest,
  previousDigest,
  sealedAt,
  sequence,
  ...evidence
}: Row) => ({
  ...evidence,
  seal:
    sequence === null || previousDigest === null || entryDigest === null || sealedAt === null
      ? null
      : { sequence, previousDigest, entryDigest, sealedAt }
})
