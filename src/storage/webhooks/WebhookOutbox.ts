/** The outbox of deliveries: claimed by one process of many, marked with their outcome, deleted when old. */

import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Result, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Mode, modes } from "../../domain/Caller.ts"
import {
  batchQueueMax,
  webhookClaimBatchMax,
  webhookConnectionsMax,
  webhookInFlightMax,
  webhookKeptDays,
  webhooksCountedMax,
  webhookSweepBatchMax
} from "../../limits.ts"
import { makeBatchedStatement } from "../sql/BatchedStatement.ts"
import { Database, roleOf } from "../Database.ts"
import { decodeRows } from "../sql/decodeRows.ts"
import { roleClient } from "../sql/roleClient.ts"
import {
  type AttemptResult,
  type Claim,
  type ClaimCursor,
  type ClaimedDelivery,
  claimOf,
  type ClaimRow,
  claimStatement,
  type MarkedRow,
  markParameters,
  type MarkResult,
  markResultsOf,
  markStatement,
  postponeStatement
} from "./ClaimedDelivery.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** One claim at a time per mode and database, whichever process makes it. */
const lockSpace = 0x7765

interface ClaimOptions {
  readonly mode: Mode
  /** Where the claim before this one ended. */
  readonly after: ClaimCursor
  /** Endpoints that are not to be bothered now. */
  readonly resting: ReadonlyArray<string>
  readonly rowsMax: number
}

/** Looks across organizations, as the relay does; every time is the database's. */
export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** Whether anything is due that no process sends yet; costs one step in an index. */
    readonly isDue: (mode: Mode) => Stored<boolean>
    readonly claim: (question: ClaimOptions) => Stored<Claim>
    readonly mark: (mode: Mode, marking: AttemptResult) => Stored<MarkResult>
    /** Gives deliveries back, to be claimed by anyone at once; not those that were lost meanwhile. */
    readonly release: (mode: Mode, deliveries: ReadonlyArray<ClaimedDelivery>) => Stored<void>
    /** Ends what waits for endpoints that are disabled or gone; gives how many, at most so many at a time. */
    readonly markDead: (mode: Mode) => Stored<number>
    /**
     * Where a delivery cannot be made for a reason of ours: puts it off, or ends it where it is too old. With `all`,
     * so too everything else that is due for its endpoint.
     */
    readonly postpone: (mode: Mode, delivery: ClaimedDelivery, all: boolean) => Stored<void>
    /** Remove what was kept long enough; give how many rows, at most so many at a time. */
    readonly sweepDeliveries: (mode: Mode) => Stored<number>
    readonly sweepEvents: (mode: Mode) => Stored<number>
    readonly outboxStats: (mode: Mode) => Stored<OutboxStats>
  }
>()("action-risk/storage/WebhookOutbox") {
  /** With a few connections of its own: deliveries and answers never wait for each other's. */
  static readonly layer = Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const { logins, url } = yield* Database
      const clientOf = (mode: Mode) =>
        roleClient({
          url: logins[mode] ?? url,
          role: roleOf(mode),
          schema: mode,
          name: `${mode} webhooks`,
          connectionsMax: webhookConnectionsMax
        })
      const clients = { live: yield* clientOf("live"), test: yield* clientOf("test") }

      const markerOf = (mode: Mode) =>
        makeBatchedStatement({
          name: "mark deliveries",
          batchMax: webhookClaimBatchMax,
          inFlightMax: 1,
          waitingMax: batchQueueMax,
          run: (markings: ReadonlyArray<AttemptResult>) =>
            Effect.map(clients[mode].unsafe<MarkedRow>(markStatement, markParameters(markings)), (rows) =>
              markResultsOf(markings, rows)
            )
        })
      const markers = { live: yield* markerOf("live"), test: yield* markerOf("test") }

      const counted = (rows: Stored<ReadonlyArray<unknown>>) => Effect.map(rows, ({ length }) => length)

      return WebhookOutbox.of({
        isDue: Effect.fnUntraced(function* (mode) {
          const rows = yield* clients[mode]`
            SELECT FROM webhook_deliveries
            WHERE next_attempt_at <= statement_timestamp()
              AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
            LIMIT 1
          `
          return rows.length > 0
        }),
        claim: (question) => claim(clients[question.mode], question),
        mark: (mode, marking) => markers[mode](marking),
        release: (mode, deliveries) => release(clients[mode], deliveries),
        markDead: (mode) => counted(clients[mode].unsafe(markDeadStatement)),
        postpone: (mode, { deliveryId, endpointId, organizationId, token }, all) =>
          clients[mode].unsafe(postponeStatement, [organizationId, endpointId, deliveryId, token, all]),
        sweepDeliveries: (mode) => counted(clients[mode].unsafe(sweepDeliveriesStatement)),
        sweepEvents: (mode) => sweepEvents(clients[mode]),
        outboxStats: Effect.fnUntraced(function* (mode) {
          const rows = yield* decodeRows(OutboxStatsRow)(clients[mode].unsafe(outboxStatsStatement))
          return rows[0] ?? { waiting: 0, due: 0, oldestDueSeconds: 0, lateSeconds: 0 }
        })
      })
    })
  )
}

