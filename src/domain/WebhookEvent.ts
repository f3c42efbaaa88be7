/** What webhooks tell of, and what becomes of telling it (contract 4). */

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
 * `pending` until its first attempt has an answer, `failed` while another attempt is to come, `dead` when none is.
 * A dead delivery can be redelivered.
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "dead"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
