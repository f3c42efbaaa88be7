/** Reviews of both modes: opened with their assessments, read by id and page by page, closed once. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { ReviewOutcome } from "../domain/Review.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { makeOwnerTurns } from "./makeOwnerTurns.ts"
import { OutboxBell } from "./OutboxBell.ts"
import { type ClosedRow, closeStatement } from "./reviewRecords/close.ts"
import {
  reviewOfRow,
  type ReviewPage,
  selectReview,
  selectReviewPage,
  type StoredReview
} from "./reviewRecords/read.ts"
import { withdraw } from "./reviewRecords/withdraw.ts"
import { ResourceSql } from "./Sql.ts"

export interface Closing {
  readonly outcome: ReviewOutcome
  readonly note: string | null
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class ReviewRecords extends Context.Service<
  ReviewRecords,
  {
    /** `assessmentId` is a UUID. */
    readonly find: (owner: Owner, assessmentId: string) => Stored<StoredReview | undefined>
    /** Newest assessment first. */
    readonly page: (owner: Owner, page: ReviewPage) => Stored<ReadonlyArray<StoredReview>>
    /** Does nothing when there is no such review, or it is closed already: whoever comes first closes it. */
    readonly close: (owner: Owner, assessmentId: string, closing: Closing) => Stored<void>
  }
>()("action-risk/storage/ReviewRecords") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    ReviewRecords,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const bell = yield* OutboxBell
      const inTurn = makeOwnerTurns()

      const find = Effect.fn("ReviewRecords.find")(function* (owner: Owner, assessmentId: string) {
        const [row] = yield* selectReview(clients.for(owner.mode), owner.organizationId, assessmentId)
        return row === undefined ? undefined : reviewOfRow(row)
      })

      const page = Effect.fn("ReviewRecords.page")(function* (owner: Owner, asked: ReviewPage) {
        const rows = yield* selectReviewPage(clients.for(owner.mode), owner.organizationId, asked)
        return rows.map(reviewOfRow)
      })

      const close = Effect.fn("ReviewRecords.close")(function* (
        owner: Owner,
        assessmentId: string,
        { note, outcome }: Closing
      ) {
        const sql = clients.for(owner.mode)
        const { organizationId } = owner
        const closeOnce = Effect.gen(function* () {
          const [row] = yield* sql.unsafe<ClosedRow>(closeStatement, [
            organizationId,
            assessmentId,
            outcome,
            note
          ])
          if (row !== undefined && outcome === "risk_rejected")
            yield* withdraw(sql, organizationId, assessmentId)
          return row
        })
        const closed = yield* inTurn(owner, sql.withTransaction(closeOnce))
        if (closed?.announced === true) bell.ring(owner.mode)
      })

      return ReviewRecords.of({ find, page, close })
    })
  ).pipe(Layer.provide(OutboxBell.layer))
}
