/** The statements that end an attempt of a claimed delivery: mark its outcome, or postpone it. */

import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import {
  webhookClaimBatchMax,
  webhookFailingHoursMax,
  webhookPostponedHoursMax,
  webhookPostponedMs,
  webhookSweepBatchMax
} from "../../limits.ts"
import { arrayColumns } from "../sql/rows.ts"
import { byPlace, makeBatchedStatement, type PlacedRow } from "../sql/BatchedStatement.ts"
import type { Group } from "../sql/groups.ts"

/**
 * - `delivered`: the endpoint answered 2xx.
 * - `failed`: the endpoint answered anything else, or did not answer.
 * - `gone`: the endpoint answered 410, which disables it.
 * - `unmade`: there was nothing to send, which says nothing about the endpoint.
 */
export type AttemptOutcome = "delivered" | "failed" | "gone" | "unmade"

export interface AttemptResult {
  readonly organizationId: string
  readonly deliveryId: string
  /** The token of the claim: a delivery that another process has claimed since is not changed. */
  readonly token: string
  /** The URL of the attempt: its outcome says nothing about an endpoint that has a different URL by now. */
  readonly url: string
  readonly outcome: AttemptOutcome
  /** The HTTP status. Null without an answer. */
  readonly answered: number | null
  /** Null if no further attempt is planned. */
  readonly nextAttemptMs: number | null
}

type DisablingReason = "gone" | "failing"

export interface MarkResult {
  /** False if the lease was lost. Another process then records the outcome of the delivery. */
  readonly held: boolean
  /** Why this attempt disabled its endpoint. Null if it did not. */
  readonly disabled: DisablingReason | null
}

/** Includes the endpoint of the attempt. */
export interface MarkedRow extends PlacedRow, Pick<MarkResult, "disabled"> {
  readonly organizationId: string
  readonly endpointId: string
}

const columns = arrayColumns<AttemptResult>({
  organization_id: ["uuid", ({ organizationId }) => organizationId],
  delivery_id: ["uuid", ({ deliveryId }) => deliveryId],
  token: ["uuid", ({ token }) => token],
  url: ["text", ({ url }) => url],
  outcome: ["text", ({ outcome }) => outcome],
  answered: ["int", ({ answered }) => answered],
  next_attempt_ms: ["bigint", ({ nextAttemptMs }) => (nextAttemptMs === null ? null : BigInt(nextAttemptMs))]
})

/** The statement locks the endpoint's row before it reads whether the endpoint is still enabled, so that it is disabled only once. */
const markStatement = `
WITH attempts AS MATERIALIZED (
  SELECT * FROM unnest(${columns.parameters}) WITH ORDINALITY AS attempts (${columns.names}, place)
), held AS MATERIALIZED (
  -- Locks in the same order as an erasure, so that the two cannot deadlock.
  SELECT attempts.*, statement_timestamp() + next_attempt_ms * interval '1 ms' AS next_at
  FROM attempts JOIN webhook_deliveries AS delivery USING (organization_id, delivery_id)
  WHERE delivery.claimed_by = attempts.token
  ORDER BY organization_id, delivery_id FOR UPDATE OF delivery
), marked AS (
  UPDATE webhook_deliveries AS delivery
  SET status = CASE WHEN outcome = 'delivered' THEN 'delivered' WHEN next_attempt_ms IS NULL THEN 'dead' ELSE 'failed' END,
    attempts = delivery.attempts + CASE WHEN outcome = 'unmade' THEN 0 ELSE 1 END,
    last_status = answered,
    next_attempt_at = held.next_at,
    claimed_by = NULL,
    claimed_until = NULL
  FROM held
  WHERE delivery.organization_id = held.organization_id AND delivery.delivery_id = held.delivery_id
  RETURNING place, delivery.organization_id, delivery.endpoint_id, url, outcome
), answers AS (
  SELECT organization_id, endpoint_id, url, bool_or(outcome = 'delivered') AS reached, bool_or(outcome = 'gone') AS gone
  FROM marked WHERE outcome <> 'unmade' GROUP BY organization_id, endpoint_id, url
), judged AS MATERIALIZED (
  SELECT organization_id, endpoint_id,
    CASE WHEN NOT reached THEN coalesce(failing_since, statement_timestamp()) END AS failed_since,
    CASE WHEN NOT enabled THEN NULL WHEN gone THEN 'gone'
      WHEN NOT reached AND failing_since <= statement_timestamp() - interval '${webhookFailingHoursMax} hours' THEN 'failing'
    END AS disabled
  FROM webhook_endpoints JOIN answers USING (organization_id, endpoint_id, url)
  WHERE gone OR reached <> (failing_since IS NULL)
    OR failing_since <= statement_timestamp() - interval '${webhookFailingHoursMax} hours'
  ORDER BY organization_id, endpoint_id FOR UPDATE OF webhook_endpoints
), changed AS (
  UPDATE webhook_endpoints AS endpoint
  SET failing_since = judged.failed_since,
    enabled = enabled AND disabled IS NULL
  FROM judged
  WHERE endpoint.organization_id = judged.organization_id AND endpoint.endpoint_id = judged.endpoint_id
)
SELECT place::int, judged.disabled, organization_id AS "organizationId", endpoint_id AS "endpointId"
FROM marked LEFT JOIN judged USING (organization_id, endpoint_id)`

