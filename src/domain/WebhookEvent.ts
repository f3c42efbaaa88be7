/** The events that webhooks deliver, and the states of a delivery (contract 4). */

export const webhookEventTypes = [
  "assessment.completed",
  "assessment.incomplete",
  "assessment.high",
  "assessment.critical",
  "review.opened",
  "review.closed",
  "webhook_endpoint.disabled",
  "ping"
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/**
 * `pending` before the first attempt has a result, `failed` while another attempt is planned, `dead` after the last one.
 * A dead delivery can be redelivered.
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "dead"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
