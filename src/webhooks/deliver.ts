/** Sees one claimed delivery through: one attempt, and a mark that says what became of it. */

import { Cause, Clock, Effect, Random, Schedule } from "effect"
import type { Mode } from "../domain/Mode.ts"
import { webhookLeaseMs, webhookLookMs, webhookSweptTogetherMax } from "../Limits.ts"
import { webhookAnswered, webhookAttempted, webhookEndpointDisabled } from "../Metrics.ts"
import { logStorageFailure } from "../storage/logStorageFailure.ts"
import { WebhookOutbox } from "../storage/WebhookOutbox.ts"
import type { ClaimedDelivery } from "../storage/webhookOutbox/ClaimedDelivery.ts"
import type { Marked, Marking } from "../storage/webhookOutbox/mark.ts"
import { SecretUnreadable } from "../storage/WebhookSecrets.ts"
import { within } from "../storage/within.ts"
import { attempt, type Attempt } from "./attempt.ts"
import type { PostRequest } from "./egress/post.ts"
import { markingOf } from "./markingOf.ts"
import type { RestingEndpoints } from "./restingEndpoints.ts"

export interface Delivering {
  readonly mode: Mode
  readonly allowInsecure: PostRequest["allowInsecure"]
  readonly rests: RestingEndpoints
}

/** Cannot fail. Where we are at fault, the delivery is put off and its attempt counts for nothing. */
export const deliver = Effect.fnUntraced(
  function* ({ allowInsecure, mode, rests }: Delivering, delivery: ClaimedDelivery) {
    const beganMs = yield* Clock.currentTimeMillis
    const made = yield* attempt(mode, delivery, allowInsecure)
    const endedMs = yield* Clock.currentTimeMillis
    if (made.is === "answered") webhookAnswered(mode, endedMs - beganMs)
    const marking = markingOf(delivery, made, yield* Random.next)
    if (marking.outcome === "delivered") rests.succeeded(delivery.endpointId)
    if (marking.outcome === "failed") rests.failed(delivery.endpointId, endedMs)
    const marked = yield* mark(mode, marking)
    yield* tell(mode, marking, marked, made)
    if (marked.disabled !== null) yield* buryAll(mode)
  },
  (effect, delivering, delivery) => Effect.catchCause(effect, (cause) => putOff(delivering, delivery, cause)),
  // Ids only: a URL may hold a secret, and a payload is the caller's.
  (effect, { mode }, { deliveryId, endpointId, event }) =>
    Effect.annotateLogs(effect, {
      mode,
      delivery: deliveryId,
      endpoint: endpointId,
      event: event?.id ?? null
    })
)

/** Again and again while the lease lasts: the receiver has the event, and the database may be back in a moment. */
const mark = Effect.fnUntraced(function* (mode: Mode, marking: Marking) {
  const outbox = yield* WebhookOutbox
  return yield* within(
    webhookLeaseMs,
    Effect.retry(outbox.mark(mode, marking), Schedule.spaced(webhookLookMs))
  )
})

/**
 * What the endpoint's secret hinders is put off together, and the log is told once. The endpoint is not left out of
 * claims for that: what is queued for it meanwhile would look late to who watches the outbox.
 */
const putOff = Effect.fnUntraced(function* (
  { mode, rests }: Delivering,
  delivery: ClaimedDelivery,
  cause: Cause.Cause<unknown>
) {
  const outbox = yield* WebhookOutbox
  const error = Cause.squash(cause)
  const unsigned = error instanceof SecretUnreadable
  webhookAttempted(mode, "postponed")
  if (rests.postponed(delivery.endpointId, yield* Clock.currentTimeMillis))
    yield* unsigned
      ? Effect.annotateLogs(Effect.logError("webhooks cannot be signed"), { reason: error.reason })
      : logStorageFailure("deliver a webhook", cause)
  // Where this fails too, its lease ends.
  yield* Effect.catchCause(outbox.postpone(mode, delivery, unsigned), (problem) =>
    logStorageFailure("put a webhook delivery off", problem)
  )
})

/** What waits for an endpoint that has just been disabled; the relay meets what this leaves over. */
const buryAll = Effect.fnUntraced(function* (mode: Mode) {
  const outbox = yield* WebhookOutbox
  yield* Effect.repeat(outbox.bury(mode), { while: (buried) => buried >= webhookSweptTogetherMax })
})

const tell = (mode: Mode, marking: Marking, { disabled, held }: Marked, made: Attempt) => {
  if (!held) {
    webhookAttempted(mode, "lost")
    return Effect.logInfo("a webhook took so long that its delivery is another process's")
  }
  if (disabled !== null) webhookEndpointDisabled(mode, disabled)
  const ended = marking.nextAttemptMs === null
  webhookAttempted(mode, marking.outcome === "delivered" ? "delivered" : ended ? "dead" : "failed")
  if (marking.outcome === "delivered") return Effect.void
  return Effect.annotateLogs(
    disabled === null
      ? Effect.logDebug(ended ? "a webhook delivery is dead" : "a webhook was not delivered yet")
      : Effect.logWarning("a webhook endpoint was disabled"),
    {
      ...(made.is === "answered" && { status: made.status }),
      ...(made.is === "unanswered" && { reason: made.reason }),
      ...(disabled !== null && { disabled })
    }
  )
}
