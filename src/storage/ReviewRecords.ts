/** Reviews of both modes: opened with their assessments, read by id and page by page, closed once. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Json } from "../json/json.ts"
import type { ReviewOutcome, ReviewState } from "../domain/Review.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"
import { levelRankSql, queueDeliveries } from "./assessments/writeAssessments.ts"
import { withdraw } from "./behavior/baselineTables.ts"
import { makeOwnerMutex } from "./keyedMutex.ts"
import { ResourceSql } from "./sql/Sql.ts"
import { DeliverySignal } from "./webhooks/DeliverySignal.ts"

interface Closing {
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
    readonly page: (owner: Owner, page: ReviewPageQuery) => Stored<ReadonlyArray<StoredReview>>
    /** Does nothing when there is no such review, or it is closed already: whoever comes first closes it. */
    readonly close: (owner: Owner, assessmentId: string, closing: Closing) => Stored<void>
  }
>()("action-risk/storage/ReviewRecords") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    ReviewRecords,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const bell = yield* DeliverySignal
      const inTurn = makeOwnerMutex()

      const find = Effect.fn("ReviewRecords.find")(function* (owner: Owner, assessmentId: string) {
        const [row] = yield* selectReview(clients.for(owner.mode), owner.organizationId, assessmentId)
        return row === undefined ? undefined : reviewOfRow(row)
      })

      const page = Effect.fn("ReviewRecords.page")(function* (owner: Owner, asked: ReviewPageQuery) {
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
        if (closed?.announced === true) bell.notify(owner.mode)
      })

      return ReviewRecords.of({ find, page, close })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

/** The statements that read reviews, and their rows in the domain's words. */
export interface StoredReview {
  /** Of the assessment, and so of its review. */
  readonly assessmentId: string
  /** The assessment's row of the list. */
  readonly item: Json
  readonly openedAt: Date
  /** The three are null while it is open; a note may stay null. */
  readonly outcome: ReviewOutcome | null
  readonly note: string | null
  readonly closedAt: Date | null
}

interface ReviewPageQuery {
  readonly limit: number
  /** Only reviews with a lesser id. */
  readonly before: string | undefined
  /** Null: open and closed ones. */
  readonly state: ReviewState | null
}

interface ReviewRow {
  readonly assessment_id: string
  readonly item: Json
  readonly opened_at: Date
  readonly outcome: ReviewOutcome | null
  readonly note: string | null
  readonly closed_at: Date | null
}

/** `LIMIT 1` keeps the order of looking up, whenever it was planned: reviews along their index, then the assessment of each. */
const withItems = (sql: SqlClient.SqlClient, reviews: Statement.Fragment) => sql<ReviewRow>`
  SELECT assessment_id, item, opened_at, outcome, note, closed_at
  FROM (${reviews}) AS found CROSS JOIN LATERAL (
    SELECT item FROM assessments
    WHERE assessments.organization_id = found.organization_id AND assessments.assessment_id = found.assessment_id
    LIMIT 1
  ) AS assessed
  ORDER BY assessment_id DESC
`

export const selectReview = (sql: SqlClient.SqlClient, organizationId: string, assessmentId: string) =>
  withItems(
    sql,
    sql`SELECT * FROM reviews WHERE organization_id = ${organizationId} AND assessment_id = ${assessmentId} LIMIT 1`
  )

export const selectReviewPage = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit, state }: ReviewPageQuery
) =>
  withItems(
    sql,
    sql`
      SELECT * FROM reviews
      WHERE organization_id = ${organizationId}
        ${before === undefined ? sql`` : sql`AND assessment_id < ${before}`}
        ${state === null ? sql`` : state === "open" ? sql`AND closed_at IS NULL` : sql`AND closed_at IS NOT NULL`}
      ORDER BY assessment_id DESC
      LIMIT ${limit}
    `
  )

const reviewOfRow = (row: ReviewRow): StoredReview => ({
  assessmentId: row.assessment_id,
  item: row.item,
  openedAt: row.opened_at,
  outcome: row.outcome,
  note: row.note,
  closedAt: row.closed_at
})

/**
 * The statement that closes a review, once, and tells the endpoints that asked to hear of it.
 * $1 organization, $2 assessment, $3 outcome, $4 note. No row where there is no such review, or it is closed.
 */
export const closeStatement = `
WITH kept AS (
  UPDATE reviews SET outcome = $3::text, note = $4::text, closed_at = statement_timestamp()
  WHERE organization_id = $1::uuid AND assessment_id = $2::uuid AND closed_at IS NULL
  RETURNING organization_id, assessment_id
), happened AS (
  SELECT organization_id, assessment_id, ${levelRankSql("item -> 'action_risk' ->> 'level'")} AS rank, 'review.closed' AS type
  FROM kept CROSS JOIN LATERAL (
    SELECT item FROM assessments
    WHERE assessments.organization_id = kept.organization_id AND assessments.assessment_id = kept.assessment_id
    LIMIT 1
  ) AS assessed
), ${queueDeliveries}
SELECT EXISTS (SELECT FROM addressed) AS announced FROM kept`

interface ClosedRow {
  /** Whether a delivery was queued. */
  readonly announced: boolean
}
