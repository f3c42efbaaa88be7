/** Stored assessments of both modes: written once, read by id, by idempotency key, and page by page. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Mode } from "../domain/Mode.ts"
import { idempotencyMemoryHours, sharedWaitingMax, writeLanes, writtenTogetherMax } from "../Limits.ts"
import type {
  AssessmentRecord,
  ListedPage,
  Owner,
  SealableEvidence,
  StoredAnswer,
  StoredEvidence
} from "./AssessmentRecord.ts"
import { type PageQuery, pageOfRow, selectFound, selectPages } from "./assessmentRecords/list.ts"
import {
  answerOfRow,
  evidenceOfRow,
  sealableOfRow,
  selectAnswers,
  selectEvidence,
  selectEvidencePage,
  type Stretch
} from "./assessmentRecords/read.ts"
import { type KeptRow, writeParameters, writeStatement, type Writing } from "./assessmentRecords/write.ts"
import { readTogether } from "./assessmentRecords/readTogether.ts"
import { groupedStatement } from "./groupedStatement.ts"
import { OutboxBell } from "./OutboxBell.ts"
import { spanned } from "./spanned.ts"
import { ModeSql, ResourceSql } from "./Sql.ts"
import { makeBounded } from "./sql/makeBounded.ts"
import { StorageSilent } from "./within.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>
/** Fails with `StorageSilent` once the patience is over: a statement that is shared goes on for the others. */
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
    readonly find: (
      owner: Owner,
      assessmentId: string,
      patienceMs: number
    ) => Shared<StoredEvidence | undefined>
    /** A page of a stretch, oldest first, after the last id of the page before; at most `rowsMax`. */
    readonly evidencePage: (
      owner: Owner,
      stretch: Stretch,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<SealableEvidence>>
    /** Newest first. */
    readonly page: (owner: Owner, query: PageQuery, patienceMs: number) => Shared<ListedPage>
    /** Newest first, of those that hold the text, or have it for an id. Its statement is its own, and ends with the patience. */
    readonly search: (owner: Owner, query: PageQuery, text: string, patienceMs: number) => Shared<ListedPage>
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

      const answers = yield* readTogether("find_answers", clients, selectAnswers)
      const answerOf = spanned("AssessmentRecords.answerOf")(
        (owner: Owner, key: string, patienceMs: number) =>
          Effect.map(
            answers[owner.mode]({ organizationId: owner.organizationId, key }, patienceMs),
            (row) => row && answerOfRow(row)
          )
      )

      const evidence = yield* readTogether("find_evidence", clients, selectEvidence)
      const find = spanned("AssessmentRecords.find")(
        (owner: Owner, assessmentId: string, patienceMs: number) =>
          Effect.map(
            evidence[owner.mode]({ organizationId: owner.organizationId, assessmentId }, patienceMs),
            (row) => row && evidenceOfRow(row)
          )
      )

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

      const pages = yield* readTogether("list_pages", resources, selectPages)
      const page = spanned("AssessmentRecords.page")(
        ({ mode, organizationId }: Owner, { before, limit }: PageQuery, patienceMs: number) =>
          Effect.map(pages[mode]({ organizationId, before, limit }, patienceMs), pageOfRow)
      )

      const within = yield* makeBounded
      const search = spanned("AssessmentRecords.search")(
        ({ mode, organizationId }: Owner, query: PageQuery, text: string, patienceMs: number) =>
          Effect.map(
            within(selectFound(resources.for(mode), organizationId, query, text), {
              ms: patienceMs,
              silent: () => new StorageSilent({ waitedMs: patienceMs })
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

      return AssessmentRecords.of({ write, answerOf, find, evidencePage, page, search, forgetKeys })
    })
  ).pipe(Layer.provide(OutboxBell.layer))
}
