/** One event for one endpoint, as it goes over the wire (contract 4). */

import { Schema } from "effect"
import { modes } from "../domain/Mode.ts"
import { deliveryStatuses, webhookEventTypes } from "../domain/WebhookEvent.ts"
import { listOf } from "./listOf.ts"
import { IsoMillis, RequestId, Uuid } from "./Scalars.ts"

export const WebhookDelivery = Schema.Struct({
  id: Uuid,
  event_id: Schema.String.annotate({ description: "`webhook-id` of the delivery and `id` of its payload." }),
  type: Schema.Literals(webhookEventTypes),
  status: Schema.Literals(deliveryStatuses).annotate({
    description:
      "pending until the first attempt was answered, failed while another is to come, dead when none is; a dead one can be redelivered."
  }),
  attempts: Schema.Int,
  last_status: Schema.NullOr(Schema.Int).annotate({
    description: "HTTP status of the last attempt; null where none was answered."
  }),
  next_attempt_at: Schema.NullOr(IsoMillis).annotate({ description: "null when no attempt is to come." }),
  created_at: IsoMillis
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Encoded

export const WebhookDeliveryList = listOf(WebhookDelivery).annotate({ identifier: "WebhookDeliveryList" })
export type WebhookDeliveryList = typeof WebhookDeliveryList.Encoded

export const DeliveryQueued = Schema.Struct({
  api_version: Schema.Literal("v1"),
  environment_mode: Schema.Literals(modes),
  delivery_id: Uuid,
  request_id: RequestId
}).annotate({ identifier: "DeliveryQueued" })
export type DeliveryQueued = typeof DeliveryQueued.Encoded
