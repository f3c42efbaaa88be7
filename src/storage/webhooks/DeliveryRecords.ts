/** The deliveries that callers can list, and the two ways to queue one: a ping, and a redelivery. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import { type DeliveryStatus, deliveryStatuses, webhookEventTypes } from "../../domain/WebhookEvent.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { decodeRows } from "../sql/rows.ts"
import { ModeSql, ResourceSql } from "../sql/Sql.ts"
import { greatestId, type PageQuery } from "../timeOrderedId.ts"
import { DeliverySignal } from "./DeliverySignal.ts"

const DeliveryRow = Schema.Struct({
  /** A UUIDv7 of its creation time. */
  id: Schema.String,
  eventId: Schema.String,
  type: Schema.Literals(webhookEventTypes),
  status: Schema.Literals(deliveryStatuses),
  attempts: Schema.Int,
  /** The HTTP status of the last attempt. Null if it got no answer. */
  lastStatus: Schema.NullOr(Schema.Int),
  /** Null if no further attempt is planned. */
  nextAttemptAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})

export type StoredDelivery = typeof DeliveryRow.Type

/** The single row for an endpoint without deliveries of these statuses. */
const NoDeliveryRow = Schema.Struct({ id: Schema.Null })

const decodeListed = decodeRows(Schema.Union([DeliveryRow, NoDeliveryRow]))

const columns =
  "delivery_id AS id, event_id, type, status, attempts, last_status, next_attempt_at, created_at"

interface DeliveryPageQuery extends PageQuery {
  /** At least one. */
  readonly statuses: ReadonlyArray<DeliveryStatus>
}

/** `unknown`: there is no such endpoint or delivery. `disabled`: the endpoint is disabled, so nothing was queued. */
export type Queued =
  | { readonly _tag: "queued"; readonly deliveryId: string }
  | { readonly _tag: "unknown" }
  | { readonly _tag: "disabled" }

type Sql = SqlClient.SqlClient

export class DeliveryRecords extends Context.Service<DeliveryRecords>()(
  "action-risk/storage/DeliveryRecords",
  {
    make: Effect.gen(function* () {
      const { inTurn } = yield* ResourceSql
      const signal = yield* DeliverySignal

      /** Newest first. Undefined if there is no such endpoint. */
      const page = Effect.fn("DeliveryRecords.page")(function* (
        owner: Owner,
        endpointId: string,
        query: DeliveryPageQuery
      ) {
        const rows = yield* inTurn(owner, (sql) =>
          decodeListed(selectDeliveries(sql, owner.organizationId, endpointId, query))
        )
        return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null)
      })

      const queue = Effect.fnUntraced(function* (
        owner: Owner,
        queueing: (sql: Sql) => Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>
      ): Effect.fn.Return<Queued, SqlError.SqlError> {
        const [row] = yield* inTurn(owner, (sql) => decodeQueued(queueing(sql)))
        if (row === undefined) return { _tag: "unknown" }
        if (row.deliveryId === null) return { _tag: "disabled" }
        signal.notify(owner.mode)
        return { _tag: "queued", deliveryId: row.deliveryId }
      })

      /** Queues a `ping` to the endpoint, whether or not it subscribes to pings. */
      const ping = Effect.fn("DeliveryRecords.ping")((owner: Owner, endpointId: string) =>
        queue(owner, (sql) => queuePing(sql, owner.organizationId, endpointId))
      )

      /** Queues the delivery's event for its endpoint again, as a new delivery. */
      const redeliver = Effect.fn("DeliveryRecords.redeliver")((owner: Owner, deliveryId: string) =>
        queue(owner, (sql) => queueRedelivery(sql, owner.organizationId, deliveryId))
      )

      return { page, ping, redeliver }
    })
  }
) {
  static readonly layer = Layer.effect(DeliveryRecords, DeliveryRecords.make).pipe(
    Layer.provide(DeliverySignal.layer)
  )
}

/** Returns no row if there is no such endpoint. `which`: a further condition on the deliveries. */
const selectDeliveries = (
  sql: Sql,
  organizationId: string,
  endpointId: string,
  { before, limit, statuses }: DeliveryPageQuery,
  which = sql`true`
) =>
  // Each status is a range of the index in list order, so deliveries with other statuses are never read.
  sql`
    SELECT listed.*
    FROM webhook_endpoints CROSS JOIN unnest(${statuses}::text[]) AS wanted (status) LEFT JOIN LATERAL (
      SELECT ${sql.literal(columns)} FROM webhook_deliveries AS delivery
      WHERE organization_id = webhook_endpoints.organization_id AND endpoint_id = webhook_endpoints.endpoint_id
        AND status = wanted.status AND delivery_id < ${before ?? greatestId} AND ${which}
      ORDER BY delivery_id DESC
      LIMIT ${limit}
    ) AS listed ON true
    WHERE webhook_endpoints.organization_id = ${organizationId} AND webhook_endpoints.endpoint_id = ${endpointId}
    ORDER BY id DESC NULLS LAST
    LIMIT ${limit}
  `

const decodeQueued = decodeRows(
  Schema.Struct({
    /** Null if nothing was queued because the endpoint is disabled. */
    deliveryId: Schema.NullOr(Schema.String)
  })
)

/** Follows a common table expression `asked`, which has at most one row with the endpoint, the event and its type. */
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

/** Returns no row if there is no such endpoint. */
const queuePing = (sql: Sql, organizationId: string, endpointId: string) => sql`
  WITH asked AS MATERIALIZED (
    SELECT organization_id, endpoint_id, enabled, ${`evt_${randomBytes(16).toString("hex")}`}::text AS event_id, 'ping' AS type
    FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  ), pinged AS (
    INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
    SELECT organization_id, event_id, type, statement_timestamp(), json_build_object('endpoint_id', endpoint_id)
    FROM asked WHERE enabled
  ), ${sql.literal(queueAsked)}
`

/** Returns no row if there is no such delivery, or if its endpoint or event was deleted. */
export const queueRedelivery = (sql: Sql, organizationId: string, deliveryId: string) => sql`
  WITH asked AS MATERIALIZED (
    SELECT organization_id, endpoint_id, enabled, event_id, webhook_events.type
    FROM webhook_deliveries
      JOIN webhook_endpoints USING (organization_id, endpoint_id)
      JOIN webhook_events USING (organization_id, event_id)
    WHERE organization_id = ${organizationId} AND delivery_id = ${deliveryId}
    -- Locked, because the sweep deletes an event without deliveries.
    FOR KEY SHARE OF webhook_events
  ), ${sql.literal(queueAsked)}
`

/** The failed or dead deliveries of an endpoint whose event was not queued for it again since. Newest first. */
export const unresolvedFailures = Effect.fn("DeliveryRecords.unresolvedFailures")(function* (
  owner: Owner,
  endpointId: string,
  query: PageQuery
) {
  const sql = (yield* ModeSql).for(owner)
  const isUnresolved = sql`NOT EXISTS (
    SELECT FROM webhook_deliveries AS later
    WHERE later.organization_id = delivery.organization_id AND later.event_id = delivery.event_id
      AND later.endpoint_id = delivery.endpoint_id AND later.delivery_id > delivery.delivery_id
  )`
  const asked: DeliveryPageQuery = { ...query, statuses: ["failed", "dead"] }
  const rows = yield* decodeListed(
    selectDeliveries(sql, owner.organizationId, endpointId, asked, isUnresolved)
  )
  return rows.filter((row) => row.id !== null)
})
