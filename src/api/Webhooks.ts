/** Schemas and operations for webhook endpoints and their deliveries (contract 4). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { deliveryStatuses, webhookEventTypes, webhookFormats } from "../domain/WebhookEvent.ts"
import { webhookDescriptionMax, webhookUrlMax } from "../limits.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  bodyErrors,
  errorIdempotencyKeyReused,
  errorNotFound,
  errorValidationFailed,
  operationErrors
} from "./Failures.ts"
import { answerHead, Count, IsoMillis, listOf, pageParameters, RequestId, Uuid } from "./Scalars.ts"
import { flagField, idempotencyKeyHeader, oneOfField, textField } from "./validation.ts"

const url = textField(
  webhookUrlMax,
  "Where events are posted: https on port 443 or 8443, without userinfo; an address must be public."
)

const events = Schema.Array(oneOfField(webhookEventTypes))
  .annotate({ message: "must be an array" })
  .check(
    Schema.makeFilter(
      (value: ReadonlyArray<string>) => value.length > 0 && new Set(value).size === value.length,
      {
        message: `must name 1 to ${webhookEventTypes.length} events, each once`,
        toJsonSchema: () => ({ minItems: 1, maxItems: webhookEventTypes.length, uniqueItems: true })
      }
    )
  )
  .annotate({ description: "The events that the endpoint receives." })

const format = oneOfField(webhookFormats).annotate({
  description:
    "The body: the event (`standard`, the default), or a message for people in the form of the incoming webhooks of Slack or of Teams (Workflows)."
})

const minLevel = oneOfField(actionRiskLevels).annotate({
  description: "Only assessments at this level or above are sent; low unless given."
})

const enabled = flagField("False stops deliveries; true unless given.")

const note = "A note for people; never sent."
const description = Schema.NullOr(textField(webhookDescriptionMax, note)).annotate({
  message: "must be a string or null",
  description: note
})

const optional = Schema.optionalKey

export const WebhookEndpointRequest = Schema.Struct({
  url,
  format: optional(format),
  events,
  min_level: optional(minLevel),
  enabled: optional(enabled),
  description: optional(description)
}).annotate({ identifier: "WebhookEndpointRequest" })
export type WebhookEndpointRequest = typeof WebhookEndpointRequest.Type

/** An omitted field stays unchanged, as in RFC 7396. An unknown field is an error, so that misspellings are noticed. */
export const WebhookEndpointChanges = Schema.Struct({
  url: optional(url),
  format: optional(format),
  events: optional(events),
  min_level: optional(minLevel),
  enabled: optional(enabled),
  description: optional(description)
}).annotate({ identifier: "WebhookEndpointChanges" })
export type WebhookEndpointChanges = typeof WebhookEndpointChanges.Type

export const WebhookEndpointItem = Schema.Struct({
  id: Uuid,
  url: Schema.String,
  format: Schema.Literals(webhookFormats),
  events: Schema.Array(Schema.Literals(webhookEventTypes)),
  min_level: Schema.Literals(actionRiskLevels),
  enabled: Schema.Boolean.annotate({
    description: "False after you disabled it, or after the service stopped trying to reach the receiver."
  }),
  description: Schema.NullOr(Schema.String),
  created_at: IsoMillis
}).annotate({ identifier: "WebhookEndpointItem" })
export type WebhookEndpointItem = typeof WebhookEndpointItem.Encoded

const endpointFields = {
  ...answerHead,
  ...WebhookEndpointItem.fields,
  request_id: RequestId
}

export const WebhookEndpoint = Schema.Struct(endpointFields).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Encoded

export const WebhookEndpointWithSecret = Schema.Struct({
  ...endpointFields,
  secret: Schema.String.check(Schema.isPattern(/^whsec_[A-Za-z0-9+/]{43}=$/u)).annotate({
    description: "The secret that signs deliveries (Standard Webhooks); shown only in this answer."
  })
}).annotate({ identifier: "WebhookEndpointWithSecret" })
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Encoded

export const WebhookEndpointList = listOf(WebhookEndpointItem).annotate({ identifier: "WebhookEndpointList" })
export type WebhookEndpointList = typeof WebhookEndpointList.Encoded

