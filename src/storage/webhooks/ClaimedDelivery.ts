/** A delivery that one process holds until its lease ends, and the statement that claims deliveries. */

import type { Json } from "../../json/json.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import type { WebhookEventType, WebhookFormat } from "../../domain/WebhookEvent.ts"
import {
  webhookClaimEndpointsMax,
  webhookHostAttemptsMax,
  webhookInFlightAheadMax,
  webhookInFlightFailing,
  webhookInFlightMax,
  webhookLeaseMs,
  webhookOrganizationAttemptsMax
} from "../../limits.ts"
import { rowBeside } from "../sql/rows.ts"
import { greatestId, leastId } from "../timeOrderedId.ts"

/** The endpoint after which the next claim starts. Claims go round: every endpoint is considered before any is considered again. */
export interface ClaimCursor {
  readonly organizationId: string
  readonly endpointId: string
}

/**
 * How many more attempts the process may start now. `organizations` and `hosts` list those with attempts in progress: an organization by
 * its id, a host by its `hostOf`, and an organization's attempts to a host by both, separated by a space. `organization` and `host` apply
 * to all others. For a listed host, `hosts` applies to organizations that send nothing there.
 */
export interface AttemptRooms {
  readonly organization: number
  readonly organizations: Readonly<Record<string, number>>
  readonly host: number
  readonly hosts: Readonly<Record<string, number>>
}

/** The host and port in a URL, as read by `claimStatement`. */
export const hostOf = (url: string): string => (/^[^:]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? "").toLowerCase()

export const claimStart: ClaimCursor = { organizationId: leastId, endpointId: leastId }

/** A delivery that only this process may send until its lease ends, with everything needed for sending. */
export interface ClaimedDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** Marking the delivery requires this token. */
  readonly token: string
  /** The number of earlier attempts. */
  readonly attempts: number
  readonly url: string
  readonly format: WebhookFormat
  /** Encrypted by `WebhookSecrets`. */
  readonly secret: Uint8Array
  /** Null if no other secret is valid. */
  readonly previousSecret: Uint8Array | null
  /** Null if the event or its assessment was erased. */
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
  /** As stated by the caller. */
  readonly environment: Json
  readonly actionType: Json
  /** The outcome of the closed review. Null while the review is open, and if there is none. */
  readonly outcome: ReviewOutcome | null
}

/** The event itself contains the data. */
interface DataContent {
  readonly of: "data"
  readonly data: Json
}

export interface Claim {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Where the next claim starts: `claimStart` if this claim reached the last endpoint. */
  readonly next: ClaimCursor
  /** True if deliveries are waiting for an endpoint that is disabled or was deleted. */
  readonly stray: boolean
}

/** These columns are the same in every row of a claim. */
interface SeenColumns {
  /** The last endpoint considered by the claim. Null if it considered all of them. */
  readonly nextOrganizationId: string | null
  readonly nextEndpointId: string | null
  readonly stray: boolean
}

export interface ClaimedRow extends SeenColumns, Omit<ClaimedDelivery, "event"> {
  readonly eventId: string
  /** Null if the event was erased, like all columns below. */
  readonly type: WebhookEventType | null
  readonly createdAt: Date | null
  readonly assessmentId: string | null
  readonly data: Json
  readonly response: Uint8Array | null
  readonly environment: Json
  readonly actionType: Json
  readonly outcome: ReviewOutcome | null
}

/** A claim without deliveries has one row, in which all other columns are null. */
export type ClaimRow = ClaimedRow | (SeenColumns & { readonly deliveryId: null })

const looksUp = (columns: string, table: string, id: string, of: string) =>
  `LEFT JOIN LATERAL ${rowBeside({ table, of, by: ["organization_id", id], columns })} AS its_${table} ON true`

/** The part of a share that an endpoint with many attempts in progress leaves to others, because its attempts may never end. */
const spare = (share: number) => `CASE WHEN depth > ${webhookInFlightMax} THEN ${share / 2} ELSE 0 END`

/**
 * Returns a row for each claimed delivery, or one row with a null `deliveryId`.
 *
 * Goes from endpoint to endpoint and never along the deliveries, so that ten thousand for one endpoint cost as much as one. Takes the first
 * delivery of every organization before the second of any; the same holds for an organization's endpoints.
 *
 * Parameters: the organization and endpoint to start after, endpoints to skip, maximum number of rows, token, `AttemptRooms`, how far to
 * look back.
 */
