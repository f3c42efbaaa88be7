/** Stores the assessments of both modes: writes each once, and reads by id, by idempotency key, and page by page. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import {
  batchQueueMax,
  idempotencyMemoryHours,
  searchTurnsMax,
  writeBatchesInFlightMax,
  writeBatchMax
} from "../../limits.ts"
import { makeBatchedReads, makeBatchedStatement, type PlacedRow } from "../sql/BatchedStatement.ts"
import { makeFairTurns } from "../sql/fairTurns.ts"
import { ModeSql, ResourceSql } from "../sql/Sql.ts"
import { makeBoundedRunner, StorageTimeout } from "../timeouts.ts"
import { tracedFn } from "../tracedFn.ts"
import { DeliverySignal } from "../webhooks/DeliverySignal.ts"
import type {
  AssessmentRecord,
  ListedPage,
  Owner,
  SealableEvidence,
  StoredAnswer,
  StoredEvidence
} from "./AssessmentRecord.ts"
import { type AssessmentPageQuery, pageOfRow, selectMatches, selectPages } from "./listAssessments.ts"
import { type AssessmentWrite, writeParameters, writeStatement, type WrittenRow } from "./writeAssessments.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>
/** Fails with `StorageTimeout` when the timeout is over. A statement that others share goes on for them. */
type Shared<A> = Effect.Effect<A, SqlError.SqlError | StorageTimeout>

