/** SQL that writes the webhook events of assessments and reviews, with a delivery for each endpoint that wants one. */

import { Effect, Schema } from "effect"
import type { Mode } from "../../domain/Caller.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { webhookSweepBatchMax } from "../../limits.ts"
import { decodeRows } from "../sql/decodeRows.ts"
import { ModeSql } from "../sql/Sql.ts"

/** SQL for the rank of a level, as the column `least_rank` counts ranks. */
export const levelRankSql = (level: string): string =>
  `array_position(ARRAY['${actionRiskLevels.join("', '")}'], ${level}) - 1`

/** A common table expression that follows a `kept` of reviews: the same event happened to each of them. */
export const happenedToReviews = (type: "review.closed" | "review.overdue"): string => `
happened AS (
  SELECT organization_id, assessment_id, ${levelRankSql("item -> 'action_risk' ->> 'level'")} AS rank, '${type}' AS type
  FROM kept CROSS JOIN LATERAL (
    SELECT item FROM assessments
    WHERE assessments.organization_id = kept.organization_id AND assessments.assessment_id = kept.assessment_id
    LIMIT 1
  ) AS assessed
)`

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

/** $1 the hours. Whether or not somebody listens: nobody who subscribes later is told of old ones. */
const overdueStatement = `
WITH due AS MATERIALIZED (
  SELECT organization_id, assessment_id FROM reviews
  WHERE closed_at IS NULL AND NOT reminded AND opened_at <= statement_timestamp() - $1::int * interval '1 hour'
  ORDER BY opened_at LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
), kept AS (
  UPDATE reviews SET reminded = true FROM due
  WHERE reviews.organization_id = due.organization_id AND reviews.assessment_id = due.assessment_id
  RETURNING reviews.organization_id, reviews.assessment_id
), ${happenedToReviews("review.overdue")}, ${queueDeliveries}
SELECT count(*)::int AS overdue, EXISTS (SELECT FROM addressed) AS announced FROM kept`

const decodeOverdue = decodeRows(Schema.Struct({ overdue: Schema.Int, announced: Schema.Boolean }))

/**
 * Queues the event of the reviews that have been open for so many hours, of each once. Returns how many it found, at most
 * `webhookSweepBatchMax`, and whether a delivery was queued.
 */
export const remindOfReviews = Effect.fn("remindOfReviews")(function* (mode: Mode, dueHours: number) {
  const sql = (yield* ModeSql).for(mode)
  const [found] = yield* decodeOverdue(sql.unsafe(overdueStatement, [dueHours]))
  return found ?? { overdue: 0, announced: false }
})
