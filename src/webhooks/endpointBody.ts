/** Endpoints in the wire's words. */

import type {
  WebhookEndpoint as WireEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointItem
} from "../api/WebhookEndpoint.ts"
import type { Mode } from "../domain/Mode.ts"
import type { EndpointChanges, WebhookEndpoint } from "../storage/WebhookEndpoints.ts"

export const endpointItem = (endpoint: WebhookEndpoint): WebhookEndpointItem => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  min_level: endpoint.minLevel,
  enabled: endpoint.enabled,
  description: endpoint.description,
  created_at: endpoint.createdAt.toISOString()
})

export const endpointBody = (endpoint: WebhookEndpoint, mode: Mode, requestId: string): WireEndpoint => ({
  api_version: "v1",
  environment_mode: mode,
  ...endpointItem(endpoint),
  request_id: requestId
})

export const changesOf = ({ min_level, ...changes }: WebhookEndpointChanges): EndpointChanges =>
  min_level === undefined ? changes : { ...changes, minLevel: min_level }
