/** What became of telling an endpoint of events, and telling it once more (contract 4). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { deliveryStatuses } from "../domain/WebhookEvent.ts"
import { Authorization } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorPayloadTooLarge,
  errorRateLimited,
  errorValidationFailed
} from "./errors.ts"
import { pageParameters } from "./pageParameters.ts"
import { RequiredScope } from "./RequiredScope.ts"
import { Uuid } from "./Scalars.ts"
import { DeliveryQueued, WebhookDeliveryList } from "./WebhookDelivery.ts"

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

export const WebhookDeliveries = HttpApiGroup.make("webhookDeliveries")
  .add(listWebhookDeliveries, redeliver)
  .annotateEndpoints(RequiredScope, "webhooks")
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description: "What was told to whom, and what became of it."
    })
  )
