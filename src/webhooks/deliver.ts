/** One delivery from claim to outcome: build the payload, sign it, post it, decide on a retry, and record the outcome. */

import { Cause, Clock, Effect, Random, Redacted, Schedule } from "effect"
import { Webhook } from "standardwebhooks"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Json } from "../json/json.ts"
import type { Mode } from "../domain/Caller.ts"
import { disclaimer } from "../domain/Opinion.ts"
import {
  webhookDelaysSeconds,
  webhookFactorsMax,
  webhookJitterPercent,
  webhookLeaseMs,
  webhookPollMs,
  webhookRetryAfterSecondsMax,
  webhookSweepBatchMax
} from "../limits.ts"
import { webhookAnswered, webhookAttempted, webhookEndpointDisabled } from "../metrics.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { withTimeout } from "../storage/timeouts.ts"
import type {
  AssessmentContent,
  AttemptResult,
  ClaimedDelivery,
  DeliveredEvent,
  MarkResult
} from "../storage/webhooks/ClaimedDelivery.ts"
import { WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"
import { SecretUnreadable, WebhookSecrets } from "../storage/webhooks/WebhookSecrets.ts"
import type { CircuitBreaker } from "./circuitBreaker.ts"
import type { PostFailedReason } from "./egress/openConnection.ts"
import { post, type PostRequest } from "./egress/post.ts"

interface DeliveryContext {
  readonly mode: Mode
  readonly allowInsecure: PostRequest["allowInsecure"]
  readonly circuitBreaker: CircuitBreaker
}

/** Cannot fail. Where we are at fault, the delivery is put off and its attempt counts for nothing. */
export const deliver = Effect.fnUntraced(
  function* ({ allowInsecure, mode, circuitBreaker: rests }: DeliveryContext, delivery: ClaimedDelivery) {
    const beganMs = yield* Clock.currentTimeMillis
    const made = yield* attempt(mode, delivery, allowInsecure)
    const endedMs = yield* Clock.currentTimeMillis
    if (made.is === "answered") webhookAnswered(mode, endedMs - beganMs)
    const marking = toOutcome(delivery, made, yield* Random.next)
    if (marking.outcome === "delivered") rests.succeeded(delivery.endpointId)
    if (marking.outcome === "failed") rests.failed(delivery.endpointId, endedMs)
    const marked = yield* storeOutcome(mode, marking)
    yield* reportOutcome(mode, marking, marked, made)
    if (marked.disabled !== null) yield* markAllDead(mode)
  },
  (effect, delivering, delivery) =>
    Effect.catchCause(effect, (cause) => postpone(delivering, delivery, cause)),
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
const storeOutcome = Effect.fnUntraced(function* (mode: Mode, marking: AttemptResult) {
  const outbox = yield* WebhookOutbox
  return yield* withTimeout(
    webhookLeaseMs,
    Effect.retry(outbox.mark(mode, marking), Schedule.spaced(webhookPollMs))
  )
})

/**
 * What the endpoint's secret hinders is put off together, and the log is told once. The endpoint is not left out of
 * claims for that: what is queued for it meanwhile would look late to who watches the outbox.
 */
const postpone = Effect.fnUntraced(function* (
  { mode, circuitBreaker: rests }: DeliveryContext,
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
const markAllDead = Effect.fnUntraced(function* (mode: Mode) {
  const outbox = yield* WebhookOutbox
  yield* Effect.repeat(outbox.markDead(mode), { while: (buried) => buried >= webhookSweepBatchMax })
})

const reportOutcome = (mode: Mode, marking: AttemptResult, { disabled, held }: MarkResult, made: Attempt) => {
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

/** One attempt to deliver a webhook: make it, sign it, post it, and say what became of it. */
type Attempt =
  | { readonly is: "answered"; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly is: "unanswered"; readonly reason: PostFailedReason }
  /** What it would tell of was erased. */
  | { readonly is: "untellable" }

/** Takes as long as `post` takes at most. */
const attempt = Effect.fnUntraced(function* (
  mode: Mode,
  delivery: ClaimedDelivery,
  allowInsecure: PostRequest["allowInsecure"]
): Effect.fn.Return<Attempt, SecretUnreadable, WebhookSecrets> {
  const { event } = delivery
  if (event === null) return { is: "untellable" }
  const secrets = yield* openSecrets(mode, delivery)
  return yield* signAndPost(delivery, event, webhookPayload(mode, event), secrets, allowInsecure)
})

const openSecrets = Effect.fnUntraced(function* (mode: Mode, delivery: ClaimedDelivery) {
  const { endpointId, organizationId, previousSecret, secret } = delivery
  const { open } = yield* WebhookSecrets
  const context = { organizationId, mode, endpointId }
  const newest = yield* open(context, secret)
  if (previousSecret === null) return [newest]
  // The receiver has the newest, or will have it within the day: that is reason enough to send.
  const previous = yield* Effect.option(open(context, previousSecret))
  return previous._tag === "Some" ? [newest, previous.value] : [newest]
})

const signAndPost = Effect.fnUntraced(function* (
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

/**
 * The body of a webhook, a pure function of stored rows: every attempt of an event sends the same bytes.
 * Thin: under 20 KB however long the list of factors, and nothing that a caller wrote freely. Who wants more follows the
 * link, with a key.
 */
export const webhookPayload = (mode: Mode, event: DeliveredEvent): string => {
  const { createdAt, id, content: tells, type } = event
  return JSON.stringify({
    id,
    type,
    timestamp: createdAt.toISOString(),
    api_version: "v1",
    environment_mode: mode,
    data: tells.of === "data" ? tells.data : assessmentData(type, tells),
    disclaimer
  })
}

const assessmentData = (type: DeliveredEvent["type"], tells: AssessmentContent): Json => {
  // Invariant: these are the bytes that this service encoded and stored, and rows never change.
  const answer = JSON.parse(Buffer.from(tells.response).toString("utf8")) as AssessmentResponse
  const { action_risk, blast_radius, recommended_control } = answer
  return {
    assessment_id: answer.assessment_id,
    action_id: answer.action_id,
    request_id: answer.request_id,
    normalized_action_type: answer.normalized_action_type,
    action_category: answer.action_category,
    environment: tells.environment,
    action_risk: {
      score: action_risk.score,
      level: action_risk.level,
      confidence: action_risk.confidence,
      range: { low: action_risk.range.low, high: action_risk.range.high }
    },
    blast_radius: { score: blast_radius.score, level: blast_radius.level },
    risk_factors: answer.risk_factors
      .slice(0, webhookFactorsMax)
      .map(({ code, severity }) => ({ code, severity })),
    recommended_control: { type: recommended_control.type, priority: recommended_control.priority },
    ...reviewData(type, tells),
    // A path, to be read below the base URL that the receiver knows: no payload says where to send a key.
    links: { assessment: `/api/v1/assessments/${answer.assessment_id}` }
  }
}

/** A review has the id of its assessment. Only the event of its closing tells the outcome, which cannot change any more. */
const reviewData = (type: DeliveredEvent["type"], { assessmentId, outcome }: AssessmentContent) => {
  if (type === "review.opened") return { review_id: assessmentId }
  return type === "review.closed" ? { review_id: assessmentId, outcome } : {}
}

/** The headers of Standard Webhooks, whose library makes the signatures. */
interface Signing {
  /** The same for every attempt and every redelivery of an event. */
  readonly eventId: string
  /** Milliseconds since 1970. */
  readonly sentAtMs: number
  readonly body: string
  /** `whsec_…`, newest first: one signature for each, so that either may be in use while a secret rotates. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

const signedHeaders = ({ body, eventId, secrets, sentAtMs }: Signing): Record<string, string> => ({
  "webhook-id": eventId,
  "webhook-timestamp": String(Math.floor(sentAtMs / 1_000)),
  "webhook-signature": secrets
    .map((secret) => new Webhook(Redacted.value(secret)).sign(eventId, new Date(sentAtMs), body))
    .join(" ")
})

/** What an attempt means for its delivery: made, to be made again, or dead. */
const httpGone = 410

/** `random`: in [0, 1). */
const toOutcome = (delivery: ClaimedDelivery, attempt: Attempt, random: number): AttemptResult => {
  const { attempts, deliveryId, organizationId, token, url } = delivery
  const own = { organizationId, deliveryId, token, url }
  const failedAttempt = attempts + 1
  switch (attempt.is) {
    case "untellable":
      return { ...own, outcome: "unmade", answered: null, nextAttemptMs: null }
    case "unanswered": {
      const next = retryDelayMs({ attempt: failedAttempt, retryAfterSeconds: null, random })
      return { ...own, outcome: "failed", answered: null, nextAttemptMs: next }
    }
    case "answered": {
      const { retryAfterSeconds, status } = attempt
      const answered = { ...own, answered: status, nextAttemptMs: null }
      if (status >= 200 && status < 300) return { ...answered, outcome: "delivered" }
      if (status === httpGone) return { ...answered, outcome: "gone" }
      const next = retryDelayMs({ attempt: failedAttempt, retryAfterSeconds, random })
      return { ...answered, outcome: "failed", nextAttemptMs: next }
    }
  }
}

/** When a delivery that failed is tried again. */
interface FailedAttempt {
  /** From 1. */
  readonly attempt: number
  /** What the receiver asked for; null where it asked for nothing. */
  readonly retryAfterSeconds: number | null
  /** In [0, 1). */
  readonly random: number
}

/**
 * Milliseconds until the next attempt; null after the last. A receiver may ask for a later attempt, within a bound, and
 * never for an earlier one: who answers an error with `retry-after: 0` would be sent everything at once.
 */
export const retryDelayMs = ({ attempt, random, retryAfterSeconds }: FailedAttempt): number | null => {
  const seconds = webhookDelaysSeconds[attempt - 1]
  if (seconds === undefined) return null
  const share = 1 + ((2 * random - 1) * webhookJitterPercent) / 100
  const asked = Math.min(retryAfterSeconds ?? 0, webhookRetryAfterSecondsMax)
  return Math.ceil(1_000 * Math.max(seconds * share, asked))
}
