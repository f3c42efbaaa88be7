/** The stored answers under idempotency keys. */

import type { SqlClient } from "effect/sql"
import { idempotencyMemoryHours } from "../../limits.ts"
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

const held = `idempotency_keys
  WHERE organization_id = asked.organization_id AND key = asked.key
    AND completed_at > statement_timestamp() - interval '${idempotencyMemoryHours} hours'`

/**
 * Of an `asked` with `organization_id` and `key`, which may be null: whether the key was answered and has not expired. `EXISTS`
 * may be planned as a hash of all keys; `LIMIT 1` keeps to the one.
 */
export const isAnswered = `coalesce((SELECT true FROM ${held} LIMIT 1), false)`

/**
 * A column of what is found that was stored before. An answer that is repeated is as durable as one that is stored. After
 * somebody has ended its commit's wait for a synchronous standby, the row is on the primary alone. So where there is such a
 * standby, the statement commits too, and waits until the standby has everything before it.
 */
export const afterStandby = `CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at`

/**
 * The answers under the keys, each with the place of its lookup.
 *
 * `LIMIT 1` keeps the plan: first the key, then its assessment. Plans are kept, and one that was made while a table was
 * small may read all of an organization's assessments for each key.
 */
export const selectAnswers = (sql: SqlClient.SqlClient, asked: ReadonlyArray<AnswerLookup>) =>
  sql<AnswerRow & PlacedRow>`
    SELECT place::int, assessment_id, request_id, held.input_digest, complete, response, ${sql.literal(afterStandby)}
    FROM unnest(${asked.map(({ organizationId }) => organizationId)}::uuid[], ${asked.map(({ key }) => key)}::text[])
      WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN LATERAL (SELECT input_digest, assessment_id FROM ${sql.literal(held)} LIMIT 1) AS held
      CROSS JOIN LATERAL (
        SELECT request_id, complete, response FROM assessments
        WHERE organization_id = asked.organization_id AND assessment_id = held.assessment_id
        LIMIT 1
      ) AS kept
  `

export const answerOfRow = (row: AnswerRow): StoredAnswer => ({
  assessmentId: row.assessment_id,
  requestId: row.request_id,
  inputDigest: row.input_digest,
  complete: row.complete,
  response: row.response
})
