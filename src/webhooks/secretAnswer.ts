/** An answer that shows a secret: remembered encrypted under its idempotency key, and repeated byte for byte. */

import canonicalize from "canonicalize"
import { Effect, Redacted } from "effect"
import { hash } from "node:crypto"
import type { WebhookEndpointWithSecret } from "../api/WebhookEndpoint.ts"
import { type AssessmentUnavailable, IdempotencyKeyReused } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import type { WebhookEndpoint } from "../storage/WebhookEndpoints.ts"
import type { Answered, Answering } from "../storage/webhookEndpoints/answers.ts"
import type { WebhookSecrets } from "../storage/WebhookSecrets.ts"
import { endpointBody } from "./endpointBody.ts"
import { unavailable } from "./orUnavailable.ts"

export interface SecretAnswer {
  /** The exact JSON text. */
  readonly body: string
  /** As the body has it: of a replay, the first request's. */
  readonly requestId: string
  readonly replayed: boolean
}

/** A request whose answer shows a secret. */
export interface SecretCall {
  readonly caller: Caller
  readonly requestId: string
  readonly idempotencyKey: string | null
}

const textOf = ({ caller, requestId }: SecretCall, endpoint: WebhookEndpoint, secret: Redacted.Redacted) =>
  JSON.stringify({
    ...endpointBody(endpoint, caller.mode, requestId),
    secret: Redacted.value(secret)
  } satisfies WebhookEndpointWithSecret)

export const firstAnswer = (
  call: SecretCall,
  endpoint: WebhookEndpoint,
  secret: Redacted.Redacted
): SecretAnswer => ({ body: textOf(call, endpoint, secret), requestId: call.requestId, replayed: false })

/** `asked`: what makes two requests the same, as JSON. */
const digestOf = (asked: object): Uint8Array => hash("sha256", canonicalize(asked) ?? "", "buffer")

export const makeAnswering = (
  secrets: WebhookSecrets["Service"],
  call: SecretCall,
  secret: Redacted.Redacted,
  asked: object
): Answering | null =>
  call.idempotencyKey === null
    ? null
    : {
        idempotencyKey: call.idempotencyKey,
        inputDigest: digestOf(asked),
        sealedAnswer: (endpoint) =>
          secrets.seal(
            { ...call.caller, endpointId: endpoint.id },
            Redacted.make(textOf(call, endpoint, secret))
          )
      }

/** The first answer to the same request, or why there is none. */
export const replay = (
  secrets: WebhookSecrets["Service"],
  { caller }: SecretCall,
  asked: object,
  { answer, endpointId, inputDigest }: Answered
): Effect.Effect<SecretAnswer, IdempotencyKeyReused | AssessmentUnavailable> =>
  Buffer.compare(inputDigest, digestOf(asked)) !== 0
    ? Effect.fail(new IdempotencyKeyReused())
    : secrets.open({ ...caller, endpointId }, answer).pipe(
        Effect.tapError(({ reason }) =>
          Effect.logError("a remembered webhook secret cannot be read").pipe(Effect.annotateLogs({ reason }))
        ),
        Effect.mapError(unavailable),
        Effect.map((opened) => {
          const body = Redacted.value(opened)
          // Invariant: `textOf` made it.
          const { request_id: requestId } = JSON.parse(body) as WebhookEndpointWithSecret
          return { body, requestId, replayed: true }
        })
      )
