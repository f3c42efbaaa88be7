/** The typed client derived from the contract, against the running server. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { Authorization } from "../../src/api/Authorization.ts"
import { exampleClosing, exampleRequest, exampleResponse } from "../../src/api/examples/examples.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { keys, storedId, testServer } from "../support/TestServer.ts"

const withKey = (key: string) =>
  HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, key))
  )

const client = (key: string) =>
  Effect.gen(function* () {
    const { url } = yield* ListeningServer
    return yield* HttpApiClient.make(Api, {
      transformClient: HttpClient.mapRequest(HttpClientRequest.prependUrl(url))
    })
  }).pipe(Effect.provide([withKey(key), FetchHttpClient.layer]))

const server = testServer({ settings: { rateLimitTest: 1_000 } })

describe("the typed client", () => {
  it.live("assesses, lists, gets and reads the status", () =>
    Effect.gen(function* () {
      const { actions, assessments, status } = yield* client(keys.test)
      const assessed = yield* actions.assessAction({
        headers: { "idempotency-key": "one", "svc-drill": "slow" },
        payload: exampleRequest
      })
      expect(assessed).toMatchObject({
        action_risk: exampleResponse.action_risk,
        summary: exampleResponse.summary
      })
      const page = yield* actions.listActions({ query: { limit: 25, q: "sales force+" } })
      expect(page.data[0]?.assessment_id).toBe(storedId)
      const evidence = yield* assessments.getAssessment({ params: { assessment_id: storedId }, headers: {} })
      expect(evidence).toMatchObject({
        evidence: { sequence: null },
        input: { metadata: { ticket: "OPS-1842" } }
      })
      expect((yield* status.getStatus()).status).toBe("operational")
    }).pipe(Effect.provide(server))
  )

  it.live("lists, gets and closes reviews", () =>
    Effect.gen(function* () {
      const { reviews } = yield* client(keys.test)
      const page = yield* reviews.listReviews({ query: { state: "closed", limit: 1 } })
      expect(page.data[0]).toMatchObject({ id: storedId, reasons: ["level"] })
      const params = { review_id: storedId }
      expect(yield* reviews.getReview({ params })).toMatchObject({ state: "closed" })
      const closed = yield* reviews.closeReview({ params, payload: exampleClosing })
      expect(closed).toMatchObject({ ...exampleClosing, environment_mode: "test" })
      const missing = { review_id: "00000000-0000-7000-8000-000000000000" }
      const refused = yield* Effect.flip(reviews.closeReview({ params: missing, payload: exampleClosing }))
      expect(refused).toMatchObject({ _tag: "NotFound" })
    }).pipe(Effect.provide(server))
  )

  it.live("creates, changes, tests and deletes webhook endpoints, and redelivers", () =>
    Effect.gen(function* () {
      const { webhookDeliveries, webhookEndpoints } = yield* client(keys.test)
      const created = yield* webhookEndpoints.createWebhookEndpoint({
        headers: { "idempotency-key": "one" },
        payload: { url: "https://hooks.example/", events: ["assessment.critical"] }
      })
      expect(created.secret).toMatch(/^whsec_/)
      const page = yield* webhookEndpoints.listWebhookEndpoints({ query: { limit: 5 } })
      expect(page.data[0]?.min_level).toBe("high")
      const params = { endpoint_id: storedId }
      expect(yield* webhookEndpoints.getWebhookEndpoint({ params })).not.toHaveProperty("secret")
      const changes = { min_level: "critical", description: null } as const
      const changed = yield* webhookEndpoints.changeWebhookEndpoint({ params, payload: changes })
      expect(changed.enabled).toBe(true)
      const rotated = yield* webhookEndpoints.rotateWebhookSecret({ params, headers: {} })
      expect(rotated.secret).toMatch(/^whsec_/)
      const { delivery_id } = yield* webhookEndpoints.testWebhookEndpoint({ params })
      expect(delivery_id).toMatch(/^[0-9a-f-]{36}$/)
      const failed = yield* webhookDeliveries.listWebhookDeliveries({ params, query: { status: "failed" } })
      expect(failed.data[0]).toMatchObject({ last_status: 503, type: "assessment.critical" })
      const again = yield* webhookDeliveries.redeliver({ params: { delivery_id: storedId } })
      expect(again.environment_mode).toBe("test")
      expect(yield* webhookEndpoints.deleteWebhookEndpoint({ params })).toBeUndefined()
    }).pipe(Effect.provide(server))
  )

  it.live("fails with the failure class of each error", () =>
    Effect.gen(function* () {
      const good = yield* client(keys.test)
      const bad = yield* client(keys.unknown)
      const missing = yield* Effect.flip(
        good.assessments.getAssessment({
          params: { assessment_id: "00000000-0000-7000-8000-000000000000" },
          headers: {}
        })
      )
      expect(missing).toMatchObject({ _tag: "NotFound", requestId: expect.stringMatching(/^req_/) })
      const refused = yield* Effect.flip(bad.actions.listActions({ query: {} }))
      expect(refused).toMatchObject({ _tag: "InvalidApiKey" })
    }).pipe(Effect.provide(server))
  )

  it.live("fails with errors that Effect.catchTag distinguishes", () =>
    Effect.gen(function* () {
      const { actions } = yield* client(keys.stagingOnly)
      const environment = yield* actions.assessAction({ headers: {}, payload: exampleRequest }).pipe(
        Effect.as("assessed"),
        Effect.catchTag("InvalidEnvironment", ({ code }) => Effect.succeed(code))
      )
      expect(environment).toBe("INVALID_ENVIRONMENT")
      const limited = yield* (yield* client(keys.test)).actions
        .assessAction({ headers: { "svc-drill": "rate-limited" }, payload: exampleRequest })
        .pipe(
          Effect.as(0),
          Effect.catchTag("RateLimited", ({ retryAfterSeconds }) => Effect.succeed(retryAfterSeconds))
        )
      expect(limited).toBeGreaterThanOrEqual(1)
    }).pipe(Effect.provide(server))
  )
})
