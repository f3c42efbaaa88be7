/** Webhook endpoints (contract 4): creates, reads, changes and deletes them, and rotates their secrets. */

import canonicalize from "canonicalize"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { hash, randomBytes } from "node:crypto"
import { AssessmentUnavailable, IdempotencyKeyReused, NotFound, ValidationFailed } from "../api/Failures.ts"
import { listBody } from "../api/Scalars.ts"
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointItem,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "../api/Webhooks.ts"
import type { Caller, Mode } from "../domain/Caller.ts"
import { webhookEndpointsMax } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { withStorageErrors } from "../storage/storageErrors.ts"
import { asUuid, cursorPage, idAtCursor, timeOrderedId } from "../storage/timeOrderedId.ts"
import {
  type AnswerToStore,
  type EndpointChanges,
  EndpointRecords,
  type StoredEndpoint,
  type StoredSecretAnswer
} from "../storage/webhooks/EndpointRecords.ts"
import { WebhookSecrets } from "../storage/webhooks/WebhookSecrets.ts"

export interface EndpointQuery {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: the list starts with the next older item. */
  readonly cursor: string | null
}

/**
 * An id is the text of a path segment. A malformed id, an unknown id, and an id of another organization or mode all give the same
 * `NotFound`.
 */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The URL must have been checked by the caller. */
    readonly create: (
      call: SecretCall,
      fields: WebhookEndpointRequest
    ) => Effect.Effect<SecretAnswer, ValidationFailed | IdempotencyKeyReused | AssessmentUnavailable>
    readonly list: (
      caller: Caller,
      query: EndpointQuery,
      requestId: string
    ) => Effect.Effect<WebhookEndpointList, AssessmentUnavailable>
    readonly get: (
      caller: Caller,
      id: string,
      requestId: string
    ) => Effect.Effect<WebhookEndpoint, NotFound | AssessmentUnavailable>
    /** The URL, if any, must have been checked by the caller. */
    readonly change: (
      caller: Caller,
      id: string,
      changes: WebhookEndpointChanges,
      requestId: string
    ) => Effect.Effect<WebhookEndpoint, NotFound | AssessmentUnavailable>
    readonly rotateSecret: (
      call: SecretCall,
      id: string
    ) => Effect.Effect<SecretAnswer, NotFound | IdempotencyKeyReused | AssessmentUnavailable>
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, NotFound | AssessmentUnavailable>
  }
>()("action-risk/webhooks/Endpoints") {
  /** Needs `ResourceSql` and `WebhookSecrets`. */
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const stored = yield* EndpointRecords
      const secrets = yield* WebhookSecrets

      return Endpoints.of({ ...secretOperations(stored, secrets), ...plainOperations(stored) })
    })
  ).pipe(Layer.provide(EndpointRecords.layer))
}

type Records = EndpointRecords["Service"]
type Secrets = WebhookSecrets["Service"]

