/** Deliveries as callers see them: listed, tried with a ping, queued again, and those that failed for good. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import type { Mode } from "../../domain/Caller.ts"
import type { DeliveryStatus, WebhookEventType } from "../../domain/WebhookEvent.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { ModeSql, ResourceSql } from "../sql/Sql.ts"
import { DeliverySignal } from "./DeliverySignal.ts"

export interface StoredDelivery {
  /** UUIDv7 of its creation. */
  readonly id: string
  readonly eventId: string
  readonly type: WebhookEventType
  readonly status: DeliveryStatus
  readonly attempts: number
  /** The HTTP status of the last attempt; null where none was answered. */
  readonly lastStatus: number | null
  /** Null where none is to come. */
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
}

interface DeliveryPageQuery {
  /** Only ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
  /** At least one. */
  readonly statuses: ReadonlyArray<DeliveryStatus>
}

/** `unknown`: no such endpoint or delivery. `disabled`: its endpoint is, so that nothing was queued. */
export type Queued =
  | { readonly _tag: "queued"; readonly deliveryId: string }
  | { readonly _tag: "unknown" }
  | { readonly _tag: "disabled" }

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class DeliveryRecords extends Context.Service<
  DeliveryRecords,
  {
    /** Newest first; undefined where there is no such endpoint. */
    readonly page: (
      owner: Owner,
      endpointId: string,
      query: DeliveryPageQuery
    ) => Stored<ReadonlyArray<StoredDelivery> | undefined>
    /** Queues a `ping` to the endpoint, whatever it subscribes to. */
    readonly ping: (owner: Owner, endpointId: string) => Stored<Queued>
    /** Queues the delivery's event for the delivery's endpoint once more. */
    readonly redeliver: (owner: Owner, deliveryId: string) => Stored<Queued>
  }
>()("action-risk/storage/WebhookDeliveries") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    DeliveryRecords,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const bell = yield* DeliverySignal

      const page = Effect.fn("WebhookDeliveries.page")(function* (
        { mode, organizationId }: Owner,
        endpointId: string,
        query: DeliveryPageQuery
      ) {
        const rows = yield* selectDeliveries(clients.for(mode), organizationId, endpointId, query)
        if (rows.length === 0) return undefined
        return rows.filter((row): row is DeliveryRow => row.delivery_id !== null).map(deliveryOfRow)
      })

      const queue = Effect.fnUntraced(function* (
        mode: Mode,
        queueing: Stored<ReadonlyArray<QueuedRow>>
      ): Effect.fn.Return<Queued, SqlError.SqlError> {
        const [row] = yield* queueing
        if (row === undefined) return { _tag: "unknown" }
        if (row.delivery_id === null) return { _tag: "disabled" }
        bell.notify(mode)
        return { _tag: "queued", deliveryId: row.delivery_id }
      })

      const ping = Effect.fn("WebhookDeliveries.ping")((owner: Owner, endpointId: string) => {
        const eventId = `evt_${randomBytes(16).toString("hex")}`
        return queue(
          owner.mode,
          queuePing(clients.for(owner.mode), owner.organizationId, endpointId, eventId)
        )
      })

      const redeliver = Effect.fn("WebhookDeliveries.redeliver")((owner: Owner, deliveryId: string) =>
        queue(owner.mode, queueRedelivery(clients.for(owner.mode), owner.organizationId, deliveryId))
      )

      return DeliveryRecords.of({ page, ping, redeliver })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

/** A delivery as a row, and back. */
interface DeliveryRow {
  readonly delivery_id: string
  readonly event_id: string
  readonly type: WebhookEventType
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly last_status: number | null
  readonly next_attempt_at: Date | null
  readonly created_at: Date
}

const deliveryOfRow = (row: DeliveryRow): StoredDelivery => ({
  id: row.delivery_id,
  eventId: row.event_id,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  lastStatus: row.last_status,
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at
})

/**
 * The statements about deliveries that callers ask for, each inside one organization.
 * What stands for an endpoint without a delivery of some status.
 */
interface NoDelivery {
  readonly delivery_id: null
}

