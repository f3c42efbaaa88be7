/** What follows from keeping an assessment: the review that it opens, and the events that endpoints asked to hear of. */

import { actionRiskLevels } from "../../domain/WebhookEvent.ts"

/** The place of a level among those that `least_rank` counts. */
export const rankOf = (level: string): string =>
  `array_position(ARRAY['${actionRiskLevels.join("', '")}'], ${level}) - 1`

/**
 * Common table expressions that follow a `kept` and a `happened` of the same assessments: organization_id, assessment_id,
 * rank and `type`, an event that the assessment made. Each that an enabled endpoint wants becomes one row of the outbox,
 * and one delivery for each such endpoint; `addressed` has a row for each delivery.
 *
 * Endpoints are looked up once per organization: where nobody listens nothing else is done.
 */
export const tellEndpoints = `
listening AS MATERIALIZED (
  SELECT organization_id, endpoint_id, events, least_rank FROM webhook_endpoints
  WHERE enabled AND organization_id IN (SELECT organization_id FROM kept)
), wanted AS MATERIALIZED (
  SELECT organization_id, assessment_id, endpoint_id, type,
    'evt_' || replace(assessment_id::text, '-', '') || '_' || split_part(type, '.', 2) AS event_id
  FROM listening JOIN happened USING (organization_id)
  WHERE least_rank <= rank AND type = ANY (events)
), told AS (
  INSERT INTO webhook_events (organization_id, event_id, type, created_at, assessment_id)
  SELECT DISTINCT organization_id, event_id, type, statement_timestamp(), assessment_id FROM wanted ORDER BY 1, 2
), addressed AS (
  INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
    next_attempt_at, created_at)
  SELECT organization_id, time_ordered_id(statement_timestamp()), endpoint_id, event_id, type, 'pending', 0,
    statement_timestamp(), statement_timestamp()
  FROM wanted
  RETURNING 1
)`

/**
 * Common table expressions that follow an `asked` and a `kept`, of which only what is in both is told of: whatever was
 * not written makes no event and opens no review. Contract 4: a review for each at level high or critical, or incomplete.
 */
export const announce = `
weighed AS MATERIALIZED (
  SELECT organization_id, assessment_id, complete, level, ${rankOf("level")} AS rank,
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
), ${tellEndpoints}`