const claim = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, question: ClaimOptions) {
  const { after, mode, resting, rowsMax } = question
  const token = randomUUID()
  const rows = yield* sql.withTransaction(
    // Invariant: one claim at a time, or two could each fill what room an endpoint has. In a statement before the claim,
    // which then sees what the one before it took.
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${lockSpace}::int, ${modes.indexOf(mode)}::int)`,
      sql.unsafe<ClaimRow>(claimStatement, [
        after.organizationId,
        after.endpointId,
        resting,
        Math.min(rowsMax, webhookClaimBatchMax),
        token
      ])
    )
  )
  return claimOf(rows, token)
})

const release = (sql: SqlClient.SqlClient, deliveries: ReadonlyArray<ClaimedDelivery>) => sql`
  WITH held AS MATERIALIZED (
    SELECT organization_id, delivery_id
    FROM webhook_deliveries JOIN unnest(
      ${deliveries.map(({ organizationId }) => organizationId)}::uuid[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${deliveries.map(({ token }) => token)}::uuid[]
    ) AS given (organization_id, delivery_id, token) USING (organization_id, delivery_id)
    WHERE claimed_by = given.token
    ORDER BY organization_id, delivery_id FOR UPDATE OF webhook_deliveries
  )
  UPDATE webhook_deliveries AS delivery SET claimed_by = NULL, claimed_until = NULL
  FROM held
  WHERE delivery.organization_id = held.organization_id AND delivery.delivery_id = held.delivery_id
`

const sweepEvents = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const old = yield* decodeRows(OldEvent)(sql.unsafe(lockEventsStatement))
      if (old.length === 0) return 0
      const swept = yield* sql.unsafe(sweepEventsStatement, sweepEventsParameters(old))
      return swept.length
    })
  )

/**
 * The statements that keep the outbox in order: what waits in vain, what is old, and how much there is.
 * Every endpoint for which something waits, by a step in the index from one to the next.
 */
const pendingEndpoints = `
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
export const markDeadStatement = `
WITH RECURSIVE ${pendingEndpoints}, stray AS MATERIALIZED (
  SELECT waiting.*, enabled IS NULL AS gone
  FROM endpoint LEFT JOIN LATERAL (
    SELECT enabled FROM webhook_endpoints AS known
    WHERE known.organization_id = endpoint.organization_id AND known.endpoint_id = endpoint.endpoint_id LIMIT 1
  ) AS known ON true CROSS JOIN LATERAL (
    SELECT organization_id, delivery_id FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
  ) AS waiting
  WHERE known.enabled IS NOT TRUE
  LIMIT ${webhookSweepBatchMax}
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
const sweepDeliveriesStatement = `
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
    ORDER BY delivery_id LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
  ) AS finished
  LIMIT ${webhookSweepBatchMax}
)
DELETE FROM webhook_deliveries AS delivery USING old
WHERE delivery.organization_id = old.organization_id AND delivery.delivery_id = old.delivery_id
RETURNING 1`

const hasNoDelivery = `(
    -- Asked of one event after the other, oldest first, until there are enough.
    SELECT true FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = event.organization_id AND delivery.event_id = event.event_id LIMIT 1
  ) IS NULL`

/** Events of which no delivery is left, so that none can be sent again. */
const lockEventsStatement = `
SELECT organization_id, event_id FROM webhook_events AS event
WHERE created_at < statement_timestamp() - interval '${webhookKeptDays} days' AND ${hasNoDelivery}
ORDER BY created_at LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED`

const OldEvent = Schema.Struct({ organization_id: Schema.String, event_id: Schema.String })

/**
 * Of these, $1 organizations and $2 ids, those that nobody queued again before they were locked: only a statement of its
 * own sees that.
 */
const sweepEventsStatement = `
DELETE FROM webhook_events AS event USING unnest($1::uuid[], $2::text[]) AS old (organization_id, event_id)
WHERE event.organization_id = old.organization_id AND event.event_id = old.event_id AND ${hasNoDelivery}
RETURNING 1`

const sweepEventsParameters = (events: ReadonlyArray<typeof OldEvent.Type>): ReadonlyArray<unknown> =>
  [events.map((event) => event.organization_id), events.map((event) => event.event_id)].map((ids) =>
    // Fails only for an element type without an array type, and text has one.
    Result.getOrThrow(PgTypes.array(ids, PgTypes.OID.text))
  )

/** What waits, seen from outside; the same in every process. */
export interface OutboxStats {
  /** No further than `webhooksCountedMax`. */
  readonly waiting: number
  /** Of these, those that no process sends yet although they are due. */
  readonly due: number
  readonly oldestDueSeconds: number
  /** Age of the oldest that is due for an endpoint that last succeeded and has room: it waits for us alone. */
  readonly lateSeconds: number
}

const outboxStatsStatement = `
WITH RECURSIVE ${pendingEndpoints}, oldest AS MATERIALIZED (
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

const OutboxStatsRow = Schema.Struct({
  waiting: Schema.Int,
  due: Schema.Int,
  oldestDueSeconds: Schema.Finite,
  lateSeconds: Schema.Finite
}).pipe(Schema.encodeKeys({ oldestDueSeconds: "oldest_due_seconds", lateSeconds: "late_seconds" }))