export const claimStatement = `
WITH RECURSIVE room AS MATERIALIZED (
  SELECT (given ->> 'organization')::int AS of_organization, given -> 'organizations' AS of_organizations,
    (given ->> 'host')::int AS of_host, given -> 'hosts' AS of_hosts
  FROM (SELECT $6::text::jsonb AS given) AS rooms
), looked AS (
  (
    SELECT organization_id, endpoint_id, 1 AS place FROM webhook_deliveries
    WHERE next_attempt_at >= $7::timestamptz AND (organization_id, endpoint_id) > ($1::uuid, $2::uuid)
    ORDER BY organization_id, endpoint_id LIMIT 1
  )
  UNION ALL
  SELECT following.organization_id, following.endpoint_id, place + 1
  FROM looked CROSS JOIN room CROSS JOIN LATERAL (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at >= $7::timestamptz AND (organization_id, endpoint_id) > (
      looked.organization_id,
      -- Skips an organization without room in one step.
      CASE WHEN of_organizations ->> looked.organization_id::text = '0' THEN '${greatestId}' ELSE looked.endpoint_id END
    )
    ORDER BY organization_id, endpoint_id LIMIT 1
  ) AS following
  WHERE place < ${webhookClaimEndpointsMax}
), endpoint AS MATERIALIZED (
  SELECT organization_id, endpoint_id, place, coalesce(enabled, false) AS enabled,
    lower(substring(url from '^[^:]*://([^/?#]*)')) AS host,
    failing_since IS NOT NULL AS failing, (
      SELECT count(*) FROM webhook_deliveries AS taken
      WHERE taken.organization_id = looked.organization_id AND taken.endpoint_id = looked.endpoint_id
        AND taken.claimed_until > statement_timestamp()
    ) AS taken
  FROM looked ${looksUp("enabled, failing_since, url", "webhook_endpoints", "endpoint_id", "looked")}
), due AS (
  SELECT organization_id, host, row, next_attempt_at,
    -- The single attempt to a failing endpoint ranks after the first attempts to every healthy endpoint.
    CASE WHEN failing THEN ${webhookInFlightMax - webhookInFlightFailing} ELSE 0 END
      + taken + row_number() OVER (PARTITION BY organization_id, endpoint_id ORDER BY next_attempt_at) AS depth
  FROM endpoint CROSS JOIN LATERAL (
    SELECT ctid AS row, next_attempt_at FROM webhook_deliveries AS waiting
    WHERE waiting.organization_id = endpoint.organization_id AND waiting.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at BETWEEN $7::timestamptz AND statement_timestamp()
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    ORDER BY next_attempt_at
    LIMIT greatest(CASE WHEN failing THEN ${webhookInFlightFailing} ELSE ${webhookInFlightAheadMax} END - taken, 0)
  ) AS first
  WHERE enabled AND endpoint_id <> ALL ($3::uuid[])
), at_host AS (
  SELECT *, row_number() OVER (PARTITION BY organization_id, host ORDER BY depth, next_attempt_at) AS host_turn FROM due
), in_turn AS (
  SELECT organization_id, row, next_attempt_at, ${spare(webhookOrganizationAttemptsMax)} AS spare,
    row_number() OVER (PARTITION BY organization_id ORDER BY depth, next_attempt_at) AS turn
  FROM at_host CROSS JOIN room
  WHERE host_turn + ${spare(webhookHostAttemptsMax)}
    <= coalesce(of_hosts ->> (organization_id || ' ' || host), of_hosts ->> host, of_host::text)::int
), chosen AS MATERIALIZED (
  SELECT row FROM in_turn CROSS JOIN room
  WHERE turn + spare <= coalesce((of_organizations ->> organization_id::text)::int, of_organization)
  ORDER BY turn, next_attempt_at LIMIT $4
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
  RETURNING delivery.organization_id, delivery.delivery_id, delivery.endpoint_id, delivery.event_id, delivery.attempts,
    delivery.claimed_by
), seen AS (
  SELECT coalesce(bool_or(NOT enabled), false) AS stray,
    (array_agg(organization_id) FILTER (WHERE place = ${webhookClaimEndpointsMax}))[1] AS next_organization_id,
    (array_agg(endpoint_id) FILTER (WHERE place = ${webhookClaimEndpointsMax}))[1] AS next_endpoint_id
  FROM endpoint
)
SELECT stray, next_organization_id AS "nextOrganizationId", next_endpoint_id AS "nextEndpointId",
  claimed.organization_id AS "organizationId", claimed.delivery_id AS "deliveryId", claimed.endpoint_id AS "endpointId",
  claimed.event_id AS "eventId", attempts, claimed_by AS token, url, format, secret,
  CASE WHEN previous_until > statement_timestamp() THEN previous_secret END AS "previousSecret",
  type, created_at AS "createdAt", assessment_id AS "assessmentId", data, response, environment, action_type AS "actionType", outcome
FROM seen LEFT JOIN claimed ON true
  ${looksUp("url, format, secret, previous_secret, previous_until", "webhook_endpoints", "endpoint_id", "claimed")}
  ${looksUp("organization_id, type, created_at, assessment_id, data", "webhook_events", "event_id", "claimed")}
  ${looksUp("response, item -> 'environment' AS environment, item -> 'action_type' AS action_type", "assessments", "assessment_id", "its_webhook_events")}
  ${looksUp("outcome", "reviews", "assessment_id", "its_webhook_events")}`

export const claimOf = (rows: ReadonlyArray<ClaimRow>): Claim => {
  const [seen] = rows
  return {
    deliveries: rows.flatMap((row) => (row.deliveryId === null ? [] : [{ ...row, event: eventOf(row) }])),
    next:
      seen?.nextOrganizationId && seen.nextEndpointId
        ? { organizationId: seen.nextOrganizationId, endpointId: seen.nextEndpointId }
        : claimStart,
    stray: seen?.stray === true
  }
}

const eventOf = (row: ClaimedRow): DeliveredEvent | null => {
  const { actionType, assessmentId, createdAt, data, environment, eventId: id, outcome, response, type } = row
  if (type === null || createdAt === null) return null
  if (assessmentId === null) return { id, type, createdAt, content: { of: "data", data } }
  if (response === null) return null
  const content = { of: "assessment", assessmentId, response, environment, actionType, outcome } as const
  return { id, type, createdAt, content }
}
