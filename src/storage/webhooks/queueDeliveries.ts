/** Queues the webhook events of reviews. `queue_deliveries` creates a delivery for each endpoint that subscribes to them. */

import { Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { webhookSweepBatchMax } from "../../limits.ts"
import { decodeRows, rowBeside } from "../sql/rows.ts"
import { inEachGroup } from "../sql/groups.ts"
import { ModeSql } from "../sql/Sql.ts"

/** A query behind a table expression `kept` of reviews: each with its assessment's level, which is empty if the assessment was erased. */
export const levelsOfReviews = `
SELECT kept.organization_id, kept.assessment_id, coalesce(item -> 'action_risk' ->> 'level', '') AS level
FROM kept LEFT JOIN LATERAL ${rowBeside({ table: "assessments", of: "kept", columns: "item" })} AS assessed ON true`

const decodeKept = decodeRows(
  Schema.Struct({
    organizationId: Schema.String,
    assessmentId: Schema.String,
    level: Schema.String
  })
)

const decodeQueued = decodeRows(Schema.Struct({ announced: Schema.Boolean }))

/**
 * Runs a statement that ends with `levelsOfReviews`, and queues the event for each of its reviews. Returns their number, and whether a
 * delivery was queued. Needs a transaction: on a distributed database a statement cannot queue from inside another one.
 */
export const queueOfReviews = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  type: "review.closed" | "review.overdue",
  keeping: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>
): Effect.fn.Return<{ readonly reviews: number; readonly announced: boolean }, SqlError.SqlError> {
  const kept = yield* decodeKept(keeping)
  if (kept.length === 0) return { reviews: 0, announced: false }
  const [queued] = yield* decodeQueued(sql`
    SELECT queue_deliveries(${kept.map((one) => one.organizationId)}::uuid[], ${kept.map((one) => one.assessmentId)}::uuid[],
      ${kept.map(() => type)}::text[], ${kept.map(({ level }) => level)}::text[]) AS announced
  `)
  return { reviews: kept.length, announced: queued?.announced === true }
})

/** $1 is the number of hours. Also marks reviews without a subscriber, so that an endpoint that subscribes later gets no old ones. */
const overdueStatement = `
WITH due AS MATERIALIZED (
  SELECT organization_id, assessment_id FROM reviews
  WHERE closed_at IS NULL AND NOT reminded AND opened_at <= statement_timestamp() - $1::int * interval '1 hour'
  ORDER BY opened_at LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
), kept AS (
  UPDATE reviews SET reminded = true FROM due
  WHERE reviews.organization_id = due.organization_id AND reviews.assessment_id = due.assessment_id
  RETURNING reviews.organization_id, reviews.assessment_id
)${levelsOfReviews}`

/** Queues the event for reviews that have been open this long, once for each. `overdue`: the largest number found in any group. */
export const remindOfReviews = Effect.fn("remindOfReviews")(function* (mode: Mode, dueHours: number) {
  const clients = yield* ModeSql
  const found = yield* inEachGroup(clients, mode, ({ sql }) =>
    sql.withTransaction(queueOfReviews(sql, "review.overdue", sql.unsafe(overdueStatement, [dueHours])))
  )
  return {
    overdue: Math.max(...found.map(({ reviews }) => reviews)),
    announced: found.some(({ announced }) => announced)
  }
})
