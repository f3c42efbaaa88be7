/** A delivery that one process holds until its lease ends: claimed, marked with its outcome, or postponed. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { Json } from "../../json/json.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import type { WebhookEventType } from "../../domain/WebhookEvent.ts"
import {
  webhookClaimEndpointsMax,
  webhookFailingHoursMax,
  webhookInFlightFailing,
  webhookInFlightMax,
  webhookLeaseMs,
  webhookPostponedHoursMax,
  webhookPostponedMs,
  webhookSweepBatchMax
} from "../../limits.ts"
import { leastId } from "../timeOrderedId.ts"

/** A place between endpoints: claims go round, so that each of them is looked at before any is looked at again. */
export interface ClaimCursor {
  readonly organizationId: string
  readonly endpointId: string
}

export const claimStart: ClaimCursor = { organizationId: leastId, endpointId: leastId }

/** A delivery that is this process's alone until its lease ends, with everything that sending it takes. */
export interface ClaimedDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** Whoever marks the delivery must show it. */
  readonly token: string
  /** Those that were made before. */
  readonly attempts: number
  readonly url: string
  /** Sealed by `WebhookSecrets`. */
  readonly secret: Uint8Array
  /** Null where none is valid beside `secret`. */
  readonly previousSecret: Uint8Array | null
  /** Null where there is nothing to tell any more: what it tells of was erased. */
  readonly event: DeliveredEvent | null
}

export interface DeliveredEvent {
  readonly id: string
  readonly type: WebhookEventType
  readonly createdAt: Date
  readonly content: AssessmentContent | DataContent
}

export interface AssessmentContent {
  readonly of: "assessment"
  readonly assessmentId: string
  /** The stored bytes of the answer. */
  readonly response: Uint8Array
  /** As the caller stated it. */
  readonly environment: Json
  /** Of the closed review; null while it is open, and where there is none. */
  readonly outcome: ReviewOutcome | null
}

/** The event itself says what there is to say. */
interface DataContent {
  readonly of: "data"
  readonly data: Json
}

export interface Claim {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Where the next claim goes on; `firstPlace` where this one saw the last endpoint. */
  readonly next: ClaimCursor
  /** Something waits for an endpoint that is disabled or gone. */
  readonly stray: boolean
}

/**
 * The statement by which one process takes due deliveries for itself, for as long as its lease lasts.
 * One row for each claimed delivery, and one with a null `delivery_id` where there is none.
 */
export interface ClaimRow {
  readonly next_organization_id: string | null
  readonly next_endpoint_id: string | null
  readonly stray: boolean
  readonly organization_id: string
  readonly delivery_id: string | null
  readonly endpoint_id: string
  readonly attempts: number
  readonly url: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly event_id: string
  readonly type: WebhookEventType | null
  readonly created_at: Date
  readonly assessment_id: string | null
  readonly data: Json
  readonly response: Uint8Array | null
  readonly environment: Json
  readonly outcome: ReviewOutcome | null
}

/** By its key, and in that order: left to itself the planner may read all of a table because it was small once. */
const looksUp = (columns: string, table: string, id: string, from: string) => `LEFT JOIN LATERAL (
    SELECT ${table}.organization_id, ${columns} FROM ${table}
    WHERE ${table}.organization_id = ${from}.organization_id AND ${table}.${id} = ${from}.${id}
    LIMIT 1
  ) AS told_${table} ON true`

/**
 * Goes from endpoint to endpoint, never along the deliveries: ten thousand that wait for one endpoint cost what one costs.
 * The first delivery of every endpoint is taken before the second of any.
 *
 * Parameters: organization and endpoint to begin behind, endpoints that rest, most rows, token. Must run alone in its mode,
 * since what others take at the same moment it cannot count.
 */
