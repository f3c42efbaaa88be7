/** Stores the reviews of both modes. A review is opened with its assessment and closed once. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Environment } from "../domain/Action.ts"
import { openReviewsCountedMax } from "../limits.ts"
import { type ReviewOutcome, reviewOutcomes, type ReviewState } from "../domain/Review.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"
import { afterStandby } from "./assessments/storedAnswers.ts"
import { levelsOfReviews, queueOfReviews } from "./webhooks/queueDeliveries.ts"
import { withdraw } from "./behavior/baselineTables.ts"
import { decodeRows, rowBeside } from "./sql/rows.ts"
import { makeOneAtATime, ResourceSql } from "./sql/Sql.ts"
import { greatestId, type PageQuery } from "./timeOrderedId.ts"
import { DeliverySignal } from "./webhooks/DeliverySignal.ts"

interface Closing {
  readonly outcome: ReviewOutcome
  readonly note: string | null
  /** The closing key and its name. */
  readonly by: { readonly keyId: string; readonly name: string | null }
  /** The review is closed only if its action's environment is among these; null for all. */
  readonly environments: ReadonlyArray<Environment> | null
}

export class ReviewRecords extends Context.Service<ReviewRecords>()("action-risk/storage/ReviewRecords", {
  make: Effect.gen(function* () {
    const { inTurn } = yield* ResourceSql
    const signal = yield* DeliverySignal
    const oneAtATime = makeOneAtATime()

    /** Newest assessment first. */
    const page = Effect.fn("ReviewRecords.page")((owner: Owner, query: ReviewPageQuery) =>
      inTurn(owner, (sql) => decodeReviews(selectReviewPage(sql, owner.organizationId, query)))
    )

    /** Newest assessment first. Ids are UUIDs. */
    const byIds = Effect.fn("ReviewRecords.byIds")((owner: Owner, assessmentIds: ReadonlyArray<string>) =>
      inTurn(owner, (sql) => decodeReviews(selectReviews(sql, owner.organizationId, assessmentIds)))
    )

    /** The position among the open reviews, newest first; `assessmentId` need not be one of them. Null: only counts them. */
    const place = Effect.fn("ReviewRecords.place")(function* (owner: Owner, assessmentId: string | null) {
      const of = assessmentId ?? greatestId
      const [found] = yield* inTurn(owner, (sql) => decodePlaces(selectPlace(sql, owner.organizationId, of)))
      return found ?? { first: null, previous: null, next: null, before: 0, open: 0, closed: 0 }
    })

    /** The open reviews, worst first; null if there are more than `rowsMax`. */
    const queue = Effect.fn("ReviewRecords.queue")(function* (owner: Owner, rowsMax: number) {
      const selecting = (sql: Sql) => decodeQueue(selectQueue(sql, owner.organizationId, rowsMax + 1))
      const found = yield* inTurn(owner, selecting)
      return found.length > rowsMax ? null : found
    })

    /** Closes a review, unless it is already closed or the closing does not cover it. `assessmentId` is a UUID. */
    const close = Effect.fn("ReviewRecords.close")(function* (
      owner: Owner,
      assessmentId: string,
      closing: Closing
    ) {
      const closingOnce = inTurn(owner, (sql) =>
        sql.withTransaction(closeOrWait(sql, owner.organizationId, assessmentId, closing))
      )
      const closed = yield* oneAtATime(owner, closingOnce)
      if (closed.announced) signal.notify(owner.mode)
    })

    return { page, byIds, place, queue, close }
  })
}) {
  static readonly layer = Layer.effect(ReviewRecords, ReviewRecords.make).pipe(
    Layer.provide(DeliverySignal.layer)
  )
}

type Sql = SqlClient.SqlClient

/** If another request has closed the review, waits until that is durable. */
const closeOrWait = Effect.fnUntraced(function* (
  sql: Sql,
  organizationId: string,
  assessmentId: string,
  { by, environments, note, outcome }: Closing
) {
  const values = [organizationId, assessmentId, outcome, note, by.keyId, by.name, environments]
  const closed = yield* queueOfReviews(sql, "review.closed", sql.unsafe(closeStatement, values))
  // The other closing may so far be only on the primary.
  if (closed.reviews !== 1) yield* sql.unsafe(`SELECT ${afterStandby}`)
  else if (outcome === "risk_rejected") yield* withdraw(sql, organizationId, assessmentId)
  return closed
})

const ReviewRow = Schema.Struct({
  /** Also identifies the review, because an assessment has at most one. */
  assessmentId: Schema.String,
  /** The assessment as shown in lists. */
  item: Schema.Json,
  openedAt: Schema.Date,
  /** Null while the review is open, like all members below. */
  outcome: Schema.NullOr(Schema.Literals(reviewOutcomes)),
  /** Also null if the review was closed without a note. */
  note: Schema.NullOr(Schema.String),
  closedAt: Schema.NullOr(Schema.Date),
  /** The id of the key. */
  closedBy: Schema.NullOr(Schema.String),
  closedByName: Schema.NullOr(Schema.String)
})

