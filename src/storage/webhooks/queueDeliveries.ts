/** Queues the webhook events of reviews. `queue_deliveries` makes a delivery for each endpoint that wants one. */

import { Effect, Schema } from "effect"
import type { Mode } from "../../domain/Caller.ts"
import { webhookSweepBatchMax } from "../../limits.ts"
import { decodeRows } from "../sql/decodeRows.ts"
import { rowBeside } from "../sql/rowBeside.ts"
import { ModeSql } from "../sql/Sql.ts"

/** A query that follows a `kept` of reviews: the same happened to each of them. It gives how many there are, and whether a delivery was queued. */
export const queueOfReviews = (type: "review.closed" | "review.overdue"): string => `
SELECT count(*)::int AS reviews, coalesce(queue_deliveries(array_agg(organization_id), array_agg(assessment_id),
  array_agg('${type}'::text), array_agg(item -> 'action_risk' ->> 'level')), false) AS announced
FROM kept LEFT JOIN LATERAL ${rowBeside({ table: "assessments", of: "kept", columns: "item" })} AS assessed ON true`

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
)${queueOfReviews("review.overdue")}`

const decodeOverdue = decodeRows(Schema.Struct({ reviews: Schema.Int, announced: Schema.Boolean }))

/**
 * Queues the event of the reviews that have been open for so many hours, of each once. Returns how many it found, at most
 * `webhookSweepBatchMax`, and whether a delivery was queued.
 */
export const remindOfReviews = Effect.fn("remindOfReviews")(function* (mode: Mode, dueHours: number) {
  const sql = (yield* ModeSql).for(mode)
  const [found] = yield* decodeOverdue(sql.unsafe(overdueStatement, [dueHours]))
  return { overdue: found?.reviews ?? 0, announced: found?.announced === true }
})
