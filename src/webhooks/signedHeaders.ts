/** The headers of Standard Webhooks, whose library makes the signatures. */

import { Redacted } from "effect"
import { Webhook } from "standardwebhooks"

export interface Signing {
  /** The same for every attempt and every redelivery of an event. */
  readonly eventId: string
  /** Milliseconds since 1970. */
  readonly sentAtMs: number
  readonly body: string
  /** `whsec_…`, newest first: one signature for each, so that either may be in use while a secret rotates. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

export const signedHeaders = ({ body, eventId, secrets, sentAtMs }: Signing): Record<string, string> => ({
  "webhook-id": eventId,
  "webhook-timestamp": String(Math.floor(sentAtMs / 1_000)),
  "webhook-signature": secrets
    .map((secret) => new Webhook(Redacted.value(secret)).sign(eventId, new Date(sentAtMs), body))
    .join(" ")
})
