/** Requests for webhook endpoints that show only what matters to a test. */

import { Effect } from "effect"
import type { WebhookEndpointRequest, WebhookEndpointWithSecret } from "../../src/api/Webhooks.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { requestId } from "./assessCall.ts"

export const wantedEndpoint = (overrides: Partial<WebhookEndpointRequest> = {}): WebhookEndpointRequest => ({
  url: "https://hooks.example/risk",
  events: ["assessment.high", "assessment.critical"],
  ...overrides
})

export const secretCall = (caller: Caller, idempotencyKey: string | null = null) => ({
  caller,
  requestId: requestId(),
  idempotencyKey
})

export const createEndpoint = Effect.fnUntraced(function* (
  caller: Caller,
  overrides: Partial<WebhookEndpointRequest> = {},
  idempotencyKey: string | null = null
) {
  const { create } = yield* Endpoints
  const { body } = yield* create(secretCall(caller, idempotencyKey), wantedEndpoint(overrides))
  return JSON.parse(body) as WebhookEndpointWithSecret
})
