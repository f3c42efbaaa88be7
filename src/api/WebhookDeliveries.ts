/** Deliveries of webhooks (contract 4): the schemas, and the endpoints that list and repeat them. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { modes } from "../domain/Caller.ts"
import { deliveryStatuses, webhookEventTypes } from "../domain/WebhookEvent.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorPayloadTooLarge,
  errorRateLimited,
  errorValidationFailed
} from "./ErrorEnvelope.ts"
import { listOf, pageParameters } from "./Page.ts"
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

/** What became of telling an endpoint of events, and telling it once more (contract 4). */
const errors = [
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorValidationFailed,
  errorRateLimited,
  errorAssessmentUnavailable
] as const

const listWebhookDeliveries = HttpApiEndpoint.get(
  "listWebhookDeliveries",
  "/api/v1/webhook-endpoints/:endpoint_id/deliveries",
  {
    params: { endpoint_id: Uuid },
    query: {
      ...pageParameters("deliveries"),
      status: Schema.optionalKey(
        Schema.Literals(deliveryStatuses).annotate({ description: "Only deliveries of this status." })
      )
    },
    success: WebhookDeliveryList,
    error: errors
  }
).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookDeliveries",
    summary: "List the deliveries to a webhook endpoint",
    description: "What the endpoint was told or is to be told, newest first."
  })
)

const redeliver = HttpApiEndpoint.post("redeliver", "/api/v1/webhook-deliveries/:delivery_id/redeliver", {
  params: { delivery_id: Uuid },
  success: DeliveryQueued.pipe(HttpApiSchema.status(202)),
  error: [...errors, errorPayloadTooLarge]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "redeliver",
    summary: "Deliver an event once more",
    description:
      "Queues a new delivery of the same event to the same endpoint, whatever became of the first: the receiver sees the same `webhook-id`. The endpoint must be enabled."
  })
)

export const WebhookDeliveriesGroup = HttpApiGroup.make("webhookDeliveries")
  .add(listWebhookDeliveries, redeliver)
  .annotateEndpoints(RequiredScope, "webhooks")
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description: "What was told to whom, and what became of it."
    })
  )
