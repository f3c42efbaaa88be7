/** SQL that writes the webhook events of assessments and reviews, with a delivery for each endpoint that wants one. */

import { actionRiskLevels } from "../../domain/Opinion.ts"

/** SQL for the rank of a level, as the column `least_rank` counts ranks. */
export const levelRankSql = (level: string): string =>
  `array_position(ARRAY['${actionRiskLevels.join("', '")}'], ${level}) - 1`

/**
 * Common table expressions that follow a `kept` and a `happened` of the same assessments. `happened` has organization_id,
 * assessment_id, rank and `type`, the event that the assessment caused. Each event that an enabled endpoint subscribes to
 * becomes one row of `webhook_events`, and one delivery for each such endpoint. `addressed` has a row for each delivery.
 *
 * Endpoints are looked up once per organization. Where no endpoint subscribes, nothing else is done. `ordered` is the
 * time part of the delivery ids, the same for the whole statement.
 */
export const queueDeliveries = `
listening AS MATERIALIZED (
  SELECT organization_id, endpoint_id, type, least_rank FROM webhook_endpoints CROSS JOIN LATERAL unnest(events) AS type
  WHERE enabled AND organization_id IN (SELECT organization_id FROM kept)
    AND events && (SELECT array_agg(happened.type) FROM happened)
), wanted AS MATERIALIZED (
  SELECT organization_id, assessment_id, endpoint_id, type,
    'evt_' || replace(assessment_id::text, '-', '') || '_' || split_part(type, '.', 2) AS event_id
  FROM listening JOIN happened USING (organization_id, type)
  WHERE least_rank <= rank
), now AS MATERIALIZED (
  SELECT left(replace(time_ordered_id(statement_timestamp())::text, '-', ''), 16) AS ordered
), events AS (
  INSERT INTO webhook_events (organization_id, event_id, type, created_at, assessment_id)
  SELECT DISTINCT organization_id, event_id, type, statement_timestamp(), assessment_id FROM wanted ORDER BY 1, 2
), addressed AS (
  INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
    next_attempt_at, created_at)
  SELECT organization_id, (ordered || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid, endpoint_id, event_id,
    type, 'pending', 0, statement_timestamp(), statement_timestamp()
  FROM wanted CROSS JOIN now
  RETURNING 1
)`