/** No row where there is no such endpoint. */
const selectDeliveries = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  { before, limit, statuses }: DeliveryPageQuery
) =>
  // Each status is a stretch of the index in the order of the list, however many deliveries lie beside it.
  sql<DeliveryRow | NoDelivery>`
    SELECT listed.*
    FROM webhook_endpoints CROSS JOIN unnest(${statuses}::text[]) AS wanted (status) LEFT JOIN LATERAL (
      SELECT delivery_id, event_id, type, status, attempts, last_status, next_attempt_at, created_at
      FROM webhook_deliveries
      WHERE organization_id = webhook_endpoints.organization_id AND endpoint_id = webhook_endpoints.endpoint_id
        AND status = wanted.status ${before === undefined ? sql`` : sql`AND delivery_id < ${before}`}
      ORDER BY delivery_id DESC
      LIMIT ${limit}
    ) AS listed ON true
    WHERE webhook_endpoints.organization_id = ${organizationId} AND webhook_endpoints.endpoint_id = ${endpointId}
    ORDER BY delivery_id DESC NULLS LAST
    LIMIT ${limit}
  `

interface QueuedRow {
  /** Null where nothing was queued, because the endpoint is disabled. */
  readonly delivery_id: string | null
}

/** Follows an `asked` of at most one row with the endpoint, the event and its type. */
const queueAsked = `
queued AS (
  INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
    next_attempt_at, created_at)
  SELECT organization_id, time_ordered_id(statement_timestamp()), endpoint_id, event_id, type, 'pending', 0,
    statement_timestamp(), statement_timestamp()
  FROM asked WHERE enabled
  RETURNING delivery_id
)
SELECT (SELECT delivery_id FROM queued) FROM asked`

/** No row where there is no such endpoint. */
const queuePing = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  eventId: string
) => sql<QueuedRow>`
  WITH asked AS MATERIALIZED (
    SELECT organization_id, endpoint_id, enabled, ${eventId}::text AS event_id, 'ping' AS type
    FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  ), told AS (
    INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
    SELECT organization_id, event_id, type, statement_timestamp(), json_build_object('endpoint_id', endpoint_id)
    FROM asked WHERE enabled
  ), ${sql.literal(queueAsked)}
`

/** No row where there is no such delivery, or where its endpoint or its event is gone. */
export const queueRedelivery = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  deliveryId: string
) => sql<QueuedRow>`
  WITH asked AS MATERIALIZED (
    SELECT organization_id, endpoint_id, enabled, event_id, webhook_events.type
    FROM webhook_deliveries
      JOIN webhook_endpoints USING (organization_id, endpoint_id)
      JOIN webhook_events USING (organization_id, event_id)
    WHERE organization_id = ${organizationId} AND delivery_id = ${deliveryId}
    -- An event without a delivery is swept.
    FOR KEY SHARE OF webhook_events
  ), ${sql.literal(queueAsked)}
`

/**
 * What an endpoint has not heard yet: deliveries that failed or are dead, whose event was not sent to it again since.
 * Newest first.
 */
export const unresolvedFailures = Effect.fn("WebhookDeliveries.standingFailures")(function* (
  { mode, organizationId }: Owner,
  endpointId: string,
  { before, limit }: Omit<DeliveryPageQuery, "statuses">
) {
  const sql = (yield* ModeSql).for(mode)
  const rows = yield* sql<DeliveryRow>`
    SELECT listed.* FROM (VALUES ('failed'), ('dead')) AS wanted (status) CROSS JOIN LATERAL (
      SELECT delivery_id, event_id, type, status, attempts, last_status, next_attempt_at, created_at
      FROM webhook_deliveries AS failure
      WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND status = wanted.status
        ${before === undefined ? sql`` : sql`AND delivery_id < ${before}`}
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries AS later
          WHERE later.organization_id = failure.organization_id AND later.event_id = failure.event_id
            AND later.endpoint_id = failure.endpoint_id AND later.delivery_id > failure.delivery_id
        )
      ORDER BY delivery_id DESC
      LIMIT ${limit}
    ) AS listed
    ORDER BY delivery_id DESC
    LIMIT ${limit}
  `
  return rows.map(deliveryOfRow)
})
