/** The statement that records what became of attempts, and of the endpoints that they were made at. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { webhookFailingHoursMax } from "../../Limits.ts"

/**
 * - `delivered`: the endpoint answered 2xx.
 * - `failed`: it answered anything else, or nothing.
 * - `gone`: it answered that it wants nothing any more, which disables it.
 * - `unmade`: there was nothing to send; says nothing about the endpoint.
 */
export type AttemptOutcome = "delivered" | "failed" | "gone" | "unmade"

export interface Marking {
  readonly organizationId: string
  readonly deliveryId: string
  /** What it was claimed with: a delivery that another process has claimed since is not touched. */
  readonly token: string
  /** Where it was sent: its outcome says nothing about an endpoint that has another URL by now. */
  readonly url: string
  readonly outcome: AttemptOutcome
  /** HTTP status; null where there was none. */
  readonly answered: number | null
  /** Null where no attempt is to come. */
  readonly nextAttemptMs: number | null
}

export type DisablingReason = "gone" | "failing"

export interface Marked {
  /** False where the lease was lost: what became of the delivery is then another process's to say. */
  readonly held: boolean
  /** Why this attempt disabled its endpoint; null where it did not. */
  readonly disabled: DisablingReason | null
}

export interface MarkedRow {
  readonly place: number
  readonly disabled: DisablingReason | null
}

/**
 * An endpoint that is disabled and the event that tells the others so are written together, once: the endpoint's row is
 * locked before it is asked whether it still is enabled.
 */
export const markStatement = `
WITH told AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
    WITH ORDINALITY AS told (organization_id, delivery_id, token, url, outcome, answered, next_attempt_ms, place)
), held AS MATERIALIZED (
  -- In one order, as an erasure takes them: neither can wait for the other while it is waited for.
  SELECT told.* FROM told JOIN webhook_deliveries AS delivery USING (organization_id, delivery_id)
  WHERE delivery.claimed_by = told.token
  ORDER BY organization_id, delivery_id FOR UPDATE OF delivery
), marked AS (
  UPDATE webhook_deliveries AS delivery
  SET status = CASE WHEN outcome = 'delivered' THEN 'delivered' WHEN next_attempt_ms IS NULL THEN 'dead' ELSE 'failed' END,
    attempts = delivery.attempts + CASE WHEN outcome = 'unmade' THEN 0 ELSE 1 END,
    last_status = answered::int,
    next_attempt_at = statement_timestamp() + next_attempt_ms * interval '1 ms',
    claimed_by = NULL,
    claimed_until = NULL
  FROM held
  WHERE delivery.organization_id = held.organization_id AND delivery.delivery_id = held.delivery_id
  RETURNING place, delivery.organization_id, delivery.endpoint_id, url, outcome
), heard AS (
  SELECT organization_id, endpoint_id, url, bool_or(outcome = 'delivered') AS reached, bool_or(outcome = 'gone') AS gone
  FROM marked WHERE outcome <> 'unmade' GROUP BY organization_id, endpoint_id, url
), judged AS MATERIALIZED (
  SELECT organization_id, endpoint_id, reached,
    CASE WHEN NOT enabled THEN NULL WHEN gone THEN 'gone'
      WHEN NOT reached AND failing_since <= statement_timestamp() - interval '${webhookFailingHoursMax} hours' THEN 'failing'
    END AS disabled
  FROM webhook_endpoints JOIN heard USING (organization_id, endpoint_id, url)
  WHERE gone OR reached <> (failing_since IS NULL)
    OR failing_since <= statement_timestamp() - interval '${webhookFailingHoursMax} hours'
  ORDER BY organization_id, endpoint_id FOR UPDATE OF webhook_endpoints
), changed AS (
  UPDATE webhook_endpoints AS endpoint
  SET failing_since = CASE WHEN NOT reached THEN coalesce(failing_since, statement_timestamp()) END,
    enabled = enabled AND disabled IS NULL
  FROM judged
  WHERE endpoint.organization_id = judged.organization_id AND endpoint.endpoint_id = judged.endpoint_id
), ended AS MATERIALIZED (
  SELECT organization_id, endpoint_id, disabled, 'evt_' || replace(gen_random_uuid()::text, '-', '') AS event_id
  FROM judged WHERE disabled IS NOT NULL
), wanted AS MATERIALIZED (
  SELECT ended.organization_id, ended.event_id, ended.endpoint_id AS about, ended.disabled, other.endpoint_id
  FROM ended JOIN webhook_endpoints AS other USING (organization_id)
  WHERE other.enabled AND 'webhook_endpoint.disabled' = ANY (other.events)
    AND other.endpoint_id NOT IN (SELECT endpoint_id FROM ended)
), happened AS (
  INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
  SELECT DISTINCT ON (event_id) organization_id, event_id, 'webhook_endpoint.disabled', statement_timestamp(),
    json_build_object('endpoint_id', about, 'reason', disabled)
  FROM wanted
), queued AS (
  INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
    next_attempt_at, created_at)
  SELECT organization_id, time_ordered_id(statement_timestamp()), endpoint_id, event_id, 'webhook_endpoint.disabled',
    'pending', 0, statement_timestamp(), statement_timestamp()
  FROM wanted
)
SELECT place::int, judged.disabled FROM marked LEFT JOIN judged USING (organization_id, endpoint_id)`

export const markParameters = (markings: ReadonlyArray<Marking>): ReadonlyArray<unknown> => {
  const { int8, text } = PgTypes.OID
  const column = (oid: number, value: (marking: Marking) => unknown) =>
    // Fails only for an element type without an array type, and these have one.
    Result.getOrThrow(PgTypes.array(markings.map(value), oid))
  return [
    column(text, ({ organizationId }) => organizationId),
    column(text, ({ deliveryId }) => deliveryId),
    column(text, ({ token }) => token),
    column(text, ({ url }) => url),
    column(text, ({ outcome }) => outcome),
    column(int8, ({ answered }) => (answered === null ? null : BigInt(answered))),
    column(int8, ({ nextAttemptMs }) => (nextAttemptMs === null ? null : BigInt(nextAttemptMs)))
  ]
}

/** One for each marking, in their order. */
export const markedOf = (
  markings: ReadonlyArray<Marking>,
  rows: ReadonlyArray<MarkedRow>
): ReadonlyArray<Marked> => {
  const found = new Map(rows.map((row) => [row.place, row]))
  return markings.map((_, i) => {
    const row = found.get(i + 1)
    return { held: row !== undefined, disabled: row?.disabled ?? null }
  })
}
