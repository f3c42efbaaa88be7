/** The statement for deliveries that cannot be made for a reason of ours: they wait, and are dead once they are too old. */

import { webhookPostponedHoursMax, webhookPostponedMs, webhookSweptTogetherMax } from "../../Limits.ts"

/**
 * Parameters: organization, endpoint, delivery, token, and whether everything that is due for the endpoint is put off with
 * it. No attempt is counted, and nothing is said of the endpoint.
 */
export const postponeStatement = `
WITH unmade AS MATERIALIZED (
  SELECT organization_id, delivery_id, created_at < statement_timestamp() - interval '${webhookPostponedHoursMax} hours' AS dead
  FROM webhook_deliveries
  WHERE organization_id = $1::uuid AND endpoint_id = $2::uuid AND next_attempt_at <= statement_timestamp()
    AND (delivery_id = $3::uuid AND claimed_by = $4::uuid
      OR $5::bool AND (claimed_until IS NULL OR claimed_until <= statement_timestamp()))
  -- What was claimed is among the first: claims take those that have been due for longest.
  ORDER BY next_attempt_at LIMIT CASE WHEN $5::bool THEN ${webhookSweptTogetherMax} ELSE 1 END FOR UPDATE SKIP LOCKED
)
UPDATE webhook_deliveries AS delivery
SET status = CASE WHEN dead THEN 'dead' ELSE status END,
  next_attempt_at = CASE WHEN NOT dead THEN statement_timestamp() + interval '${webhookPostponedMs} ms' END,
  claimed_by = NULL,
  claimed_until = NULL
FROM unmade
WHERE delivery.organization_id = unmade.organization_id AND delivery.delivery_id = unmade.delivery_id`
