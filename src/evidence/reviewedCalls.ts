/** Reads stored assessments, newest first, each with the outcome of its review. */

import { Option, Schema, Stream, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { type ReviewOutcome, reviewOutcomes } from "../domain/Review.ts"
import { evidencePageRows } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { decodeRows, rowBeside } from "../storage/sql/rows.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { greatestId } from "../storage/timeOrderedId.ts"

export interface ReviewedCall {
  readonly assessmentId: string
  /** The exact bytes of the request. */
  readonly input: Uint8Array
  /** Null while the review is open, and if there is none. */
  readonly outcome: ReviewOutcome | null
}

const decodeCalls = decodeRows(
  Schema.Struct({
    assessmentId: Schema.String,
    input: Schema.Uint8Array,
    outcome: Schema.NullOr(Schema.Literals(reviewOutcomes))
  })
)

/** $1 is the organization, $2 the last id of the previous page. */
const selectCalls = `SELECT assessment_id, input, outcome
  FROM assessments LEFT JOIN LATERAL ${rowBeside({ table: "reviews", of: "assessments", columns: "outcome" })} AS review ON true
  WHERE organization_id = $1::uuid AND assessment_id < $2::uuid
  ORDER BY assessment_id DESC LIMIT ${evidencePageRows}`

export const reviewedCalls = (owner: Owner) =>
  Stream.unwrap(
    ModeSql.useSync((clients) =>
      Stream.paginate<string, ReviewedCall, SqlError.SqlError>(greatestId, (before) =>
        Effect.map(
          decodeCalls(clients.for(owner).unsafe(selectCalls, [owner.organizationId, before])),
          (rows) => {
            const last = rows.length < evidencePageRows ? undefined : rows.at(-1)
            return [rows, last === undefined ? Option.none() : Option.some(last.assessmentId)]
          }
        )
      )
    )
  )
