/** One attempt to deliver a webhook: make it, sign it, post it, and say what became of it. */

import { Clock, Effect, type Redacted } from "effect"
import type { Mode } from "../domain/Mode.ts"
import type { ClaimedDelivery, DeliveredEvent } from "../storage/webhookOutbox/ClaimedDelivery.ts"
import { type SecretUnreadable, WebhookSecrets } from "../storage/WebhookSecrets.ts"
import type { PostFailedReason } from "./egress/PostFailed.ts"
import { post, type PostRequest } from "./egress/post.ts"
import { payloadOf } from "./payload.ts"
import { signedHeaders } from "./signedHeaders.ts"

export type Attempt =
  | { readonly is: "answered"; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly is: "unanswered"; readonly reason: PostFailedReason }
  /** What it would tell of was erased. */
  | { readonly is: "untellable" }

/** Takes as long as `post` takes at most. */
export const attempt = Effect.fnUntraced(function* (
  mode: Mode,
  delivery: ClaimedDelivery,
  allowInsecure: PostRequest["allowInsecure"]
): Effect.fn.Return<Attempt, SecretUnreadable, WebhookSecrets> {
  const { event } = delivery
  if (event === null) return { is: "untellable" }
  const secrets = yield* secretsOf(mode, delivery)
  return yield* send(delivery, event, payloadOf(mode, event), secrets, allowInsecure)
})

const secretsOf = Effect.fnUntraced(function* (mode: Mode, delivery: ClaimedDelivery) {
  const { endpointId, organizationId, previousSecret, secret } = delivery
  const { open } = yield* WebhookSecrets
  const context = { organizationId, mode, endpointId }
  const newest = yield* open(context, secret)
  if (previousSecret === null) return [newest]
  // The receiver has the newest, or will have it within the day: that is reason enough to send.
  const previous = yield* Effect.option(open(context, previousSecret))
  return previous._tag === "Some" ? [newest, previous.value] : [newest]
})

const send = Effect.fnUntraced(function* (
  delivery: ClaimedDelivery,
  event: DeliveredEvent,
  body: string,
  secrets: ReadonlyArray<Redacted.Redacted>,
  allowInsecure: PostRequest["allowInsecure"]
) {
  const sentAtMs = yield* Clock.currentTimeMillis
  const headers = {
    "content-type": "application/json",
    "user-agent": "action-risk-webhooks/1",
    ...signedHeaders({ eventId: event.id, sentAtMs, body, secrets })
  }
  return yield* post({ url: delivery.url, headers, body, allowInsecure }).pipe(
    Effect.map((posted): Attempt => ({ is: "answered", ...posted })),
    Effect.catchTag("PostFailed", ({ reason }) => Effect.succeed<Attempt>({ is: "unanswered", reason }))
  )
})
