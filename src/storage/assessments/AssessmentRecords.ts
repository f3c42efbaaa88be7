/** Stored assessments of both modes: written once, read by id, by idempotency key, and page by page. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import {
  batchQueueMax,
  idempotencyMemoryHours,
  writeBatchesInFlightMax,
  writeBatchMax
} from "../../limits.ts"
import { makeBatchedReads, makeBatchedStatement, type PlacedRow } from "../sql/BatchedStatement.ts"
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
/** Fails with `StorageSilent` once the patience is over: a statement that is shared goes on for the others. */
type Shared<A> = Effect.Effect<A, SqlError.SqlError | StorageTimeout>

export class AssessmentRecords extends Context.Service<
  AssessmentRecords,
  {
    /** False when nothing was written: the id is stored already, or the idempotency key is another assessment's. */
    readonly write: (owner: Owner, record: AssessmentRecord, patienceMs: number) => Shared<boolean>
    /** The assessment that answers a remembered idempotency key. */
    readonly answerOf: (
      owner: Owner,
      idempotencyKey: string,
      patienceMs: number
    ) => Shared<StoredAnswer | undefined>
    /** `assessmentId` is a UUID. */
    readonly find: (
      owner: Owner,
      assessmentId: string,
      patienceMs: number
    ) => Shared<StoredEvidence | undefined>
    /** A page of a stretch, oldest first, after the last id of the page before; at most `rowsMax`. */
    readonly evidencePage: (
      owner: Owner,
      stretch: IdRange,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<SealableEvidence>>
    /** Newest first. */
    readonly page: (owner: Owner, query: AssessmentPageQuery, patienceMs: number) => Shared<ListedPage>
    /** Newest first, of those that hold the text, or have it for an id. Its statement is its own, and ends with the patience. */
    readonly search: (
      owner: Owner,
      query: AssessmentPageQuery,
      text: string,
      patienceMs: number
    ) => Shared<ListedPage>
    /** Forgets at most `keysMax` idempotency keys whose time is over; gives how many. */
    readonly deleteExpiredKeys: (mode: Mode, keysMax: number) => Stored<number>
  }
>()("action-risk/storage/AssessmentRecords") {
  static readonly layer = Layer.effect(
    AssessmentRecords,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const resources = yield* ResourceSql
      const bell = yield* DeliverySignal

      const writerOf = (mode: Mode) =>
        makeBatchedStatement({
          name: "write_assessments",
          batchMax: writeBatchMax,
          lanes: writeBatchesInFlightMax,
          waitingMax: batchQueueMax,
          run: (batch: ReadonlyArray<AssessmentWrite>) =>
            Effect.map(
              clients.for(mode).unsafe<WrittenRow>(writeStatement, writeParameters(batch)),
              (rows) => {
                if (rows[0]?.announced === true) bell.notify(mode)
                const kept = new Set(rows.map((row) => row.assessment_id))
                return batch.map(({ record }) => kept.has(record.assessmentId))
              }
            )
        })
      const writers = { live: yield* writerOf("live"), test: yield* writerOf("test") }

      const write = tracedFn("AssessmentRecords.write")(
        (owner: Owner, record: AssessmentRecord, patienceMs: number) =>
          writers[owner.mode]({ owner, record }, patienceMs)
      )

      const answers = yield* makeBatchedReads("find_answers", clients, selectAnswers)
      const answerOf = tracedFn("AssessmentRecords.answerOf")(
        (owner: Owner, key: string, patienceMs: number) =>
          Effect.map(
            answers[owner.mode]({ organizationId: owner.organizationId, key }, patienceMs),
            (row) => row && answerOfRow(row)
          )
      )

      const evidence = yield* makeBatchedReads("find_evidence", clients, selectEvidence)
      const find = tracedFn("AssessmentRecords.find")(
        (owner: Owner, assessmentId: string, patienceMs: number) =>
          Effect.map(
            evidence[owner.mode]({ organizationId: owner.organizationId, assessmentId }, patienceMs),
            (row) => row && evidenceOfRow(row)
          )
      )

      const evidencePage = Effect.fn("AssessmentRecords.evidencePage")(function* (
        owner: Owner,
        stretch: IdRange,
        after: string | null,
        rowsMax: number
      ) {
        const sql = clients.for(owner.mode)
        const rows = yield* selectEvidencePage(sql, owner.organizationId, stretch, after, rowsMax)
        return rows.map((row) => sealableOfRow(owner.organizationId, row))
      })

      const pages = yield* makeBatchedReads("list_pages", resources, selectPages)
      const page = tracedFn("AssessmentRecords.page")(
        ({ mode, organizationId }: Owner, { before, limit }: AssessmentPageQuery, patienceMs: number) =>
          Effect.map(pages[mode]({ organizationId, before, limit }, patienceMs), pageOfRow)
      )

      const within = yield* makeBoundedRunner
      const search = tracedFn("AssessmentRecords.search")(
        ({ mode, organizationId }: Owner, query: AssessmentPageQuery, text: string, patienceMs: number) =>
          Effect.map(
            within(selectMatches(resources.for(mode), organizationId, query, text), {
              ms: patienceMs,
              silent: () => new StorageTimeout({ waitedMs: patienceMs })
            }),
            ([row]) => pageOfRow(row)
          )
      )

      const forgetKeys = Effect.fn("AssessmentRecords.forgetKeys")(function* (mode: Mode, keysMax: number) {
        const rows = yield* clients.for(mode)`
          DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
            SELECT organization_id, key FROM idempotency_keys
            WHERE completed_at <= statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
            ORDER BY completed_at LIMIT ${keysMax} FOR UPDATE SKIP LOCKED
          ) RETURNING 1
        `
        return rows.length
      })

      return AssessmentRecords.of({
        write,
        answerOf,
        find,
        evidencePage,
        page,
        search,
        deleteExpiredKeys: forgetKeys
      })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

/** The statements that read assessments back, and their rows in the domain's words. */
interface AnswerRow extends PlacedRow {
  readonly assessment_id: string
  readonly request_id: string
  readonly input_digest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

/** One of many: the owner's organization, and the key. */
interface AnswerLookup {
  readonly organizationId: string
  readonly key: string
}

/**
 * The answers that are remembered, each with the place of its question.
 *
 * `LIMIT 1` keeps the order of looking up: key, then assessment. Left to itself the planner, whose plans outlive the
 * moments when a table is small, may read all of an organization's assessments for each key.
 */
export const selectAnswers = (sql: SqlClient.SqlClient, questions: ReadonlyArray<AnswerLookup>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const keys = questions.map(({ key }) => key)
  return sql<AnswerRow>`
    SELECT place::int, assessment_id, request_id, held.input_digest, complete, response
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

interface EvidenceRow {
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

/** One of many: an assessment of an organization. */
interface EvidenceLookup {
  readonly organizationId: string
  readonly assessmentId: string
}

/** The assessments that are there, each with the place of its question. `LIMIT 1` looks each up by itself, as above. */
export const selectEvidence = (sql: SqlClient.SqlClient, questions: ReadonlyArray<EvidenceLookup>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const ids = questions.map(({ assessmentId }) => assessmentId)
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

/** Assessments of a stretch of ids, which begin with their time. */
export interface IdRange {
  /** Not before this id. */
  readonly from: string
  /** Before this id. */
  readonly before: string
}

interface SealableRow extends EvidenceRow {
  readonly created_at: string
  readonly salt: Uint8Array | null
  readonly input_leaf: Uint8Array | null
  readonly result_leaf: Uint8Array | null
  readonly snapshot_leaf: Uint8Array | null
}

/** Oldest first, along the primary key; `after` is the last id of the page before. */
const selectEvidencePage = (
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
