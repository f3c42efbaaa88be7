/** An endpoint that hears of the worked example, and what it was told; the secret is none: 32 zero bytes. */

import type { DeliveryQueued, WebhookDeliveryList } from "../WebhookDelivery.ts"
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "../WebhookEndpoint.ts"

export const exampleEndpointRequest = {
  url: "https://hooks.customer.example/action-risk",
  events: ["assessment.high", "assessment.critical", "review.opened"],
  min_level: "high",
  description: "Routes high risk to the reviewers on call"
} as const satisfies WebhookEndpointRequest

export const exampleChanges = { min_level: "critical", description: null } satisfies WebhookEndpointChanges

const item = {
  id: "01a1f84b-0d30-7000-9c1e-2f6d8a4b7c55",
  ...exampleEndpointRequest,
  enabled: true,
  created_at: "2026-11-20T09:30:30.000Z"
} as const

const mode = { api_version: "v1", environment_mode: "test" } as const
const exchange = { request_id: "req_01KAFSD8M9N2P4Q6R8S0T1V3WX" } as const
const onlyPage = { has_more: false, next_cursor: null, ...exchange } as const

export const exampleEndpoint = { ...mode, ...item, ...exchange } satisfies WebhookEndpoint

export const exampleEndpointWithSecret = {
  ...exampleEndpoint,
  secret: `whsec_${"A".repeat(43)}=`
} satisfies WebhookEndpointWithSecret

export const exampleEndpointList = { ...mode, data: [item], ...onlyPage } satisfies WebhookEndpointList

const delivery = {
  id: "01a1f84b-4bb0-7312-8a5e-6b1c9d3e2f40",
  event_id: "evt_01a1f84a95c071a1b5c0a48fe2106e44_critical",
  type: "assessment.critical",
  status: "failed",
  attempts: 1,
  last_status: 503,
  next_attempt_at: "2026-11-20T09:30:51.204Z",
  created_at: "2026-11-20T09:30:46.000Z"
} as const

export const exampleDeliveryList = { ...mode, data: [delivery], ...onlyPage } satisfies WebhookDeliveryList

export const exampleQueued = {
  ...mode,
  delivery_id: "01a1f84b-8a18-7045-b2c3-d4e5f6071829",
  ...exchange
} satisfies DeliveryQueued
