/** The stored answers under idempotency keys. */

import type { SqlClient } from "effect/sql"
import type { PlacedRow } from "../sql/BatchedStatement.ts"
import type { StoredAnswer } from "./AssessmentRecord.ts"

/** A key of an organization. */
export interface AnswerLookup {
  readonly organizationId: string
  readonly key: string
}

export interface AnswerRow {
  readonly assessment_id: string
  readonly request_id: string
  readonly input_digest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

/**
 * A column of what is found that was stored before. An answer that is repeated is as durable as one that is stored. After
 * somebody has ended its commit's wait for a synchronous standby, the row is on the primary alone. So where there is such a
 * standby, the statement commits too, and waits until the standby has everything before it.
 */
export const afterStandby = `CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at`

/** The answers under the keys, each with the place of its lookup. */
export const selectAnswers = (sql: SqlClient.SqlClient, asked: ReadonlyArray<AnswerLookup>) =>
  sql<AnswerRow & PlacedRow>`
    SELECT place::int, answer.*, ${sql.literal(afterStandby)}
    FROM unnest(${asked.map(({ organizationId }) => organizationId)}::uuid[], ${asked.map(({ key }) => key)}::text[])
      WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN LATERAL find_answer(organization_id, key) AS answer
  `

export const answerOfRow = (row: AnswerRow): StoredAnswer => ({
  assessmentId: row.assessment_id,
  requestId: row.request_id,
  inputDigest: row.input_digest,
  complete: row.complete,
  response: row.response
})