export const claimStatement = `
WITH RECURSIVE looked AS (
  (
    SELECT organization_id, endpoint_id, 1 AS place FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND (organization_id, endpoint_id) > ($1::uuid, $2::uuid)
    ORDER BY organization_id, endpoint_id LIMIT 1
  )
  UNION ALL
  SELECT following.organization_id, following.endpoint_id, place + 1
  FROM looked CROSS JOIN LATERAL (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND (organization_id, endpoint_id) > (looked.organization_id, looked.endpoint_id)
    ORDER BY organization_id, endpoint_id LIMIT 1
  ) AS following
  WHERE place < ${webhookClaimEndpointsMax}
), endpoint AS MATERIALIZED (
  SELECT organization_id, endpoint_id, place, coalesce(enabled, false) AS enabled,
    CASE WHEN failing_since IS NULL THEN ${webhookInFlightMax} ELSE ${webhookInFlightFailing} END - (
      SELECT count(*) FROM webhook_deliveries AS taken
      WHERE taken.organization_id = looked.organization_id AND taken.endpoint_id = looked.endpoint_id
        AND taken.claimed_until > statement_timestamp()
    ) AS room
  FROM looked LEFT JOIN LATERAL (
    SELECT enabled, failing_since FROM webhook_endpoints AS known
    WHERE known.organization_id = looked.organization_id AND known.endpoint_id = looked.endpoint_id LIMIT 1
  ) AS known ON true
), due AS (
  SELECT row, next_attempt_at,
    ${webhookInFlightMax} - room + row_number() OVER (PARTITION BY organization_id, endpoint_id ORDER BY next_attempt_at) AS depth
  FROM endpoint CROSS JOIN LATERAL (
    SELECT ctid AS row, next_attempt_at FROM webhook_deliveries AS waiting
    WHERE waiting.organization_id = endpoint.organization_id AND waiting.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at <= statement_timestamp()
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    ORDER BY next_attempt_at LIMIT greatest(room, 0)
  ) AS first
  WHERE enabled AND endpoint_id <> ALL ($3::uuid[])
), chosen AS MATERIALIZED (
  SELECT row FROM due ORDER BY depth, next_attempt_at LIMIT $4
), locked AS MATERIALIZED (
  SELECT free.row FROM chosen CROSS JOIN LATERAL (
    SELECT ctid AS row FROM webhook_deliveries
    WHERE ctid = chosen.row AND next_attempt_at <= statement_timestamp()
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT 1 FOR UPDATE SKIP LOCKED
  ) AS free
), claimed AS (
  UPDATE webhook_deliveries AS delivery
  SET claimed_by = $5::uuid, claimed_until = statement_timestamp() + interval '${webhookLeaseMs} ms'
  FROM locked WHERE delivery.ctid = locked.row
  RETURNING delivery.organization_id, delivery.delivery_id, delivery.endpoint_id, delivery.event_id, delivery.attempts
), seen AS (
  SELECT coalesce(bool_or(NOT enabled), false) AS stray,
    (array_agg(organization_id) FILTER (WHERE place = ${webhookClaimEndpointsMax}))[1] AS next_organization_id,
    (array_agg(endpoint_id) FILTER (WHERE place = ${webhookClaimEndpointsMax}))[1] AS next_endpoint_id
  FROM endpoint
)
SELECT seen.*, claimed.*, url, secret,
  CASE WHEN previous_until > statement_timestamp() THEN previous_secret END AS previous_secret,
  type, created_at, assessment_id, data, response, environment, outcome
FROM seen LEFT JOIN claimed ON true
  ${looksUp("url, secret, previous_secret, previous_until", "webhook_endpoints", "endpoint_id", "claimed")}
  ${looksUp("type, created_at, assessment_id, data", "webhook_events", "event_id", "claimed")}
  ${looksUp("response, item -> 'environment' AS environment", "assessments", "assessment_id", "told_webhook_events")}
  ${looksUp("outcome", "reviews", "assessment_id", "told_webhook_events")}`

export const claimOf = (rows: ReadonlyArray<ClaimRow>, token: string): Claim => {
  const [seen] = rows
  return {
    deliveries: rows.flatMap((row) => deliveryOf(row, token)),
    next:
      seen?.next_organization_id && seen.next_endpoint_id
        ? { organizationId: seen.next_organization_id, endpointId: seen.next_endpoint_id }
        : claimStart,
    stray: seen?.stray === true
  }
}

const deliveryOf = (row: ClaimRow, token: string): ReadonlyArray<ClaimedDelivery> =>
  row.delivery_id === null
    ? []
    : [
        {
          organizationId: row.organization_id,
          deliveryId: row.delivery_id,
          endpointId: row.endpoint_id,
          token,
          attempts: row.attempts,
          url: row.url,
          secret: row.secret,
          previousSecret: row.previous_secret,
          event: eventOf(row)
        }
      ]

const eventOf = (row: ClaimRow): DeliveredEvent | null => {
  const { assessment_id: assessmentId, created_at: createdAt, event_id: id, type } = row
  if (type === null) return null
  if (assessmentId === null) return { id, type, createdAt, content: { of: "data", data: row.data } }
  if (row.response === null) return null
  const { environment, outcome, response } = row
  return { id, type, createdAt, content: { of: "assessment", assessmentId, response, environment, outcome } }
}

/**
 * The statement that records what became of attempts, and of the endpoints that they were made at.
 * - `delivered`: the endpoint answered 2xx.
 * - `failed`: it answered anything else, or nothing.
 * - `gone`: it answered that it wants nothing any more, which disables it.
 * - `unmade`: there was nothing to send; says nothing about the endpoint.
 */
export type AttemptOutcome = "delivered" | "failed" | "gone" | "unmade"

export interface AttemptResult {
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

type DisablingReason = "gone" | "failing"

export interface MarkResult {
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

export const markParameters = (markings: ReadonlyArray<AttemptResult>): ReadonlyArray<unknown> => {
  const { int8, text } = PgTypes.OID
  const column = (oid: number, value: (marking: AttemptResult) => unknown) =>
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
export const markResultsOf = (
  markings: ReadonlyArray<AttemptResult>,
  rows: ReadonlyArray<MarkedRow>
): ReadonlyArray<MarkResult> => {
  const found = new Map(rows.map((row) => [row.place, row]))
  return markings.map((_, i) => {
    const row = found.get(i + 1)
    return { held: row !== undefined, disabled: row?.disabled ?? null }
  })
}

/**
 * The statement for deliveries that cannot be made for a reason of ours: they wait, and are dead once they are too old.
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
  ORDER BY next_attempt_at LIMIT CASE WHEN $5::bool THEN ${webhookSweepBatchMax} ELSE 1 END FOR UPDATE SKIP LOCKED
)
UPDATE webhook_deliveries AS delivery
SET status = CASE WHEN dead THEN 'dead' ELSE status END,
  next_attempt_at = CASE WHEN NOT dead THEN statement_timestamp() + interval '${webhookPostponedMs} ms' END,
  claimed_by = NULL,
  claimed_until = NULL
FROM unmade
WHERE delivery.organization_id = unmade.organization_id AND delivery.delivery_id = unmade.delivery_id`
