/** Webhook endpoints (contract 4): created, shown, changed, given a new secret, deleted, inside one organization and mode. */

import canonicalize from "canonicalize"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { hash, randomBytes } from "node:crypto"
import { AssessmentUnavailable, IdempotencyKeyReused, NotFound, ValidationFailed } from "../api/Failures.ts"
import { listBody } from "../api/Page.ts"
import type {
  WebhookEndpoint,
  WebhookEndpoint as WireEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointItem,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "../api/Webhooks.ts"
import type { Caller, Mode } from "../domain/Caller.ts"
import { webhookEndpointsMax } from "../limits.ts"
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
  /** A date-time: only what is older. */
  readonly cursor: string | null
}

/** Standard Webhooks: 32 random bytes. */
const newSecret = () => Redacted.make(`whsec_${randomBytes(32).toString("base64")}`)

const tooManyEndpoints = () =>
  new ValidationFailed({
    message: "the organization has as many webhook endpoints as it may have; delete one first",
    details: [{ field: "body", message: `there may be at most ${webhookEndpointsMax} endpoints in one mode` }]
  })

/** Ids are path segments: a malformed one, an unknown one, and one of another organization or mode are all alike. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The URL was checked. */
    readonly create: (
      call: SecretCall,
      wanted: WebhookEndpointRequest
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
    /** The URL, if any, was checked. */
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

      const create = Effect.fn("Endpoints.create")(function* (
        call: SecretCall,
        wanted: WebhookEndpointRequest
      ) {
        const { caller } = call
        const nowMs = yield* Clock.currentTimeMillis
        const endpoint = {
          id: timeOrderedId(nowMs * 1_000),
          url: wanted.url,
          events: wanted.events,
          minLevel: wanted.min_level ?? "low",
          enabled: wanted.enabled ?? true,
          description: wanted.description ?? null,
          createdAt: new Date(nowMs)
        } as const
        const secret = newSecret()
        const sealed = secrets.seal({ ...caller, endpointId: endpoint.id }, secret)
        const asked = { operation: "create", ...wanted }
        const answering = idempotentAnswer(secrets, call, secret, asked)
        const created = yield* writeOrUnavailable(
          "create a webhook endpoint",
          stored.create(caller, endpoint, sealed, webhookEndpointsMax, answering)
        )
        if (created._tag === "full") return yield* tooManyEndpoints()
        if (created._tag === "answered") return yield* replaySecretAnswer(secrets, call, asked, created)
        return firstSecretAnswer(call, endpoint, secret)
      })

      const rotateSecret = Effect.fn("Endpoints.rotateSecret")(function* (call: SecretCall, id: string) {
        const { caller } = call
        const endpointId = yield* idOrNotFound(id)
        const secret = newSecret()
        const sealed = secrets.seal({ ...caller, endpointId }, secret)
        const asked = { operation: "rotate", endpointId }
        const answering = idempotentAnswer(secrets, call, secret, asked)
        const rotated = yield* writeOrUnavailable(
          "rotate a webhook secret",
          stored.rotate(caller, endpointId, sealed, answering)
        )
        if (rotated._tag === "unknown") return yield* new NotFound()
        if (rotated._tag === "answered") return yield* replaySecretAnswer(secrets, call, asked, rotated)
        return firstSecretAnswer(call, rotated.endpoint, secret)
      })

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
        const removed = yield* writeOrUnavailable(
          "delete a webhook endpoint",
          stored.remove(caller, endpointId)
        )
        if (!removed) return yield* new NotFound()
      })

      return Endpoints.of({ create, list, get, change, rotateSecret, remove })
    })
  ).pipe(Layer.provide(EndpointRecords.layer))
}

/** An answer that shows a secret: remembered encrypted under its idempotency key, and repeated byte for byte. */
export interface SecretAnswer {
  /** The exact JSON text. */
  readonly body: string
  /** As the body has it: of a replay, the first request's. */
  readonly requestId: string
  readonly replayed: boolean
}

/** A request whose answer shows a secret. */
interface SecretCall {
  readonly caller: Caller
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

/** `asked`: what makes two requests the same, as JSON. */
const requestDigest = (asked: object): Uint8Array => hash("sha256", canonicalize(asked) ?? "", "buffer")

const idempotentAnswer = (
  secrets: WebhookSecrets["Service"],
  call: SecretCall,
  secret: Redacted.Redacted,
  asked: object
): AnswerToStore | null =>
  call.idempotencyKey === null
    ? null
    : {
        idempotencyKey: call.idempotencyKey,
        inputDigest: requestDigest(asked),
        sealedAnswer: (endpoint) =>
          secrets.seal(
            { ...call.caller, endpointId: endpoint.id },
            Redacted.make(secretAnswerText(call, endpoint, secret))
          )
      }

/** The first answer to the same request, or why there is none. */
const replaySecretAnswer = (
  secrets: WebhookSecrets["Service"],
  { caller }: SecretCall,
  asked: object,
  { answer, endpointId, inputDigest }: StoredSecretAnswer
): Effect.Effect<SecretAnswer, IdempotencyKeyReused | AssessmentUnavailable> =>
  Buffer.compare(inputDigest, requestDigest(asked)) !== 0
    ? Effect.fail(new IdempotencyKeyReused())
    : secrets.open({ ...caller, endpointId }, answer).pipe(
        Effect.tapError(({ reason }) =>
          Effect.logError("a remembered webhook secret cannot be read").pipe(Effect.annotateLogs({ reason }))
        ),
        Effect.mapError(webhooksUnavailable),
        Effect.map((opened) => {
          const body = Redacted.value(opened)
          // Invariant: `textOf` made it.
          const { request_id: requestId } = JSON.parse(body) as WebhookEndpointWithSecret
          return { body, requestId, replayed: true }
        })
      )

/** Endpoints in the wire's words. */
const endpointItem = (endpoint: StoredEndpoint): WebhookEndpointItem => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  min_level: endpoint.minLevel,
  enabled: endpoint.enabled,
  description: endpoint.description,
  created_at: endpoint.createdAt.toISOString()
})

const endpointBody = (endpoint: StoredEndpoint, mode: Mode, requestId: string): WireEndpoint => ({
  api_version: "v1",
  environment_mode: mode,
  ...endpointItem(endpoint),
  request_id: requestId
})

const toStoredChanges = ({ min_level, ...changes }: WebhookEndpointChanges): EndpointChanges =>
  min_level === undefined ? changes : { ...changes, minLevel: min_level }

/** An id as it stands in a path: a malformed one is as unknown as one of somebody else. */
export const idOrNotFound = (segment: string): Effect.Effect<string, NotFound> => {
  const id = asUuid(segment)
  return id === undefined ? Effect.fail(new NotFound()) : Effect.succeed(id)
}

/** Storage as these use cases see it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */
const webhooksUnavailable = () =>
  new AssessmentUnavailable({ message: "the webhooks cannot be reached right now; send the request again" })

export const { read: readOrUnavailable, write: writeOrUnavailable } = withStorageErrors(webhooksUnavailable)