export type StoredReview = typeof ReviewRow.Type

const decodeReviews = decodeRows(ReviewRow)

interface ReviewPageQuery extends PageQuery {
  /** Null selects both open and closed reviews. */
  readonly state: ReviewState | null
}

/** Reads the reviews along their index first, then the assessment of each. */
const withItems = (sql: Sql, reviews: Statement.Fragment) => sql`
  SELECT assessment_id, item, opened_at, outcome, note, closed_at, closed_by, closed_by_name
  FROM (${reviews}) AS found
    CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "found", columns: "item" }))} AS assessed
  ORDER BY assessment_id DESC
`

export const selectReviews = (sql: Sql, organizationId: string, assessmentIds: ReadonlyArray<string>) =>
  withItems(
    sql,
    sql`SELECT * FROM reviews WHERE organization_id = ${organizationId} AND assessment_id = ANY (${assessmentIds}::uuid[])`
  )

export const selectReviewPage = (
  sql: Sql,
  organizationId: string,
  { before, limit, state }: ReviewPageQuery
) =>
  withItems(
    sql,
    sql`
      SELECT * FROM reviews
      WHERE organization_id = ${organizationId} AND ${ofState(sql, state)}
        ${before === undefined ? sql`` : sql`AND assessment_id < ${before}`}
      ORDER BY assessment_id DESC
      LIMIT ${limit}
    `
  )

/** A condition on reviews. */
export const ofState = (sql: Sql, state: ReviewState | null): Statement.Fragment =>
  state === null ? sql`true` : state === "open" ? sql`closed_at IS NULL` : sql`closed_at IS NOT NULL`

/** The position of an assessment among the open reviews. Reviews are counted up to `openReviewsCountedMax` + 1. */
const ReviewPlace = Schema.Struct({
  first: Schema.NullOr(Schema.String),
  /** The nearest reviews before and after it. */
  previous: Schema.NullOr(Schema.String),
  next: Schema.NullOr(Schema.String),
  /** The number of reviews before it. */
  before: Schema.Int,
  open: Schema.Int,
  closed: Schema.Int
})
export type ReviewPlace = typeof ReviewPlace.Type

const decodePlaces = decodeRows(ReviewPlace)

const selectPlace = (sql: Sql, organizationId: string, assessmentId: string) => {
  const mine = sql`FROM reviews WHERE organization_id = ${organizationId}`
  const open = sql`${mine} AND closed_at IS NULL`
  const counted = (which: Statement.Fragment) =>
    sql`(SELECT count(*)::int FROM (SELECT ${which} LIMIT ${openReviewsCountedMax + 1}) AS counted)`
  return sql`
    SELECT
      (SELECT assessment_id ${open} ORDER BY assessment_id DESC LIMIT 1) AS first,
      (SELECT assessment_id ${open} AND assessment_id > ${assessmentId} ORDER BY assessment_id LIMIT 1) AS previous,
      (SELECT assessment_id ${open} AND assessment_id < ${assessmentId} ORDER BY assessment_id DESC LIMIT 1) AS next,
      ${counted(sql`${open} AND assessment_id > ${assessmentId}`)} AS before,
      ${counted(open)} AS open,
      ${counted(sql`${mine} AND closed_at IS NOT NULL`)} AS closed
  `
}

const QueuedReview = Schema.Struct({ assessmentId: Schema.String, score: Schema.Int })
export type QueuedReview = typeof QueuedReview.Type

const decodeQueue = decodeRows(QueuedReview)

const score = "(item -> 'action_risk' ->> 'score')::int AS score"

const selectQueue = (sql: Sql, organizationId: string, rowsMax: number) => sql`
  SELECT assessment_id, score FROM (
    SELECT organization_id, assessment_id FROM reviews WHERE organization_id = ${organizationId} AND closed_at IS NULL
    ORDER BY assessment_id DESC LIMIT ${rowsMax}
  ) AS found CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "found", columns: score }))} AS assessed
  ORDER BY score DESC, assessment_id DESC
`

const environmentOf = rowBeside({ table: "assessments", of: "reviews", columns: "item ->> 'environment'" })

/** $1: organization, $2: assessment, $3: outcome, $4: note, $5: id of the key, $6: its name, $7: its environments (null for all). */
export const closeStatement = `
WITH kept AS (
  UPDATE reviews SET outcome = $3::text, note = $4::text, closed_at = statement_timestamp(), closed_by = $5::uuid,
    closed_by_name = $6::text
  WHERE organization_id = $1::uuid AND assessment_id = $2::uuid AND closed_at IS NULL
    AND ($7::text[] IS NULL OR ${environmentOf} = ANY ($7::text[]))
  RETURNING organization_id, assessment_id
)${levelsOfReviews}`
