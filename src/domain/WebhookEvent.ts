/** The events that webhooks deliver, the formats for receivers, and the states of a delivery (contract 4). */

export const webhookEventTypes = [
  "assessment.completed",
  "assessment.incomplete",
  "assessment.high",
  "assessment.critical",
  "review.opened",
  "review.overdue",
  "review.closed",
  "webhook_endpoint.disabled",
  "ping"
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** `standard` is the event itself. The other formats are a message for people, as the chat's incoming webhooks expect it. */
export const webhookFormats = ["standard", "slack", "teams"] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/**
 * `pending` until the first attempt has a result, `failed` while another attempt is planned, `dead` after the last attempt. A dead delivery
 * can be redelivered.
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "dead"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
