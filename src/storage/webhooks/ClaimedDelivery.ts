/** The statements of a delivery that one process holds until its lease ends: claim it, mark its outcome, or postpone it. */

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

/** The endpoint after which the next claim begins. Claims go round: every endpoint is looked at before any is looked at again. */
export interface ClaimCursor {
  readonly organizationId: string
  readonly endpointId: string
}

export const claimStart: ClaimCursor = { organizationId: leastId, endpointId: leastId }

/** A delivery that only this process may send until its lease ends, with everything that sending it needs. */
export interface ClaimedDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** The mark of the delivery must carry this token. */
  readonly token: string
  /** How many attempts were made before. */
  readonly attempts: number
  readonly url: string
  /** Sealed by `WebhookSecrets`. */
  readonly secret: Uint8Array
  /** Null where no other secret is valid. */
  readonly previousSecret: Uint8Array | null
  /** Null where the event or its assessment was erased. */
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
  /** The environment as the caller stated it. */
  readonly environment: Json
  /** The outcome of the closed review. Null while the review is open, and where there is none. */
  readonly outcome: ReviewOutcome | null
}

/** The event itself holds the data. */
interface DataContent {
  readonly of: "data"
  readonly data: Json
}

export interface Claim {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Where the next claim begins: `claimStart` where this claim looked at the last endpoint. */
  readonly next: ClaimCursor
  /** True where deliveries wait for an endpoint that is disabled or was deleted. */
  readonly stray: boolean
}

/** These columns are the same in every row of a claim. */
interface SeenColumns {
  /** The last endpoint that the claim looked at. Null where it looked at all of them. */
  readonly next_organization_id: string | null
  readonly next_endpoint_id: string | null
  readonly stray: boolean
}

export interface ClaimedRow extends SeenColumns {
  readonly organization_id: string
  readonly delivery_id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly attempts: number
  readonly url: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  /** Null, like all columns below, where the event was erased. */
  readonly type: WebhookEventType | null
  readonly created_at: Date | null
  readonly assessment_id: string | null
  readonly data: Json
  readonly response: Uint8Array | null
  readonly environment: Json
  readonly outcome: ReviewOutcome | null
}

/** The only row of a claim without deliveries. All columns that are not named here are null too. */
interface EmptyClaimRow extends SeenColumns {
  readonly delivery_id: null
}

export type ClaimRow = ClaimedRow | EmptyClaimRow

/** Looks the row up by its key. `LIMIT 1` keeps that plan: a plan that was made while a table was small may read all of it. */
const looksUp = (columns: string, table: string, id: string, from: string) => `LEFT JOIN LATERAL (
    SELECT ${table}.organization_id, ${columns} FROM ${table}
    WHERE ${table}.organization_id = ${from}.organization_id AND ${table}.${id} = ${from}.${id}
    LIMIT 1
  ) AS told_${table} ON true`

/**
 * Claims due deliveries for one process, until their lease ends. Returns a row for each claimed delivery, or one row with a
 * null `delivery_id`.
 *
 * The statement goes from endpoint to endpoint, never along the deliveries: ten thousand that wait for one endpoint cost as
 * much as one. The first delivery of every endpoint is taken before the second of any.
 *
 * Parameters: the organization and endpoint to begin after, endpoints to skip, most rows, token. Only one such statement may
 * run at a time in a mode, because it cannot count what others claim at the same moment.
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
    deliveries: rows.flatMap((row) => deliveriesOfRow(row, token)),
    next:
      seen?.next_organization_id && seen.next_endpoint_id
        ? { organizationId: seen.next_organization_id, endpointId: seen.next_endpoint_id }
        : claimStart,
    stray: seen?.stray === true
  }
}

const deliveriesOfRow = (row: ClaimRow, token: string): ReadonlyArray<ClaimedDelivery> =>
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

const eventOf = (row: ClaimedRow): DeliveredEvent | null => {
  const { assessment_id: assessmentId, created_at: createdAt, event_id: id, type } = row
  if (type === null || createdAt === null) return null
  if (assessmentId === null) return { id, type, createdAt, content: { of: "data", data: row.data } }
  if (row.response === null) return null
  const { environment, outcome, response } = row
  return { id, type, createdAt, content: { of: "assessment", assessmentId, response, environment, outcome } }
}

/**
 * - `delivered`: the endpoint answered 2xx.
 * - `failed`: the endpoint answered anything else, or did not answer.
 * - `gone`: the endpoint answered 410. This disables it.
 * - `unmade`: there was nothing to send. This says nothing about the endpoint.
 */
export type AttemptOutcome = "delivered" | "failed" | "gone" | "unmade"

export interface AttemptResult {
  readonly organizationId: string
  readonly deliveryId: string
  /** The token of the claim: a delivery that another process has claimed since is not changed. */
  readonly token: string
  /** The URL of the attempt: its outcome says nothing about an endpoint that has another URL by now. */
  readonly url: string
  readonly outcome: AttemptOutcome
  /** The HTTP status. Null where there was no answer. */
  readonly answered: number | null
  /** Null where no attempt is to come. */
  readonly nextAttemptMs: number | null
}

type DisablingReason = "gone" | "failing"

export interface MarkResult {
  /** False where the lease was lost. Then another process records what became of the delivery. */
  readonly held: boolean
  /** Why this attempt disabled its endpoint. Null where it did not. */
  readonly disabled: DisablingReason | null
}

export interface MarkedRow {
  /** The position of the attempt among the parameters, from 1. */
  readonly place: number
  readonly disabled: DisablingReason | null
}

/**
 * Records the outcomes of attempts, and what they say about their endpoints.
 *
 * A disabled endpoint and the event about it are written together, and once: the statement locks the endpoint's row before
 * it reads whether the endpoint is still enabled.
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

export const markParameters = (results: ReadonlyArray<AttemptResult>): ReadonlyArray<unknown> => {
  const { int8, text } = PgTypes.OID
  const column = (oid: number, value: (result: AttemptResult) => unknown) =>
    // Fails only for an element type without an array type, and these have one.
    Result.getOrThrow(PgTypes.array(results.map(value), oid))
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

/** One result for each attempt, in the order of the attempts. */
export const markResultsOf = (
  results: ReadonlyArray<AttemptResult>,
  rows: ReadonlyArray<MarkedRow>
): ReadonlyArray<MarkResult> => {
  const found = new Map(rows.map((row) => [row.place, row]))
  return results.map((_, i) => {
    const row = found.get(i + 1)
    return { held: row !== undefined, disabled: row?.disabled ?? null }
  })
}

/**
 * Postpones deliveries that this service cannot send, for a reason that is not the endpoint's. Deliveries that are too old
 * become dead. Parameters: organization, endpoint, delivery, token, and whether every delivery that is due for the endpoint
 * is postponed too. Counts no attempt, and changes nothing of the endpoint.
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
