/** The statements that read reviews, and their rows in the domain's words. */

import type { SqlClient, Statement } from "effect/sql"
import type { Json } from "../../domain/Action.ts"
import type { ReviewOutcome, ReviewState } from "../../domain/Review.ts"

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

export interface ReviewPage {
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
  { before, limit, state }: ReviewPage
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

export const reviewOfRow = (row: ReviewRow): StoredReview => ({
  assessmentId: row.assessment_id,
  item: row.item,
  openedAt: row.opened_at,
  outcome: row.outcome,
  note: row.note,
  closedAt: row.closed_at
})