/** Operations whose answer contains a secret. */
const secretOperations = (stored: Records, secrets: Secrets) => {
  const create = Effect.fn("Endpoints.create")(function* (call: SecretCall, fields: WebhookEndpointRequest) {
    const { caller } = call
    const nowMs = yield* Clock.currentTimeMillis
    const endpoint = {
      id: timeOrderedId(nowMs * 1_000),
      url: fields.url,
      format: fields.format ?? "standard",
      events: fields.events,
      minLevel: fields.min_level ?? "low",
      enabled: fields.enabled ?? true,
      description: fields.description ?? null,
      createdAt: new Date(nowMs)
    } as const
    const secret = newSecret()
    const sealed = secrets.seal({ ...caller, endpointId: endpoint.id }, secret)
    const identity = { operation: "create", ...fields }
    const answerToStore = idempotentAnswer(secrets, call, secret, identity)
    const created = yield* writeOrUnavailable(
      "create a webhook endpoint",
      stored.create(caller, endpoint, sealed, webhookEndpointsMax, answerToStore)
    )
    if (created._tag === "full") return yield* tooManyEndpoints()
    if (created._tag === "answered") return yield* replaySecretAnswer(secrets, call, identity, created)
    return firstSecretAnswer(call, endpoint, secret)
  })

  const rotateSecret = Effect.fn("Endpoints.rotateSecret")(function* (call: SecretCall, id: string) {
    const { caller } = call
    const endpointId = yield* idOrNotFound(id)
    const secret = newSecret()
    const sealed = secrets.seal({ ...caller, endpointId }, secret)
    const identity = { operation: "rotate", endpointId }
    const answerToStore = idempotentAnswer(secrets, call, secret, identity)
    const rotated = yield* writeOrUnavailable(
      "rotate a webhook secret",
      stored.rotate(caller, endpointId, sealed, answerToStore)
    )
    if (rotated._tag === "unknown") return yield* new NotFound()
    if (rotated._tag === "answered") return yield* replaySecretAnswer(secrets, call, identity, rotated)
    return firstSecretAnswer(call, rotated.endpoint, secret)
  })

  return { create, rotateSecret }
}

/** Standard Webhooks: 32 random bytes. */
const newSecret = () => Redacted.make(`whsec_${randomBytes(32).toString("base64")}`)

const tooManyEndpoints = () =>
  new ValidationFailed({
    message: "the organization has the maximum number of webhook endpoints; delete one first",
    details: [{ field: "body", message: `there may be at most ${webhookEndpointsMax} endpoints in one mode` }]
  })

/** Operations whose answer contains no secret. */
const plainOperations = (stored: Records) => {
  const list = Effect.fn("Endpoints.list")(function* (
    caller: Caller,
    { cursor, limit }: EndpointQuery,
    requestId: string
  ) {
    const before = cursor === null ? undefined : idAtCursor(cursor)
    const found = yield* readOrUnavailable(
      "list webhook endpoints",
      stored.page(caller, { before, limit: limit + 1 })
    )
    const { nextCursor, rows } = cursorPage(found, limit, ({ id }) => id)
    return listBody(caller.mode, rows.map(endpointItem), nextCursor, requestId)
  })

  const get = Effect.fn("Endpoints.get")(function* (caller: Caller, id: string, requestId: string) {
    const endpointId = yield* idOrNotFound(id)
    const found = yield* readOrUnavailable("read a webhook endpoint", stored.find(caller, endpointId))
    return found === undefined ? yield* new NotFound() : endpointBody(found, caller.mode, requestId)
  })

  const change = Effect.fn("Endpoints.change")(function* (
    caller: Caller,
    id: string,
    changes: WebhookEndpointChanges,
    requestId: string
  ) {
    const endpointId = yield* idOrNotFound(id)
    const changed = yield* writeOrUnavailable(
      "change a webhook endpoint",
      stored.update(caller, endpointId, toStoredChanges(changes))
    )
    return changed === undefined ? yield* new NotFound() : endpointBody(changed, caller.mode, requestId)
  })

  const remove = Effect.fn("Endpoints.remove")(function* (caller: Caller, id: string) {
    const endpointId = yield* idOrNotFound(id)
    const removed = yield* writeOrUnavailable("delete a webhook endpoint", stored.remove(caller, endpointId))
    if (!removed) return yield* new NotFound()
  })

  return { list, get, change, remove }
}

/** An answer that contains a secret. Stored encrypted under its idempotency key, and replayed byte for byte. */
export interface SecretAnswer {
  /** The exact JSON text. */
  readonly body: string
  /** The request id inside `body`. In a replay, the id of the first request. */
  readonly requestId: string
  readonly replayed: boolean
}

/** A request whose answer contains a secret. */
interface SecretCall {
  readonly caller: Owner
  readonly requestId: string
  readonly idempotencyKey: string | null
}

