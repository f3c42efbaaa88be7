/** The whole service on a real database, through the typed client and plain fetch. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { Api } from "../../src/api/Api.ts"
import type { AssessmentEvidence } from "../../src/api/Actions.ts"
import { Authorization } from "../../src/api/Authorization.ts"
import { exampleRequest } from "../../src/api/examples/examples.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { ApiKeys } from "../../src/storage/ApiKeys.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const service = fullService({ RATE_LIMIT_STORE: "postgres", RATE_LIMIT_TEST: "1000" })

const organization = Effect.suspend(() => newOrganization(`org-${randomUUID().slice(0, 8)}`))

const client = Effect.fnUntraced(function* (key: string) {
  const { url } = yield* ListeningServer
  const bearer = HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, key))
  )
  return yield* HttpApiClient.make(Api, {
    transformClient: HttpClient.mapRequest(HttpClientRequest.prependUrl(url))
  }).pipe(Effect.provide([bearer, FetchHttpClient.layer]))
})

describe("the service", () => {
  it.live("keeps what it answers: assessed, listed, read and replayed alike", () =>
    Effect.gen(function* () {
      const { url } = yield* ListeningServer
      const key = yield* newKey(yield* organization, "test")
      const { actions, assessments } = yield* client(key)
      const assess = actions.assessAction({ headers: { "idempotency-key": "one" }, payload: exampleRequest })
      const first = yield* assess
      expect(yield* assess).toEqual(first)
      const { data } = yield* actions.listActions({ query: { q: "SALESFORCE" } })
      expect(data.map(({ assessment_id }) => assessment_id)).toEqual([first.assessment_id])
      const params = { assessment_id: first.assessment_id }
      // Without If-None-Match there is always a body.
      const got = (yield* assessments.getAssessment({
        params,
        headers: {}
      })) as AssessmentEvidence
      const { evidence, input, ...stored } = got
      expect([stored, input]).toEqual([first, exampleRequest])
      expect(evidence.rules_digest).toMatch(/^[0-9a-f]{64}$/)

      const get = (etag: string) =>
        fetch(`${url}/api/v1/assessments/${first.assessment_id}`, {
          headers: { authorization: `Bearer ${key}`, "if-none-match": etag }
        })
      const read = yield* Effect.promise(() => get('"other"'))
      const again = yield* Effect.promise(() => get(`"x", W/${read.headers.get("etag")}`))
      expect([read.status, again.status]).toEqual([200, 304])
      expect(again.headers.get("cache-control")).toBe("private, no-cache")
    }).pipe(Effect.provide(service))
  )

  it.live("shows nothing to another organization, nor to the other mode", () =>
    Effect.gen(function* () {
      const owner = yield* organization
      const mine = yield* client(yield* newKey(owner, "test"))
      const { assessment_id } = yield* mine.actions.assessAction({ headers: {}, payload: exampleRequest })
      const strangers = [yield* newKey(owner, "live"), yield* newKey(yield* organization, "test")]
      for (const key of strangers) {
        const { actions, assessments } = yield* client(key)
        const missing = assessments.getAssessment({ params: { assessment_id }, headers: {} })
        expect(yield* Effect.flip(missing)).toMatchObject({ _tag: "NotFound" })
        expect((yield* actions.listActions({ query: {} })).data).toEqual([])
      }
      expect((yield* mine.actions.listActions({ query: {} })).data).toHaveLength(1)
    }).pipe(Effect.provide(service))
  )

  it.live("honours a revocation and another policy set within five seconds", () =>
    Effect.gen(function* () {
      const [revoked, moved] = [yield* organization, yield* organization]
      const { actions } = yield* client(yield* newKey(revoked, "live"))
      const assess = (yield* client(yield* newKey(moved, "test"))).actions.assessAction({
        headers: {},
        payload: exampleRequest
      })
      yield* actions.listActions({ query: {} })
      expect((yield* assess).policy_version).toMatch(/^starter@/)

      const keys = yield* ApiKeys
      const [key] = yield* keys.list(revoked)
      yield* keys.revoke(key?.id ?? "")
      yield* (yield* Organizations).setPolicySet(moved.slug, "none")
      yield* Effect.sleep(5_000)
      const refused = yield* Effect.flip(actions.listActions({ query: {} }))
      expect(refused).toMatchObject({ _tag: "InvalidApiKey" })
      expect((yield* assess).policy_version).toMatch(/^none@/)
    }).pipe(Effect.provide(service))
  )
})