/** Queues the event about each disabled endpoint. $1 are the organizations, $2 the endpoints, $3 the reasons. */
const announceStatement = `
WITH ended AS MATERIALIZED (
  SELECT DISTINCT ON (organization_id, endpoint_id) *, 'evt_' || replace(gen_random_uuid()::text, '-', '') AS event_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS ended (organization_id, endpoint_id, disabled)
), wanted AS MATERIALIZED (
  SELECT ended.organization_id, ended.event_id, ended.endpoint_id AS about, ended.disabled, other.endpoint_id
  FROM ended JOIN webhook_endpoints AS other USING (organization_id)
  WHERE other.enabled AND 'webhook_endpoint.disabled' = ANY (other.events)
), happened AS (
  INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
  SELECT DISTINCT ON (event_id) organization_id, event_id, 'webhook_endpoint.disabled', statement_timestamp(),
    json_build_object('endpoint_id', about, 'reason', disabled)
  FROM wanted
)
INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
  next_attempt_at, created_at)
SELECT organization_id, time_ordered_id(statement_timestamp()), endpoint_id, event_id, 'webhook_endpoint.disabled',
  'pending', 0, statement_timestamp(), statement_timestamp()
FROM wanted`

/**
 * Records the outcomes of attempts and their consequences for endpoints. A disabled endpoint and the event about it are written in one
 * transaction, in two statements, because Citus cannot plan one that inserts and updates. Only a failure disables, so attempts without
 * one skip the transaction and its round trips.
 */
export const markTogether = (sql: SqlClient.SqlClient, results: ReadonlyArray<AttemptResult>) => {
  const marking = sql.unsafe<MarkedRow>(markStatement, columns.values(results))
  const mayDisable = results.some(({ outcome }) => outcome === "failed" || outcome === "gone")
  return mayDisable ? sql.withTransaction(Effect.tap(marking, (rows) => announce(sql, rows))) : marking
}

const announce = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<MarkedRow>
): Effect.Effect<unknown, SqlError.SqlError> => {
  const ended = rows.filter(({ disabled }) => disabled !== null)
  return ended.length === 0
    ? Effect.void
    : sql.unsafe(announceStatement, [
        ended.map(({ organizationId }) => organizationId),
        ended.map(({ endpointId }) => endpointId),
        ended.map(({ disabled }) => disabled)
      ])
}

/** Marks attempts of a group, batching those of the same moment. */
export const makeMarker = ({ sql }: Group) =>
  makeBatchedStatement({
    name: "mark_deliveries",
    batchMax: webhookClaimBatchMax,
    inFlightMax: 1,
    tenantOf: ({ organizationId }: AttemptResult) => organizationId,
    run: (results: ReadonlyArray<AttemptResult>) =>
      Effect.map(byPlace(markTogether)(sql, results), (rows) =>
        rows.map((row): MarkResult => ({ held: row !== undefined, disabled: row?.disabled ?? null }))
      )
  })

/**
 * Postpones deliveries that this service cannot send for a reason that is not the endpoint's fault. Deliveries that are too old become
 * dead. Parameters: organization, endpoint, delivery, token, and whether to also postpone every other due delivery of the endpoint. Counts
 * no attempt, and changes nothing about the endpoint.
 */
export const postponeStatement = `
WITH unmade AS MATERIALIZED (
  SELECT organization_id, delivery_id, created_at < statement_timestamp() - interval '${webhookPostponedHoursMax} hours' AS dead,
    statement_timestamp() + interval '${webhookPostponedMs} ms' AS next_at
  FROM webhook_deliveries
  WHERE organization_id = $1::uuid AND endpoint_id = $2::uuid AND next_attempt_at <= statement_timestamp()
    AND (delivery_id = $3::uuid AND claimed_by = $4::uuid
      OR $5::bool AND (claimed_until IS NULL OR claimed_until <= statement_timestamp()))
  -- The claimed delivery is among the first, because claims take those that have been due longest.
  ORDER BY next_attempt_at LIMIT CASE WHEN $5::bool THEN ${webhookSweepBatchMax} ELSE 1 END FOR UPDATE SKIP LOCKED
)
UPDATE webhook_deliveries AS delivery
SET status = CASE WHEN dead THEN 'dead' ELSE status END,
  next_attempt_at = CASE WHEN NOT dead THEN unmade.next_at END,
  claimed_by = NULL,
  claimed_until = NULL
FROM unmade
WHERE delivery.organization_id = unmade.organization_id AND delivery.delivery_id = unmade.delivery_id`
