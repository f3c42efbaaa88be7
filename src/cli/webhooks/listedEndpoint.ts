/** An endpoint with its newest deliveries, as the operator's list has it, and as `webhooks list --json` prints it. */

import type { WebhookDelivery } from "../../storage/WebhookDeliveries.ts"
import type { WebhookEndpoint } from "../../storage/WebhookEndpoints.ts"
import type { webhooksListShape } from "../shapes/webhooks/list.ts"

export interface ListedEndpoint {
  readonly endpoint: WebhookEndpoint
  /** Newest first. */
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  /** Whether there are older ones. */
  readonly more: boolean
}

const deliveryJson = (delivery: WebhookDelivery) => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString()
})

export const listedEndpointJson = ({
  deliveries,
  endpoint,
  more
}: ListedEndpoint): (typeof webhooksListShape.Encoded)["endpoints"][number] => ({
  endpoint_id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  min_level: endpoint.minLevel,
  enabled: endpoint.enabled,
  description: endpoint.description,
  created_at: endpoint.createdAt.toISOString(),
  deliveries: deliveries.map(deliveryJson),
  more_deliveries: more
})
