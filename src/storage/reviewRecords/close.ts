/** The statement that closes a review, once, and tells the endpoints that asked to hear of it. */

import { rankOf, tellEndpoints } from "../assessmentRecords/announce.ts"

/** $1 organization, $2 assessment, $3 outcome, $4 note. No row where there is no such review, or it is closed. */
export const closeStatement = `
WITH kept AS (
  UPDATE reviews SET outcome = $3::text, note = $4::text, closed_at = statement_timestamp()
  WHERE organization_id = $1::uuid AND assessment_id = $2::uuid AND closed_at IS NULL
  RETURNING organization_id, assessment_id
), happened AS (
  SELECT organization_id, assessment_id, ${rankOf("item -> 'action_risk' ->> 'level'")} AS rank, 'review.closed' AS type
  FROM kept CROSS JOIN LATERAL (
    SELECT item FROM assessments
    WHERE assessments.organization_id = kept.organization_id AND assessments.assessment_id = kept.assessment_id
    LIMIT 1
  ) AS assessed
), ${tellEndpoints}
SELECT EXISTS (SELECT FROM addressed) AS announced FROM kept`

export interface ClosedRow {
  /** Whether a delivery was queued. */
  readonly announced: boolean
}
