/** The typed client derived from the contract, against the running server. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { Authorization } from "../../src/api/Authorization.ts"
import { exampleRequest, exampleResponse } from "../../src/api/examples.ts"
import { ListeningServer } from "../../src/server/Http.ts"
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

  it.live("gets each refusal as its failure class", () =>
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

  it.live("gets what a catch by tag can tell apart", () =>
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
