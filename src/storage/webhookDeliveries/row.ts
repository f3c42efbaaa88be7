/** A delivery as a row, and back. */

import type { DeliveryStatus, WebhookEventType } from "../../domain/WebhookEvent.ts"
import type { WebhookDelivery } from "../WebhookDeliveries.ts"

export interface DeliveryRow {
  readonly delivery_id: string
  readonly event_id: string
  readonly type: WebhookEventType
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly last_status: number | null
  readonly next_attempt_at: Date | null
  readonly created_at: Date
}

export const deliveryOfRow = (row: DeliveryRow): WebhookDelivery => ({
  id: row.delivery_id,
  eventId: row.event_id,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  lastStatus: row.last_status,
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at
})
