/** Webhook endpoints (contract 4): made, shown, changed, given a new secret, removed, inside one organization and mode. */

import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import {
  type AssessmentUnavailable,
  type IdempotencyKeyReused,
  NotFound,
  ValidationFailed
} from "../api/Failures.ts"
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointRequest
} from "../api/WebhookEndpoint.ts"
import { listBody } from "../api/listOf.ts"
import type { Caller } from "../domain/Caller.ts"
import { webhookEndpointsMax } from "../Limits.ts"
import { idAtCursor, timeOrderedId } from "../storage/assessmentId.ts"
import { cutPage } from "../storage/cutPage.ts"
import { WebhookEndpoints } from "../storage/WebhookEndpoints.ts"
import { WebhookSecrets } from "../storage/WebhookSecrets.ts"
import { changesOf, endpointBody, endpointItem } from "./endpointBody.ts"
import { readOrUnavailable, writeOrUnavailable } from "./orUnavailable.ts"
import { firstAnswer, makeAnswering, replay, type SecretAnswer, type SecretCall } from "./secretAnswer.ts"
import { uuidOf } from "./uuidOf.ts"

export interface PageQuery {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: only what is older. */
  readonly cursor: string | null
}

/** Standard Webhooks: 32 random bytes. */
const newSecret = () => Redacted.make(`whsec_${randomBytes(32).toString("base64")}`)

const tooMany = () =>
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
      query: PageQuery,
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
      const stored = yield* WebhookEndpoints
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
        const answering = makeAnswering(secrets, call, secret, asked)
        const created = yield* writeOrUnavailable(
          "create a webhook endpoint",
          stored.create(caller, endpoint, sealed, webhookEndpointsMax, answering)
        )
        if (created._tag === "full") return yield* tooMany()
        if (created._tag === "answered") return yield* replay(secrets, call, asked, created)
        return firstAnswer(call, endpoint, secret)
      })

      const rotateSecret = Effect.fn("Endpoints.rotateSecret")(function* (call: SecretCall, id: string) {
        const { caller } = call
        const endpointId = yield* uuidOf(id)
        const secret = newSecret()
        const sealed = secrets.seal({ ...caller, endpointId }, secret)
        const asked = { operation: "rotate", endpointId }
        const answering = makeAnswering(secrets, call, secret, asked)
        const rotated = yield* writeOrUnavailable(
          "rotate a webhook secret",
          stored.rotate(caller, endpointId, sealed, answering)
        )
        if (rotated._tag === "unknown") return yield* new NotFound()
        if (rotated._tag === "answered") return yield* replay(secrets, call, asked, rotated)
        return firstAnswer(call, rotated.endpoint, secret)
      })

      const list = Effect.fn("Endpoints.list")(function* (
        caller: Caller,
        { cursor, limit }: PageQuery,
        requestId: string
      ) {
        const before = cursor === null ? undefined : idAtCursor(cursor)
        const found = yield* readOrUnavailable(
          "list webhook endpoints",
          stored.page(caller, { before, limit: limit + 1 })
        )
        const { nextCursor, rows } = cutPage(found, limit, ({ id }) => id)
        return listBody(caller.mode, rows.map(endpointItem), nextCursor, requestId)
      })

      const get = Effect.fn("Endpoints.get")(function* (caller: Caller, id: string, requestId: string) {
        const endpointId = yield* uuidOf(id)
        const found = yield* readOrUnavailable("read a webhook endpoint", stored.find(caller, endpointId))
        return found === undefined ? yield* new NotFound() : endpointBody(found, caller.mode, requestId)
      })

      const change = Effect.fn("Endpoints.change")(function* (
        caller: Caller,
        id: string,
        changes: WebhookEndpointChanges,
        requestId: string
      ) {
        const endpointId = yield* uuidOf(id)
        const changed = yield* writeOrUnavailable(
          "change a webhook endpoint",
          stored.update(caller, endpointId, changesOf(changes))
        )
        return changed === undefined ? yield* new NotFound() : endpointBody(changed, caller.mode, requestId)
      })

      const remove = Effect.fn("Endpoints.remove")(function* (caller: Caller, id: string) {
        const endpointId = yield* uuidOf(id)
        const removed = yield* writeOrUnavailable(
          "delete a webhook endpoint",
          stored.remove(caller, endpointId)
        )
        if (!removed) return yield* new NotFound()
      })

      return Endpoints.of({ create, list, get, change, rotateSecret, remove })
    })
  ).pipe(Layer.provide(WebhookEndpoints.layer))
}
