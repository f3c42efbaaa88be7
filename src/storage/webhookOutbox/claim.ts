/** The statement by which one process takes due deliveries for itself, for as long as its lease lasts. */

import type { Json } from "../../domain/Action.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import type { WebhookEventType } from "../../domain/WebhookEvent.ts"
import {
  webhookEndpointsLookedAt,
  webhookInFlightFailing,
  webhookInFlightMax,
  webhookLeaseMs
} from "../../Limits.ts"
import { type Claim, type ClaimedDelivery, type DeliveredEvent, firstPlace } from "./ClaimedDelivery.ts"

/** One row for each claimed delivery, and one with a null `delivery_id` where there is none. */
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
  WHERE place < ${webhookEndpointsLookedAt}
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
    (array_agg(organization_id) FILTER (WHERE place = ${webhookEndpointsLookedAt}))[1] AS next_organization_id,
    (array_agg(endpoint_id) FILTER (WHERE place = ${webhookEndpointsLookedAt}))[1] AS next_endpoint_id
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
        : firstPlace,
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
  if (assessmentId === null) return { id, type, createdAt, tells: { of: "data", data: row.data } }
  if (row.response === null) return null
  const { environment, outcome, response } = row
  return { id, type, createdAt, tells: { of: "assessment", assessmentId, response, environment, outcome } }
}
