/** An endpoint as a row, and back; its secrets are in no row that is read for a caller. */

import type { ActionRiskLevel } from "../../domain/Level.ts"
import { actionRiskLevels } from "../../domain/Level.ts"
import { type WebhookEventType } from "../../domain/WebhookEvent.ts"
import type { WebhookEndpoint } from "../WebhookEndpoints.ts"

export interface EndpointRow {
  readonly endpoint_id: string
  readonly url: string
  readonly events: ReadonlyArray<WebhookEventType>
  readonly least_rank: number
  readonly enabled: boolean
  readonly description: string | null
  readonly created_at: Date
}

export const rankOf = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

export const endpointOfRow = (row: EndpointRow): WebhookEndpoint => ({
  id: row.endpoint_id,
  url: row.url,
  events: row.events,
  // The table checks the range.
  minLevel: actionRiskLevels[row.least_rank] ?? "low",
  enabled: row.enabled,
  description: row.description,
  createdAt: row.created_at
})
