/** The stored answers under idempotency keys. */

import type { SqlClient } from "effect/sql"
import type { PlacedRow } from "../sql/BatchedStatement.ts"
import type { StoredAnswer } from "./AssessmentRecord.ts"

/**
 * A column of rows that are repeated as an answer, which must be as durable as one that is stored. After an operator has ended
 * the commit's wait for a synchronous standby, the row is only on the primary. So where there is such a standby, the statement
 * commits too, and waits until the standby has everything before it.
 */
export const afterStandby = `CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'action-risk', '')::text END AS committed_at`

/** The answers under the keys, each with the place of its lookup. */
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