export class AssessmentRecords extends Context.Service<
  AssessmentRecords,
  {
    /** False where nothing was written: the id is stored already, or the idempotency key belongs to another assessment. */
    readonly write: (owner: Owner, record: AssessmentRecord, timeoutMs: number) => Shared<boolean>
    /** The assessment that was stored under the idempotency key, unless the key has expired. */
    readonly findByIdempotencyKey: (
      owner: Owner,
      idempotencyKey: string,
      timeoutMs: number
    ) => Shared<StoredAnswer | undefined>
    /** `assessmentId` is a UUID. */
    readonly find: (
      owner: Owner,
      assessmentId: string,
      timeoutMs: number
    ) => Shared<StoredEvidence | undefined>
    /** A page of the range, oldest first, at most `rowsMax`. `after`: the last id of the page before. */
    readonly evidencePage: (
      owner: Owner,
      range: IdRange,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<SealableEvidence>>
    /** Newest first. */
    readonly page: (owner: Owner, query: AssessmentPageQuery, timeoutMs: number) => Shared<ListedPage>
    /**
     * Newest first: the assessments that contain the text, or have it as an id. Runs outside the shared batches and is
     * cancelled when the timeout is over.
     */
    readonly search: (
      owner: Owner,
      query: AssessmentPageQuery,
      text: string,
      timeoutMs: number
    ) => Shared<ListedPage>
    /** Deletes at most `keysMax` expired idempotency keys and returns how many it deleted. */
    readonly deleteExpiredKeys: (mode: Mode, keysMax: number) => Stored<number>
  }
>()("action-risk/storage/AssessmentRecords") {
  static readonly layer = Layer.effect(
    AssessmentRecords,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const resources = yield* ResourceSql
      const { evidencePage, find, findByIdempotencyKey } = yield* makeReads(clients)
      const { page, search } = yield* makeLists(resources)
      const write = yield* makeWrite(clients)
      return AssessmentRecords.of({
        write,
        findByIdempotencyKey,
        find,
        evidencePage,
        page,
        search,
        deleteExpiredKeys: Effect.fn("AssessmentRecords.forgetKeys")(function* (mode, keysMax) {
          const rows = yield* deleteExpiredKeys(clients.for(mode), keysMax)
          return rows.length
        })
      })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

const makeWrite = Effect.fnUntraced(function* (clients: ModeSql["Service"]) {
  const signal = yield* DeliverySignal
  const writerOf = (mode: Mode) =>
    makeBatchedStatement({
      name: "write_assessments",
      batchMax: writeBatchMax,
      inFlightMax: writeBatchesInFlightMax,
      waitingMax: batchQueueMax,
      tenantOf: ({ owner }) => owner.organizationId,
      run: (batch: ReadonlyArray<AssessmentWrite>) =>
        Effect.map(clients.for(mode).unsafe<WrittenRow>(writeStatement, writeParameters(batch)), (rows) => {
          if (rows[0]?.announced === true) signal.notify(mode)
          const written = new Set(rows.map((row) => row.assessment_id))
          return batch.map(({ record }) => written.has(record.assessmentId))
        })
    })
  const writers = { live: yield* writerOf("live"), test: yield* writerOf("test") }
  return tracedFn("AssessmentRecords.write")((owner: Owner, record: AssessmentRecord, timeoutMs: number) =>
    writers[owner.mode]({ owner, record }, timeoutMs)
  )
})

const makeReads = Effect.fnUntraced(function* (clients: ModeSql["Service"]) {
  const answers = yield* makeBatchedReads("find_answers", clients, selectAnswers)
  const findByIdempotencyKey = tracedFn("AssessmentRecords.answerOf")(
    ({ mode, organizationId }: Owner, key: string, timeoutMs: number) =>
      Effect.map(answers[mode]({ organizationId, key }, timeoutMs), (row) => row && answerOfRow(row))
  )

  const evidence = yield* makeBatchedReads("find_evidence", clients, selectEvidence)
  const find = tracedFn("AssessmentRecords.find")(
    ({ mode, organizationId }: Owner, assessmentId: string, timeoutMs: number) =>
      Effect.map(
        evidence[mode]({ organizationId, assessmentId }, timeoutMs),
        (row) => row && evidenceOfRow(row)
      )
  )

  const evidencePage = Effect.fn("AssessmentRecords.evidencePage")(function* (
    { mode, organizationId }: Owner,
    range: IdRange,
    after: string | null,
    rowsMax: number
  ) {
    const rows = yield* selectEvidencePage(clients.for(mode), organizationId, range, after, rowsMax)
    return rows.map((row) => sealableOfRow(organizationId, row))
  })

  return { findByIdempotencyKey, find, evidencePage }
})

const makeLists = Effect.fnUntraced(function* (resources: ResourceSql["Service"]) {
  const pages = yield* makeBatchedReads("list_pages", resources, selectPages)
  const page = tracedFn("AssessmentRecords.page")(
    ({ mode, organizationId }: Owner, { before, limit }: AssessmentPageQuery, timeoutMs: number) =>
      Effect.map(pages[mode]({ organizationId, before, limit }, timeoutMs), pageOfRow)
  )

  const turns = { live: yield* makeFairTurns(searchTurnsMax), test: yield* makeFairTurns(searchTurnsMax) }
  const runBounded = yield* makeBoundedRunner
  const search = tracedFn("AssessmentRecords.search")((
    owner: Owner,
    query: AssessmentPageQuery,
    text: string,
    timeoutMs: number
  ) => {
    const { mode, organizationId } = owner
    const searching = selectMatches(resources.for(mode), organizationId, query, text)
    return Effect.map(
      runBounded(turns[mode].take(owner, resources.inTurn(owner, searching)), {
        ms: timeoutMs,
        timeoutError: () => new StorageTimeout({ waitedMs: timeoutMs })
      }),
      ([row]) => pageOfRow(row)
    )
  })

  return { page, search }
})

const deleteExpiredKeys = (sql: SqlClient.SqlClient, keysMax: number) => sql`
  DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
    SELECT organization_id, key FROM idempotency_keys
    WHERE completed_at <= statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
    ORDER BY completed_at LIMIT ${keysMax} FOR UPDATE SKIP LOCKED
  ) RETURNING 1
`

export interface AnswerRow extends PlacedRow {
  readonly assessment_id: string
  readonly request_id: string
  readonly input_digest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

interface AnswerLookup {
  readonly organizationId: string
  readonly key: string
}

/**
 * The answers under idempotency keys that have not expired, each with the place of its lookup.
 *
 * `LIMIT 1` keeps the plan: first the key, then its assessment. Plans are kept, and one that was made while a table was
 * small may read all of an organization's assessments for each key.
 *
 * An answer that is repeated is as durable as one that is stored. After somebody has ended its commit's wait for a
 * synchronous standby, the row is on the primary alone. So where there is such a standby, this statement commits too, and
 * waits until the standby has everything before it.
 */
export const selectAnswers = (sql: SqlClient.SqlClient, lookups: ReadonlyArray<AnswerLookup>) => {
  const organizations = lookups.map(({ organizationId }) => organizationId)
  const keys = lookups.map(({ key }) => key)
  return sql<AnswerRow>`
    SELECT place::int, assessment_id, request_id, held.input_digest, complete, response,
      CASE WHEN current_setting('synchronous_standby_names') <> ''
        THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at
    FROM unnest(${organizations}::uuid[], ${keys}::text[]) WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN LATERAL (
        SELECT input_digest, assessment_id FROM idempotency_keys
        WHERE organization_id = asked.organization_id AND key = asked.key
          AND completed_at > statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
        LIMIT 1
      ) AS held
      CROSS JOIN LATERAL (
        SELECT request_id, complete, response FROM assessments
        WHERE organization_id = asked.organization_id AND assessment_id = held.assessment_id
        LIMIT 1
      ) AS kept
  `
}

const answerOfRow = (row: AnswerRow): StoredAnswer => ({
  assessmentId: row.assessment_id,
  requestId: row.request_id,
  inputDigest: row.input_digest,
  complete: row.complete,
  response: row.response
})

export interface EvidenceRow {
  readonly assessment_id: string
  readonly response: Uint8Array
  readonly result_digest: Uint8Array
  readonly input: Uint8Array
  readonly input_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly sequence: bigint | null
  readonly previous_digest: Uint8Array | null
  readonly entry_digest: Uint8Array | null
  readonly sealed_at: Date | null
}

const assessmentColumns = `assessment_id, response, result_digest, input, input_digest, behavior_snapshot, rules_digest,
  policy_digest`
const sealColumns = "sequence, previous_digest, entry_digest, sealed_at"

interface EvidenceLookup {
  readonly organizationId: string
  readonly assessmentId: string
}

/** The stored assessments among the lookups, each with the place of its lookup. `LIMIT 1` keeps the plan, as above. */
export const selectEvidence = (sql: SqlClient.SqlClient, lookups: ReadonlyArray<EvidenceLookup>) => {
  const organizations = lookups.map(({ organizationId }) => organizationId)
  const ids = lookups.map(({ assessmentId }) => assessmentId)
  return sql<EvidenceRow & PlacedRow>`
    SELECT place::int, ${sql.literal(assessmentColumns)}, ${sql.literal(sealColumns)}
    FROM unnest(${organizations}::uuid[], ${ids}::uuid[]) WITH ORDINALITY AS asked (organization_id, id, place)
      CROSS JOIN LATERAL (
        SELECT ${sql.literal(assessmentColumns)} FROM assessments
        WHERE organization_id = asked.organization_id AND assessment_id = asked.id
        LIMIT 1
      ) AS kept
      LEFT JOIN LATERAL (
        SELECT ${sql.literal(sealColumns)} FROM seals
        WHERE organization_id = asked.organization_id AND assessment_id = asked.id
        LIMIT 1
      ) AS sealed ON true
  `
}

/** A range of assessment ids. Ids begin with their time. */
export interface IdRange {
  /** The smallest id of the range. */
  readonly from: string
  /** The range ends before this id. */
  readonly before: string
}

export interface SealableRow extends EvidenceRow {
  readonly created_at: string
  readonly salt: Uint8Array | null
  readonly input_leaf: Uint8Array | null
  readonly result_leaf: Uint8Array | null
  readonly snapshot_leaf: Uint8Array | null
}

/** Oldest first, along the primary key. */
export const selectEvidencePage = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, from }: IdRange,
  after: string | null,
  rowsMax: number
) => sql<SealableRow>`
  SELECT ${sql.literal(assessmentColumns)}, ${sql.literal(sealColumns)}, salt, input_leaf, result_leaf, snapshot_leaf,
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
  FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id
  LIMIT ${rowsMax}
`

const evidenceOfRow = (row: EvidenceRow): StoredEvidence => ({
  assessmentId: row.assessment_id,
  response: row.response,
  resultDigest: row.result_digest,
  input: row.input,
  inputDigest: row.input_digest,
  behaviorSnapshot: row.behavior_snapshot,
  rulesDigest: row.rules_digest,
  policyDigest: row.policy_digest,
  seal: sealOfRow(row)
})

const sealableOfRow = (organizationId: string, row: SealableRow): SealableEvidence => ({
  ...evidenceOfRow(row),
  organizationId,
  createdAt: row.created_at,
  salt: row.salt,
  inputLeaf: row.input_leaf,
  resultLeaf: row.result_leaf,
  snapshotLeaf: row.snapshot_leaf
})

const sealOfRow = (row: EvidenceRow): StoredEvidence["seal"] =>
  row.sequence === null || row.previous_digest === null || row.entry_digest === null || row.sealed_at === null
    ? null
    : {
        sequence: Number(row.sequence),
        previousDigest: row.previous_digest,
        entryDigest: row.entry_digest,
        sealedAt: row.sealed_at
      }
