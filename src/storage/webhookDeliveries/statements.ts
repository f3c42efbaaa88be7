/** The statements about deliveries that callers ask for, each inside one organization. */

import type { SqlClient } from "effect/sql"
import type { DeliveryPage } from "../WebhookDeliveries.ts"
import type { DeliveryRow } from "./row.ts"

/** What stands for an endpoint without a delivery of some status. */
interface NoDelivery {
  readonly delivery_id: null
}

/** No row where there is no such endpoint. */
export const selectDeliveries = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  { before, limit, statuses }: DeliveryPage
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

export interface QueuedRow {
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
export const queuePing = (
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
export const queueAgain = (
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
