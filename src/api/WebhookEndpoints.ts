/** The organization's webhook endpoints, to make, change, try and remove (contract 4). */

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorIdempotencyKeyReused,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorPayloadTooLarge,
  errorRateLimited,
  errorValidationFailed
} from "./errors.ts"
import { idempotencyKeyHeader } from "./idempotencyKeyHeader.ts"
import { pageParameters } from "./pageParameters.ts"
import { RequiredScope } from "./RequiredScope.ts"
import { Uuid } from "./Scalars.ts"
import { DeliveryQueued } from "./WebhookDelivery.ts"
import {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "./WebhookEndpoint.ts"

const path = "/api/v1/webhook-endpoints"
const onePath = `${path}/:endpoint_id` as const
const params = { endpoint_id: Uuid }

/** Of every operation. */
const errors = [
  errorMalformedJson,
  errorMethodNotAllowed,
  errorRateLimited,
  errorAssessmentUnavailable
] as const
/** Of those that read a body. */
const bodyErrors = [errorPayloadTooLarge, errorValidationFailed] as const

const sameSecret = idempotencyKeyHeader(
  "The same key and body give the same answer, with the same secret, for 24 hours: send it, or a lost answer is a lost secret."
)

const createWebhookEndpoint = HttpApiEndpoint.post("createWebhookEndpoint", path, {
  headers: sameSecret,
  payload: WebhookEndpointRequest,
  success: WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
  error: [...errors, ...bodyErrors, errorIdempotencyKeyReused]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "createWebhookEndpoint",
    summary: "Create a webhook endpoint",
    description:
      "From now on the events it names are posted to its URL, signed with the secret of this answer. At most 100 per organization and mode."
  })
)

const listWebhookEndpoints = HttpApiEndpoint.get("listWebhookEndpoints", path, {
  query: pageParameters("webhook endpoints"),
  success: WebhookEndpointList,
  error: [...errors, errorValidationFailed]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "The organization's webhook endpoints in the mode of the key, newest first."
  })
)

const getWebhookEndpoint = HttpApiEndpoint.get("getWebhookEndpoint", onePath, {
  params,
  success: WebhookEndpoint,
  error: [...errors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getWebhookEndpoint",
    summary: "Get a webhook endpoint",
    description: "One webhook endpoint, without its secret."
  })
)

const changeWebhookEndpoint = HttpApiEndpoint.patch("changeWebhookEndpoint", onePath, {
  params,
  payload: WebhookEndpointChanges,
  success: WebhookEndpoint,
  error: [...errors, ...bodyErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "changeWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description:
      "Changes the fields that are given. Disabling ends what waits to be delivered; enabling starts anew, and what ended can be redelivered."
  })
)

const deleteWebhookEndpoint = HttpApiEndpoint.delete("deleteWebhookEndpoint", onePath, {
  params,
  success: HttpApiSchema.NoContent,
  error: [...errors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Its secret and its deliveries go with it; an attempt under way may still arrive."
  })
)

const rotateWebhookSecret = HttpApiEndpoint.post("rotateWebhookSecret", `${onePath}/rotate-secret`, {
  params,
  headers: sameSecret,
  success: WebhookEndpointWithSecret,
  error: [...errors, ...bodyErrors, errorIdempotencyKeyReused, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "rotateWebhookSecret",
    summary: "Give a webhook endpoint a new secret",
    description:
      "For 24 hours deliveries are signed with the new secret and with the one before it. Rotated again within that time, the one before the last stops at once."
  })
)

const testWebhookEndpoint = HttpApiEndpoint.post("testWebhookEndpoint", `${onePath}/test`, {
  params,
  success: DeliveryQueued.pipe(HttpApiSchema.status(202)),
  error: [...errors, ...bodyErrors, errorNotFound]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "testWebhookEndpoint",
    summary: "Send a ping to a webhook endpoint",
    description: "Queues a `ping`, subscribed to or not. The endpoint must be enabled."
  })
)

export const WebhookEndpoints = HttpApiGroup.make("webhookEndpoints")
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
      description: "Who hears of assessments and reviews; deliveries follow Standard Webhooks 1.0."
    })
  )
