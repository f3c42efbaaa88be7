/** What an endpoint has not heard yet: deliveries that failed or are dead, whose event was not sent to it again since. */

import { Effect } from "effect"
import type { Owner } from "../AssessmentRecord.ts"
import { ModeSql } from "../Sql.ts"
import type { DeliveryPage } from "../WebhookDeliveries.ts"
import { deliveryOfRow, type DeliveryRow } from "./row.ts"

/** Newest first. */
export const standingFailures = Effect.fn("WebhookDeliveries.standingFailures")(function* (
  { mode, organizationId }: Owner,
  endpointId: string,
  { before, limit }: Omit<DeliveryPage, "statuses">
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
