/** The statements that keep the outbox in order: what waits in vain, what is old, and how much there is. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import {
  webhookInFlightMax,
  webhookKeptDays,
  webhooksCountedMax,
  webhookSweptTogetherMax
} from "../../Limits.ts"

/** Every endpoint for which something waits, by a step in the index from one to the next. */
const waitedFor = `
endpoint AS (
  (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL ORDER BY organization_id, endpoint_id LIMIT 1
  )
  UNION ALL
  SELECT following.* FROM endpoint CROSS JOIN LATERAL (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL
      AND (organization_id, endpoint_id) > (endpoint.organization_id, endpoint.endpoint_id)
    ORDER BY organization_id, endpoint_id LIMIT 1
  ) AS following
)`

/**
 * Deliveries that wait for an endpoint that is disabled become dead, those of one that is gone go too; what is in flight is
 * left to whoever sends it. Gives one row for each.
 */
export const buryStatement = `
WITH RECURSIVE ${waitedFor}, stray AS MATERIALIZED (
  SELECT waiting.*, enabled IS NULL AS gone
  FROM endpoint LEFT JOIN LATERAL (
    SELECT enabled FROM webhook_endpoints AS known
    WHERE known.organization_id = endpoint.organization_id AND known.endpoint_id = endpoint.endpoint_id LIMIT 1
  ) AS known ON true CROSS JOIN LATERAL (
    SELECT organization_id, delivery_id FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT ${webhookSweptTogetherMax} FOR UPDATE SKIP LOCKED
  ) AS waiting
  WHERE known.enabled IS NOT TRUE
  LIMIT ${webhookSweptTogetherMax}
), removed AS (
  DELETE FROM webhook_deliveries AS delivery USING stray
  WHERE stray.gone AND delivery.organization_id = stray.organization_id AND delivery.delivery_id = stray.delivery_id
  RETURNING 1
), buried AS (
  UPDATE webhook_deliveries AS delivery
  SET status = 'dead', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
  FROM stray
  WHERE NOT stray.gone AND delivery.organization_id = stray.organization_id AND delivery.delivery_id = stray.delivery_id
  RETURNING 1
)
SELECT * FROM removed UNION ALL SELECT * FROM buried`

/**
 * Finished deliveries that were kept long enough, organization by organization: an id begins with its time. Nothing waits
 * for so long, so that what is met first may go.
 */
export const sweepDeliveriesStatement = `
WITH RECURSIVE organization AS (
  (SELECT organization_id FROM webhook_deliveries ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT following.* FROM organization CROSS JOIN LATERAL (
    SELECT organization_id FROM webhook_deliveries
    WHERE organization_id > organization.organization_id ORDER BY organization_id LIMIT 1
  ) AS following
), bound AS MATERIALIZED (
  SELECT time_ordered_id(statement_timestamp() - interval '${webhookKeptDays} days') AS kept
), old AS MATERIALIZED (
  SELECT finished.* FROM bound CROSS JOIN organization CROSS JOIN LATERAL (
    SELECT organization_id, delivery_id FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = organization.organization_id AND delivery_id < bound.kept
      AND status IN ('delivered', 'dead')
    ORDER BY delivery_id LIMIT ${webhookSweptTogetherMax} FOR UPDATE SKIP LOCKED
  ) AS finished
  LIMIT ${webhookSweptTogetherMax}
)
DELETE FROM webhook_deliveries AS delivery USING old
WHERE delivery.organization_id = old.organization_id AND delivery.delivery_id = old.delivery_id
RETURNING 1`

const unheard = `(
    -- Asked of one event after the other, oldest first, until there are enough.
    SELECT true FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = event.organization_id AND delivery.event_id = event.event_id LIMIT 1
  ) IS NULL`

/** Events of which no delivery is left, so that none can be sent again. */
export const lockEventsStatement = `
SELECT organization_id, event_id FROM webhook_events AS event
WHERE created_at < statement_timestamp() - interval '${webhookKeptDays} days' AND ${unheard}
ORDER BY created_at LIMIT ${webhookSweptTogetherMax} FOR UPDATE SKIP LOCKED`

export interface OldEvent {
  readonly organization_id: string
  readonly event_id: string
}

/**
 * Of these, $1 organizations and $2 ids, those that nobody queued again before they were locked: only a statement of its
 * own sees that.
 */
export const sweepEventsStatement = `
DELETE FROM webhook_events AS event USING unnest($1::uuid[], $2::text[]) AS old (organization_id, event_id)
WHERE event.organization_id = old.organization_id AND event.event_id = old.event_id AND ${unheard}
RETURNING 1`

export const sweepEventsParameters = (events: ReadonlyArray<OldEvent>): ReadonlyArray<unknown> =>
  [events.map((event) => event.organization_id), events.map((event) => event.event_id)].map((ids) =>
    // Fails only for an element type without an array type, and text has one.
    Result.getOrThrow(PgTypes.array(ids, PgTypes.OID.text))
  )

/** What waits, seen from outside; the same in every process. */
export interface Outlook {
  /** No further than `webhooksCountedMax`. */
  readonly waiting: number
  /** Of these, those that no process sends yet although they are due. */
  readonly due: number
  readonly oldestDueSeconds: number
  /** Age of the oldest that is due for an endpoint that last succeeded and has room: it waits for us alone. */
  readonly lateSeconds: number
}

export const outlookStatement = `
WITH RECURSIVE ${waitedFor}, oldest AS MATERIALIZED (
  SELECT extract(epoch FROM statement_timestamp() - first.next_attempt_at)::float8 AS seconds,
    known.enabled AND known.failing_since IS NULL AND ${webhookInFlightMax} > (
      SELECT count(*) FROM webhook_deliveries AS taken
      WHERE taken.organization_id = endpoint.organization_id AND taken.endpoint_id = endpoint.endpoint_id
        AND taken.claimed_until > statement_timestamp()
    ) AS ours
  FROM endpoint LEFT JOIN webhook_endpoints AS known USING (organization_id, endpoint_id) CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at <= statement_timestamp()
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    ORDER BY next_attempt_at LIMIT 1
  ) AS first
)
SELECT
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${webhooksCountedMax}
  ) AS counted)::int AS waiting,
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries
    WHERE next_attempt_at <= statement_timestamp() AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT ${webhooksCountedMax}
  ) AS counted)::int AS due,
  coalesce(max(seconds), 0) AS oldest_due_seconds,
  coalesce(max(seconds) FILTER (WHERE ours), 0) AS late_seconds
FROM oldest`

export interface OutlookRow {
  readonly waiting: number
  readonly due: number
  readonly oldest_due_seconds: number
  readonly late_seconds: number
}
