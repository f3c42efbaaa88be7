/** Answers stored under idempotency keys. */

import type { SqlClient } from "effect/sql"
import type { PlacedRow } from "../sql/BatchedStatement.ts"
import type { StoredAnswer } from "./AssessmentRecord.ts"

/**
 * An extra column for rows that are repeated as an answer, which must be as durable as a newly stored one. If an operator has cancelled a
 * commit's wait for a synchronous standby, the row is only on the primary. So if there is such a standby, the statement itself commits, and
 * waits until the standby has everything before it.
 */
export const afterStandby = `CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at`

/** The answers under the keys, each with the position of its look-up. */
export const selectAnswers = (
  sql: SqlClient.SqlClient,
  asked: ReadonlyArray<{ readonly organizationId: string; readonly key: string }>
) =>
  sql<StoredAnswer & PlacedRow>`
    SELECT place::int, assessment_id AS "assessmentId", request_id AS "requestId", input_digest AS "inputDigest", complete,
      response, ${sql.literal(afterStandby)}
    FROM unnest(${asked.map(({ organizationId }) => organizationId)}::uuid[], ${asked.map(({ key }) => key)}::text[])
      WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN LATERAL find_answer(organization_id, key) AS answer
  `
