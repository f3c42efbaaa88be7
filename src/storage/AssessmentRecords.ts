/** Stored assessments of both modes: written once, read by id, by idempotency key, and page by page. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Mode } from "../domain/Mode.ts"
import {
  idempotencyMemoryHours,
  readLanes,
  readTogetherMax,
  sharedWaitingMax,
  writeLanes,
  writtenTogetherMax
} from "../Limits.ts"
import type {
  AssessmentRecord,
  ListedAssessment,
  Owner,
  SealableEvidence,
  StoredAnswer,
  StoredEvidence
} from "./AssessmentRecord.ts"
import { listPage, type PageQuery } from "./assessmentRecords/list.ts"
import {
  answerOfRow,
  evidenceOfRow,
  sealableOfRow,
  type KeyQuestion,
  selectAnswers,
  selectEvidence,
  selectEvidencePage,
  type Stretch
} from "./assessmentRecords/read.ts"
import { type KeptRow, writeParameters, writeStatement, type Writing } from "./assessmentRecords/write.ts"
import { groupedStatement } from "./groupedStatement.ts"
import { OutboxBell } from "./OutboxBell.ts"
import { spanned } from "./spanned.ts"
import { ModeSql, ResourceSql } from "./Sql.ts"
import type { StorageSilent } from "./within.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>
/** Fails with `StorageSilent` once the patience is over: the statement is shared, and goes on for the others. */
type Shared<A> = Effect.Effect<A, SqlError.SqlError | StorageSilent>

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
    readonly find: (owner: Owner, assessmentId: string) => Stored<StoredEvidence | undefined>
    /** A page of a stretch, oldest first, after the last id of the page before; at most `rowsMax`. */
    readonly evidencePage: (
      owner: Owner,
      stretch: Stretch,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<SealableEvidence>>
    /** Newest first. */
    readonly page: (owner: Owner, query: PageQuery) => Stored<ReadonlyArray<ListedAssessment>>
    /** Forgets at most `keysMax` idempotency keys whose time is over; gives how many. */
    readonly forgetKeys: (mode: Mode, keysMax: number) => Stored<number>
  }
>()("action-risk/storage/AssessmentRecords") {
  static readonly layer = Layer.effect(
    AssessmentRecords,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const resources = yield* ResourceSql
      const bell = yield* OutboxBell

      const writerOf = (mode: Mode) =>
        groupedStatement({
          name: "write_assessments",
          batchMax: writtenTogetherMax,
          lanes: writeLanes,
          waitingMax: sharedWaitingMax,
          run: (batch: ReadonlyArray<Writing>) =>
            Effect.map(clients.for(mode).unsafe<KeptRow>(writeStatement, writeParameters(batch)), (rows) => {
              if (rows[0]?.announced === true) bell.ring(mode)
              const kept = new Set(rows.map((row) => row.assessment_id))
              return batch.map(({ record }) => kept.has(record.assessmentId))
            })
        })
      const writers = { live: yield* writerOf("live"), test: yield* writerOf("test") }

      const write = spanned("AssessmentRecords.write")(
        (owner: Owner, record: AssessmentRecord, patienceMs: number) =>
          writers[owner.mode]({ owner, record }, patienceMs)
      )

      const rememberedBy = (mode: Mode) =>
        groupedStatement({
          name: "find_answers",
          batchMax: readTogetherMax,
          lanes: readLanes,
          waitingMax: sharedWaitingMax,
          run: (questions: ReadonlyArray<KeyQuestion>) =>
            Effect.map(selectAnswers(clients.for(mode), questions), (rows) => {
              const answers = new Map(rows.map((row) => [row.place, answerOfRow(row)]))
              return questions.map((_, i) => answers.get(i + 1))
            })
        })
      const remembered = { live: yield* rememberedBy("live"), test: yield* rememberedBy("test") }

      const answerOf = spanned("AssessmentRecords.answerOf")(
        (owner: Owner, key: string, patienceMs: number) =>
          remembered[owner.mode]({ organizationId: owner.organizationId, key }, patienceMs)
      )

      const find = Effect.fn("AssessmentRecords.find")(function* (owner: Owner, assessmentId: string) {
        const [row] = yield* selectEvidence(clients.for(owner.mode), owner.organizationId, assessmentId)
        return row === undefined ? undefined : evidenceOfRow(row)
      })

      const evidencePage = Effect.fn("AssessmentRecords.evidencePage")(function* (
        owner: Owner,
        stretch: Stretch,
        after: string | null,
        rowsMax: number
      ) {
        const sql = clients.for(owner.mode)
        const rows = yield* selectEvidencePage(sql, owner.organizationId, stretch, after, rowsMax)
        return rows.map((row) => sealableOfRow(owner.organizationId, row))
      })

      const page = Effect.fn("AssessmentRecords.page")(function* (owner: Owner, query: PageQuery) {
        return yield* listPage(resources.for(owner.mode), owner.organizationId, query)
      })

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

      return AssessmentRecords.of({ write, answerOf, find, evidencePage, page, forgetKeys })
    })
  ).pipe(Layer.provide(OutboxBell.layer))
}
