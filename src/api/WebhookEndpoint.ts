/** A webhook endpoint as it goes over the wire (contract 4): asked for, shown, and once with its secret. */

import { Schema } from "effect"
import { modes } from "../domain/Mode.ts"
import { actionRiskLevels } from "../domain/Level.ts"
import { webhookEventTypes } from "../domain/WebhookEvent.ts"
import { webhookDescriptionMax, webhookUrlMax } from "../Limits.ts"
import { listOf } from "./listOf.ts"
import { flag, oneOf, text } from "./requestFields.ts"
import { IsoMillis, RequestId, Uuid } from "./Scalars.ts"

const url = text(
  webhookUrlMax,
  "Where events are posted: https on port 443 or 8443, without userinfo; an address must be public."
)

const events = Schema.Array(oneOf(webhookEventTypes))
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
  .annotate({ description: "What the endpoint hears of." })

const minLevel = oneOf(actionRiskLevels).annotate({
  description: "Only assessments at this level or above are told of; low unless given."
})

const enabled = flag("False stops deliveries; true unless given.")

const note = "A note for people; never sent."
const description = Schema.NullOr(text(webhookDescriptionMax, note)).annotate({
  message: "must be a string or null",
  description: note
})

const optional = Schema.optionalKey

export const WebhookEndpointRequest = Schema.Struct({
  url,
  events,
  min_level: optional(minLevel),
  enabled: optional(enabled),
  description: optional(description)
}).annotate({ identifier: "WebhookEndpointRequest" })
export type WebhookEndpointRequest = typeof WebhookEndpointRequest.Type

/** Without a field nothing is changed, as RFC 7396 has it: a misspelt one is refused, so it is no mistake. */
export const WebhookEndpointChanges = Schema.Struct({
  url: optional(url),
  events: optional(events),
  min_level: optional(minLevel),
  enabled: optional(enabled),
  description: optional(description)
}).annotate({ identifier: "WebhookEndpointChanges" })
export type WebhookEndpointChanges = typeof WebhookEndpointChanges.Type

export const WebhookEndpointItem = Schema.Struct({
  id: Uuid,
  url: Schema.String,
  events: Schema.Array(Schema.Literals(webhookEventTypes)),
  min_level: Schema.Literals(actionRiskLevels),
  enabled: Schema.Boolean.annotate({
    description: "False after a change by you, or after the service gave the receiver up."
  }),
  description: Schema.NullOr(Schema.String),
  created_at: IsoMillis
}).annotate({ identifier: "WebhookEndpointItem" })
export type WebhookEndpointItem = typeof WebhookEndpointItem.Encoded

const one = {
  api_version: Schema.Literal("v1"),
  environment_mode: Schema.Literals(modes),
  ...WebhookEndpointItem.fields,
  request_id: RequestId
}

export const WebhookEndpoint = Schema.Struct(one).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Encoded

export const WebhookEndpointWithSecret = Schema.Struct({
  ...one,
  secret: Schema.String.check(Schema.isPattern(/^whsec_[A-Za-z0-9+/]{43}=$/u)).annotate({
    description: "What deliveries are signed with (Standard Webhooks); shown in this answer only."
  })
}).annotate({ identifier: "WebhookEndpointWithSecret" })
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Encoded

export const WebhookEndpointList = listOf(WebhookEndpointItem).annotate({ identifier: "WebhookEndpointList" })
export type WebhookEndpointList = typeof WebhookEndpointList.Encoded