export const WebhookDelivery = Schema.Struct({
  id: Uuid,
  event_id: Schema.String.annotate({ description: "`webhook-id` of the delivery and `id` of its payload." }),
  type: Schema.Literals(webhookEventTypes),
  status: Schema.Literals(deliveryStatuses).annotate({
    description:
      "pending until the first attempt was answered, failed while another is to come, dead when none is; a dead one can be redelivered."
  }),
  attempts: Count,
  last_status: Schema.NullOr(Count).annotate({
    description: "HTTP status of the last attempt; null where none was answered."
  }),
  next_attempt_at: Schema.NullOr(IsoMillis).annotate({ description: "null when no attempt is to come." }),
  created_at: IsoMillis
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Encoded

export const WebhookDeliveryList = listOf(WebhookDelivery).annotate({ identifier: "WebhookDeliveryList" })
export type WebhookDeliveryList = typeof WebhookDeliveryList.Encoded

export const DeliveryQueued = Schema.Struct({
  ...answerHead,
  delivery_id: Uuid,
  request_id: RequestId
}).annotate({ identifier: "DeliveryQueued" })
export type DeliveryQueued = typeof DeliveryQueued.Encoded

const path = "/api/v1/webhook-endpoints"
const endpointPath = `${path}/:endpoint_id` as const
const params = { endpoint_id: Uuid }

const sameSecret = idempotencyKeyHeader(
  "The same key and body give the same answer, with the same secret, for 24 hours: send it, or a lost answer is a lost secret."
)

const createWebhookEndpoint = HttpApiEndpoint.post("createWebhookEndpoint", path, {
  headers: sameSecret,
  payload: WebhookEndpointRequest,
  success: WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
  error: [...operationErrors, ...bodyErrors, errorIdempotencyKeyReused]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "createWebhookEndpoint",
    summary: "Create a webhook endpoint",
    description:
      "From now on, the service posts the named events to its URL, signed with the secret in this answer. At most 100 per organization and mode."
  })
)

const listWebhookEndpoints = HttpApiEndpoint.get("listWebhookEndpoints", path, {
  query: pageParameters("webhook endpoints"),
  success: WebhookEndpointList,
  error: [...operationErrors, errorValidationFailed]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "The organization's webhook endpoints in the mode of the key, newest first."
  })
)

const getWebhookEndpoint = HttpApiEndpoint.get("getWebhookEndpoint", endpointPath, {
  params,
  success: WebhookEndpoint,
  error: [...operationErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getWebhookEndpoint",
    summary: "Get a webhook endpoint",
    description: "One webhook endpoint, without its secret."
  })
)

const changeWebhookEndpoint = HttpApiEndpoint.patch("changeWebhookEndpoint", endpointPath, {
  params,
  payload: WebhookEndpointChanges,
  success: WebhookEndpoint,
  error: [...operationErrors, ...bodyErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "changeWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description:
      "Changes the given fields. Disabling ends waiting deliveries; enabling starts fresh, and ended deliveries can be redelivered."
  })
)

const deleteWebhookEndpoint = HttpApiEndpoint.delete("deleteWebhookEndpoint", endpointPath, {
  params,
  success: HttpApiSchema.NoContent,
  error: [...operationErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Its secret and its deliveries go with it; an attempt in progress may still arrive."
  })
)

const rotateWebhookSecret = HttpApiEndpoint.post("rotateWebhookSecret", `${endpointPath}/rotate-secret`, {
  params,
  headers: sameSecret,
  success: WebhookEndpointWithSecret,
  error: [...operationErrors, ...bodyErrors, errorIdempotencyKeyReused, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "rotateWebhookSecret",
    summary: "Give a webhook endpoint a new secret",
    description:
      "For 24 hours deliveries are signed with the new secret and with the one before it. Rotated again within that time, the one before the last stops at once."
  })
)

const testWebhookEndpoint = HttpApiEndpoint.post("testWebhookEndpoint", `${endpointPath}/test`, {
  params,
  success: DeliveryQueued.pipe(HttpApiSchema.status(202)),
  error: [...operationErrors, ...bodyErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "testWebhookEndpoint",
    summary: "Send a ping to a webhook endpoint",
    description: "Queues a `ping`, subscribed to or not. The endpoint must be enabled."
  })
)

export const WebhookEndpointsGroup = HttpApiGroup.make("webhookEndpoints")
  .add(
    createWebhookEndpoint,
    listWebhookEndpoints,
    getWebhookEndpoint,
    changeWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    testWebhookEndpoint
  )
  .annotateEndpoints(RequiredScope, "webhooks")
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook endpoints",
      description: "The receivers of assessments and reviews; deliveries follow Standard Webhooks 1.0."
    })
  )

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
    error: [...operationErrors, errorNotFound, errorValidationFailed]
  }
).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookDeliveries",
    summary: "List the deliveries to a webhook endpoint",
    description: "The endpoint's past and waiting deliveries, newest first."
  })
)

const redeliver = HttpApiEndpoint.post("redeliver", "/api/v1/webhook-deliveries/:delivery_id/redeliver", {
  params: { delivery_id: Uuid },
  success: DeliveryQueued.pipe(HttpApiSchema.status(202)),
  error: [...operationErrors, ...bodyErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "redeliver",
    summary: "Deliver an event once more",
    description:
      "Queues a new delivery of the same event to the same endpoint, whether or not the first one succeeded: the receiver sees the same `webhook-id`. The endpoint must be enabled."
  })
)

export const WebhookDeliveriesGroup = HttpApiGroup.make("webhookDeliveries")
  .add(listWebhookDeliveries, redeliver)
  .annotateEndpoints(RequiredScope, "webhooks")
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description: "Events that were sent to endpoints, and the result of each."
    })
  )
