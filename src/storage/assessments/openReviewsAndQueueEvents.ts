/** What follows from keeping an assessment: the review that it opens, and the events that endpoints asked to hear of. */

import { actionRiskLevels } from "../../domain/Opinion.ts"

/** The place of a level among those that `least_rank` counts. */
export const levelRankSql = (level: string): string =>
  `array_position(ARRAY['${actionRiskLevels.join("', '")}'], ${level}) - 1`

/**
 * Common table expressions that follow a `kept` and a `happened` of the same assessments: organization_id, assessment_id,
 * rank and `type`, an event that the assessment made. Each that an enabled endpoint wants becomes one row of the outbox,
 * and one delivery for each such endpoint; `addressed` has a row for each delivery.
 *
 * Endpoints are looked up once per organization: where nobody listens nothing else is done. `ordered` is the part of a
 * delivery's id that the time makes, the same for all of the statement.
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
), told AS (
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

/**
 * Common table expressions that follow an `asked` and a `kept`, of which only what is in both is told of: whatever was
 * not written makes no event and opens no review. Contract 4: a review for each at level high or critical, or incomplete.
 */
export const openReviewsAndQueueEvents = `
weighed AS MATERIALIZED (
  SELECT organization_id, assessment_id, complete, level, ${levelRankSql("level")} AS rank,
    NOT complete OR level IN ('high', 'critical') AS reviewed
  FROM asked JOIN kept USING (organization_id, assessment_id)
), opened AS (
  INSERT INTO reviews (organization_id, assessment_id, opened_at)
  SELECT organization_id, assessment_id, statement_timestamp() FROM weighed WHERE reviewed
), happened AS (
  SELECT organization_id, assessment_id, rank, type
  FROM weighed CROSS JOIN LATERAL (VALUES
    ('assessment.completed', complete), ('assessment.incomplete', NOT complete),
    ('assessment.high', level = 'high'), ('assessment.critical', level = 'critical'), ('review.opened', reviewed)
  ) AS event (type, happens)
  WHERE happens
), ${queueDeliveries}`