const secretAnswerText = (
  { caller, requestId }: SecretCall,
  endpoint: StoredEndpoint,
  secret: Redacted.Redacted
) =>
  JSON.stringify({
    ...endpointBody(endpoint, caller.mode, requestId),
    secret: Redacted.value(secret)
  } satisfies WebhookEndpointWithSecret)

const firstSecretAnswer = (
  call: SecretCall,
  endpoint: StoredEndpoint,
  secret: Redacted.Redacted
): SecretAnswer => ({
  body: secretAnswerText(call, endpoint, secret),
  requestId: call.requestId,
  replayed: false
})

/** `identity`: JSON that is equal for two requests exactly if they are the same request. */
const requestDigest = (identity: object): Uint8Array => hash("sha256", canonicalize(identity) ?? "", "buffer")

/** The answer to store with the row; null without an idempotency key. */
const idempotentAnswer = (
  secrets: Secrets,
  call: SecretCall,
  secret: Redacted.Redacted,
  identity: object
): AnswerToStore | null =>
  call.idempotencyKey === null
    ? null
    : {
        idempotencyKey: call.idempotencyKey,
        inputDigest: requestDigest(identity),
        sealedAnswer: (endpoint) =>
          secrets.seal(
            { ...call.caller, endpointId: endpoint.id },
            Redacted.make(secretAnswerText(call, endpoint, secret))
          )
      }

/** Returns the first answer to the same request, or fails if the key was used for another request. */
const replaySecretAnswer = (
  secrets: Secrets,
  { caller }: SecretCall,
  identity: object,
  { answer, endpointId, inputDigest }: StoredSecretAnswer
): Effect.Effect<SecretAnswer, IdempotencyKeyReused | AssessmentUnavailable> =>
  Buffer.compare(inputDigest, requestDigest(identity)) !== 0
    ? Effect.fail(new IdempotencyKeyReused())
    : secrets.open({ ...caller, endpointId }, answer).pipe(
        Effect.tapError(({ reason }) =>
          Effect.logError("a remembered webhook secret cannot be read").pipe(Effect.annotateLogs({ reason }))
        ),
        Effect.mapError(webhooksUnavailable),
        Effect.map((opened) => {
          const body = Redacted.value(opened)
          // Invariant: `secretAnswerText` wrote it.
          const { request_id: requestId } = JSON.parse(body) as WebhookEndpointWithSecret
          return { body, requestId, replayed: true }
        })
      )

const endpointItem = (endpoint: StoredEndpoint): WebhookEndpointItem => ({
  id: endpoint.id,
  url: endpoint.url,
  format: endpoint.format,
  events: endpoint.events,
  min_level: endpoint.minLevel,
  enabled: endpoint.enabled,
  description: endpoint.description,
  created_at: endpoint.createdAt.toISOString()
})

const endpointBody = (endpoint: StoredEndpoint, mode: Mode, requestId: string): WebhookEndpoint => ({
  api_version: "v1",
  environment_mode: mode,
  ...endpointItem(endpoint),
  request_id: requestId
})

const toStoredChanges = ({ min_level, ...changes }: WebhookEndpointChanges): EndpointChanges =>
  min_level === undefined ? changes : { ...changes, minLevel: min_level }

/** The id in a path segment. A malformed id gives the same `NotFound` as a foreign one. */
export const idOrNotFound = (segment: string): Effect.Effect<string, NotFound> => {
  const id = asUuid(segment)
  return id === undefined ? Effect.fail(new NotFound()) : Effect.succeed(id)
}

const webhooksUnavailable = () =>
  new AssessmentUnavailable({ message: "the webhooks cannot be reached right now; send the request again" })

/** Each returns the result of a storage operation within a time limit, or ASSESSMENT_UNAVAILABLE. */
export const { read: readOrUnavailable, write: writeOrUnavailable } = withStorageErrors(webhooksUnavailable)
