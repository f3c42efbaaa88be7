/** The stored answer under an idempotency key: found alone, or by the statement that reads the history for the same request. */

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

/**
 * FROM items that follow an `asked` with `organization_id` and `key`: `held` and `kept`, where the key has an answer and has not expired.
 *
 * `LIMIT 1` keeps the plan: first the key, then its assessment. Plans are kept, and one that was made while a table was
 * small may read all of an organization's assessments for each key.
 */
const lookups = `LATERAL (
    SELECT input_digest, assessment_id FROM idempotency_keys
    WHERE organization_id = asked.organization_id AND key = asked.key
      AND completed_at > statement_timestamp() - interval '${idempotencyMemoryHours} hours'
    LIMIT 1
  ) AS held
  CROSS JOIN LATERAL (
    SELECT request_id, complete, response FROM assessments
    WHERE organization_id = asked.organization_id AND assessment_id = held.assessment_id
    LIMIT 1
  ) AS kept`

const columns = "assessment_id, request_id, held.input_digest, complete, response"

/** A FROM item that follows an `asked` with `organization_id` and `key`, which may be null: the columns of `AnswerRow`, null without an answer. */
export const answerBeside = `LEFT JOIN LATERAL (SELECT ${columns} FROM ${lookups}) AS answer ON true`

/**
 * The answers under the keys, each with the place of its lookup.
 *
 * An answer that is repeated is as durable as one that is stored. After somebody has ended its commit's wait for a
 * synchronous standby, the row is on the primary alone. So where there is such a standby, this statement commits too, and
 * waits until the standby has everything before it.
 */
export const selectAnswers = (sql: SqlClient.SqlClient, asked: ReadonlyArray<AnswerLookup>) =>
  sql<AnswerRow & PlacedRow>`
    SELECT place::int, ${sql.literal(columns)},
      CASE WHEN current_setting('synchronous_standby_names') <> ''
        THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at
    FROM unnest(${asked.map(({ organizationId }) => organizationId)}::uuid[], ${asked.map(({ key }) => key)}::text[])
      WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN ${sql.literal(lookups)}
  `

export const answerOfRow = (row: AnswerRow): StoredAnswer => ({
  assessmentId: row.assessment_id,
  requestId: row.request_id,
  inputDigest: row.input_digest,
  complete: row.complete,
  response: row.response
})
