/** One delivery from claim to outcome: prepares the request, makes the HTTP call, decides on a retry, and stores the result. */

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
import { monotonicNow, withTimeout } from "../storage/timeouts.ts"
import type { AttemptResult, MarkResult } from "../storage/webhooks/AttemptResult.ts"
import type {
  AssessmentContent,
  ClaimedDelivery,
  DeliveredEvent
} from "../storage/webhooks/ClaimedDelivery.ts"
import { WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"
import { SecretUnreadable, WebhookSecrets } from "../storage/webhooks/WebhookSecrets.ts"
import { chatMessage } from "./chatMessage.ts"
import type { CircuitBreaker } from "./circuitBreaker.ts"
import type { PostFailedReason } from "./egress/openConnection.ts"
import { post, type PostRequest } from "./egress/post.ts"

/**
 * Cannot fail. If the service itself is at fault (its database, or a secret that it cannot read), the delivery is postponed and no attempt
 * is counted.
 */
export const deliver = Effect.fnUntraced(
  function* (context: DeliveryContext, delivery: ClaimedDelivery) {
    const { circuitBreaker, mode } = context
    const startedMs = yield* monotonicNow
    const request = yield* prepareRequest(context, delivery)
    const attempt: Attempt = request === null ? { is: "erased" } : yield* makeHttpCall(request)
    const endedMs = yield* monotonicNow
    if (attempt.is === "answered") webhookAnswered(mode, endedMs - startedMs)
    const result = toResult(delivery, attempt, yield* Random.next)
    if (result.outcome === "delivered") circuitBreaker.succeeded(delivery.endpointId)
    if (result.outcome === "failed") circuitBreaker.failed(delivery.endpointId, endedMs)
    const stored = yield* storeResult(mode, result)
    yield* reportResult(mode, result, stored, attempt)
    if (stored.disabled !== null) yield* markAllDead(mode)
  },
  (effect, context, delivery) => Effect.catchCause(effect, (cause) => postpone(context, delivery, cause)),
  // Logs only ids: a URL may contain a secret, and a payload contains the caller's data.
  (effect, { mode }, { deliveryId, endpointId, event }) =>
    Effect.annotateLogs(effect, {
      mode,
      delivery: deliveryId,
      endpoint: endpointId,
      event: event?.id ?? null
    })
)

interface DeliveryContext {
  readonly mode: Mode
  readonly allowInsecure: PostRequest["allowInsecure"]
  /** The console's address; null if unknown. */
  readonly consoleUrl: string | null
  readonly circuitBreaker: CircuitBreaker
}

type Attempt =
  | { readonly is: "answered"; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly is: "unanswered"; readonly reason: PostFailedReason }
  /** Nothing was sent, because the event's assessment was erased. */
  | { readonly is: "erased" }

/** The signed request of a delivery; null if the event's assessment was erased. */
const prepareRequest = Effect.fnUntraced(function* (
  { allowInsecure, consoleUrl, mode }: DeliveryContext,
  delivery: ClaimedDelivery
) {
  const { event, format, url } = delivery
  if (event === null) return null
  const secrets = yield* openSecrets(mode, delivery)
  const body =
    format === "standard" ? webhookPayload(mode, event) : chatMessage(format, mode, event, consoleUrl)
  const sentAtMs = yield* Clock.currentTimeMillis
  const headers = {
    "content-type": "application/json",
    "user-agent": "action-risk-webhooks/1",
    ...signedHeaders({ eventId: event.id, sentAtMs, body, secrets })
  }
  return { url, headers, body, allowInsecure } satisfies PostRequest
})

/** The secrets used for signing, newest first. */
const openSecrets = Effect.fnUntraced(function* (mode: Mode, delivery: ClaimedDelivery) {
  const { endpointId, organizationId, previousSecret, secret } = delivery
  const { open } = yield* WebhookSecrets
  const owner = { organizationId, mode, endpointId }
  const newest = yield* open(owner, secret)
  if (previousSecret === null) return [newest]
  // An unreadable previous secret is skipped: the receiver has the newest secret, or will have it within the day.
  const previous = yield* Effect.option(open(owner, previousSecret))
  return previous._tag === "Some" ? [newest, previous.value] : [newest]
})

/**
 * The body of a standard webhook. Depends only on stored rows, so every attempt for an event sends the same bytes. It is under 20 KB
 * however long the list of factors is, and contains no free text of the caller. A receiver that wants more follows the link with an API
 * key.
 */
export const webhookPayload = (mode: Mode, event: DeliveredEvent): string => {
  const { content, createdAt, id, type } = event
  return JSON.stringify({
    id,
    type,
    timestamp: createdAt.toISOString(),
    api_version: "v1",
    environment_mode: mode,
    data: content.of === "data" ? content.data : assessmentData(type, content),
    disclaimer
  })
}

const assessmentData = (type: DeliveredEvent["type"], content: AssessmentContent): Json => {
  // Invariant: this service encoded these bytes, and stored rows never change.
  const answer = JSON.parse(Buffer.from(content.response).toString("utf8")) as AssessmentResponse
  const { action_risk, blast_radius, recommended_control } = answer
  return {
    assessment_id: answer.assessment_id,
    action_id: answer.action_id,
    request_id: answer.request_id,
    normalized_action_type: answer.normalized_action_type,
    action_category: answer.action_category,
    environment: content.environment,
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
    ...reviewData(type, content),
    // Only a path, relative to the base URL that the receiver knows: no payload tells a receiver where to send its API key.
    links: { assessment: `/api/v1/assessments/${answer.assessment_id}` }
  }
}

/** A review has the id of its assessment. Only `review.closed` contains the outcome, which cannot change any more. */
const reviewData = (type: DeliveredEvent["type"], { assessmentId, outcome }: AssessmentContent) => {
  if (type === "review.closed") return { review_id: assessmentId, outcome }
  return type === "review.opened" || type === "review.overdue" ? { review_id: assessmentId } : {}
}

interface SignedMessage {
  /** The same for every attempt and every redelivery of an event. */
  readonly eventId: string
  /** Milliseconds since 1970. */
  readonly sentAtMs: number
  readonly body: string
  /** `whsec_…`, newest first. Each makes one signature, so that the receiver can use either while a secret rotates. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The headers of Standard Webhooks. */
const signedHeaders = ({ body, eventId, secrets, sentAtMs }: SignedMessage): Record<string, string> => ({
  "webhook-id": eventId,
  "webhook-timestamp": String(Math.floor(sentAtMs / 1_000)),
  "webhook-signature": secrets
    .map((secret) => new Webhook(Redacted.value(secret)).sign(eventId, new Date(sentAtMs), body))
    .join(" ")
})

/** Takes no longer than `post` does. */
const makeHttpCall = (request: PostRequest): Effect.Effect<Attempt> =>
  post(request).pipe(
    Effect.map((posted): Attempt => ({ is: "answered", ...posted })),
    Effect.catchTag("PostFailed", ({ reason }) => Effect.succeed<Attempt>({ is: "unanswered", reason }))
  )

/** `random` is in [0, 1). */
const toResult = (delivery: ClaimedDelivery, attempt: Attempt, random: number): AttemptResult => {
  const { deliveryId, organizationId, token, url } = delivery
  const claimed = { organizationId, deliveryId, token, url }
  if (attempt.is === "erased") return { ...claimed, outcome: "unmade", answered: null, nextAttemptMs: null }
  const status = attempt.is === "answered" ? attempt.status : null
  const isSuccess = status !== null && status >= 200 && status < 300
  return isSuccess
    ? { ...claimed, outcome: "delivered", answered: status, nextAttemptMs: null }
    : { ...claimed, ...handleFailure(delivery, attempt, random), answered: status }
}

/** The status with which a receiver says that it wants no more deliveries. */
const httpGone = 410

const handleFailure = (
  { attempts }: ClaimedDelivery,
  attempt: Exclude<Attempt, { readonly is: "erased" }>,
  random: number
): Pick<AttemptResult, "outcome" | "nextAttemptMs"> => {
  const isAnswered = attempt.is === "answered"
  if (isAnswered && attempt.status === httpGone) return { outcome: "gone", nextAttemptMs: null }
  const retryAfterSeconds = isAnswered ? attempt.retryAfterSeconds : null
  const failedAttempt = { attempt: attempts + 1, retryAfterSeconds, random }
  return { outcome: "failed", nextAttemptMs: calculateRetryDelayMs(failedAttempt) }
}

interface FailedAttempt {
  /** From 1. */
  readonly attempt: number
  /** The wait requested by the receiver; null if it requested none. */
  readonly retryAfterSeconds: number | null
  /** In [0, 1). */
  readonly random: number
}

/**
 * Milliseconds until the next attempt; null after the last one. A receiver can request a later attempt, within a limit, but not an earlier
 * one: otherwise a receiver that answers every error with `retry-after: 0` would get all attempts at once.
 */
export const calculateRetryDelayMs = ({
  attempt,
  random,
  retryAfterSeconds
}: FailedAttempt): number | null => {
  const seconds = webhookDelaysSeconds[attempt - 1]
  if (seconds === undefined) return null
  const jitter = 1 + ((2 * random - 1) * webhookJitterPercent) / 100
  const requestedSeconds = Math.min(retryAfterSeconds ?? 0, webhookRetryAfterSecondsMax)
  return Math.ceil(1_000 * Math.max(seconds * jitter, requestedSeconds))
}

/** Retries until the lease ends, because the receiver already has the event and the database may recover in a moment. */
const storeResult = Effect.fnUntraced(function* (mode: Mode, result: AttemptResult) {
  const outbox = yield* WebhookOutbox
  return yield* withTimeout(
    webhookLeaseMs,
    Effect.retry(outbox.mark(mode, result), Schedule.spaced(webhookPollMs))
  )
})

const reportResult = (
  mode: Mode,
  { nextAttemptMs, outcome }: AttemptResult,
  { disabled, held }: MarkResult,
  attempt: Attempt
) => {
  if (!held) {
    webhookAttempted(mode, "lost")
    return Effect.logInfo("a webhook took so long that another process took over its delivery")
  }
  if (disabled !== null) webhookEndpointDisabled(mode, disabled)
  const isLast = nextAttemptMs === null
  webhookAttempted(mode, outcome === "delivered" ? "delivered" : isLast ? "dead" : "failed")
  if (outcome === "delivered") return Effect.void
  return Effect.annotateLogs(
    disabled === null
      ? Effect.logDebug(isLast ? "a webhook delivery is dead" : "a webhook was not delivered yet")
      : Effect.logWarning("a webhook endpoint was disabled"),
    {
      ...(attempt.is === "answered" && { status: attempt.status }),
      ...(attempt.is === "unanswered" && { reason: attempt.reason }),
      ...(disabled !== null && { disabled })
    }
  )
}

/** Marks the deliveries waiting for an endpoint that was just disabled as dead. The relay's sweep catches those that this misses. */
const markAllDead = Effect.fnUntraced(function* (mode: Mode) {
  const outbox = yield* WebhookOutbox
  yield* Effect.repeat(outbox.markDead(mode), { while: (ended) => ended >= webhookSweepBatchMax })
})

/**
 * Postpones a delivery. If the secret of an endpoint cannot be read, postpones all its due deliveries together and logs it once. The
 * endpoint still takes part in claims; otherwise deliveries queued for it in that time would look late in the outbox's statistics.
 */
const postpone = Effect.fnUntraced(function* (
  { circuitBreaker, mode }: DeliveryContext,
  delivery: ClaimedDelivery,
  cause: Cause.Cause<unknown>
) {
  const outbox = yield* WebhookOutbox
  const error = Cause.squash(cause)
  const isUnsigned = error instanceof SecretUnreadable
  webhookAttempted(mode, "postponed")
  if (circuitBreaker.postponed(delivery.endpointId, yield* monotonicNow))
    yield* isUnsigned
      ? Effect.annotateLogs(Effect.logError("webhooks cannot be signed"), { reason: error.reason })
      : logStorageFailure("deliver a webhook", cause)
  // If this fails too, the delivery becomes free when its lease ends.
  yield* Effect.catchCause(outbox.postpone(mode, delivery, isUnsigned), (problem) =>
    logStorageFailure("put a webhook delivery off", problem)
  )
})
