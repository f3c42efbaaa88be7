/** The client for Effect against a real server: the same keys and retries, and a typed error whenever there is no opinion. */

import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleRequest, exampleResponse } from "../../src/api/examples/examples.ts"
import { AssessmentUnavailable, errorEnvelope, IdempotencyKeyReused } from "../../src/api/Failures.ts"
import { exampleOutcome, exampleOutcomeRequest } from "../../src/api/examples/outcomeExamples.ts"
import { makeRiskClient } from "../../src/client/effectClient.ts"
import { type Script, type ScriptedService, scriptedService } from "../support/scriptedService.ts"

let service: ScriptedService
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

const ask = (rule: { attemptMs?: number; attemptsMax?: number } = {}) =>
  makeRiskClient({ baseUrl: service.url, key: Redacted.make("svc_test_x"), ...rule }).pipe(
    Effect.flatMap((client) => client.ask(exampleRequest)),
    Effect.withSpan("tool call"),
    Effect.provide(FetchHttpClient.layer)
  )

const json = { "content-type": "application/json" }

const opinion =
  (header: string): Script =>
  (response) =>
    response.writeHead(200, { ...json, "svc-risk-opinion": header }).end(JSON.stringify(exampleResponse))

const failing =
  (failure: AssessmentUnavailable | IdempotencyKeyReused, status: number): Script =>
  (response) =>
    response
      .writeHead(status, json)
      .end(JSON.stringify(errorEnvelope(failure, exampleResponse.request_id, "https://risk.example")))

describe("the client for Effect", () => {
  it("gives the opinion after connections that broke, under one key and within the span", async () => {
    service.play((response, heard, attempt) =>
      attempt < 3 ? response.destroy() : opinion("full")(response, heard, attempt)
    )
    expect(await Effect.runPromise(ask())).toEqual({ opinion: "full", assessment: exampleResponse })
    expect(service.heard).toHaveLength(3)
    expect(new Set(service.heard.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
    expect(service.heard[0]?.headers["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  it("fails with the service's own error, asked again only where that can help", async () => {
    service.play(failing(new AssessmentUnavailable({ retryAfterSeconds: 1 }), 503))
    expect(await Effect.runPromise(Effect.flip(ask({ attemptsMax: 2 })))).toBeInstanceOf(
      AssessmentUnavailable
    )
    expect(service.heard).toHaveLength(2)
    service.play(failing(new IdempotencyKeyReused({}), 409))
    expect(await Effect.runPromise(Effect.flip(ask()))).toBeInstanceOf(IdempotencyKeyReused)
    expect(service.heard).toHaveLength(1)
  })

  it("asks about the call of a tool by its name and its arguments", async () => {
    service.play(opinion("full"))
    const asking = makeRiskClient({ baseUrl: service.url, key: Redacted.make("svc_test_x") }).pipe(
      Effect.flatMap((client) =>
        client.askAboutTool({ server: "stripe", name: "create_refund", arguments: { amount: 500 } })
      ),
      Effect.provide(FetchHttpClient.layer)
    )
    expect(await Effect.runPromise(asking)).toMatchObject({ opinion: "full" })
    expect(JSON.parse(service.heard[0]?.body ?? "")).toEqual({
      action_type: "mcp__stripe__create_refund",
      environment: "production",
      metadata: { tool_call: { name: "create_refund", server: "stripe", arguments: { amount: 500 } } }
    })
  })

  it("reports what happened under one key", async () => {
    service.play((response, _, attempt) =>
      attempt < 2 ? response.destroy() : response.writeHead(200, json).end(JSON.stringify(exampleOutcome))
    )
    const reporting = makeRiskClient({ baseUrl: service.url, key: Redacted.make("svc_test_x") }).pipe(
      Effect.flatMap((client) =>
        client.report(exampleOutcome.assessment_id, exampleOutcomeRequest, { eventId: "call-1" })
      ),
      Effect.provide(FetchHttpClient.layer)
    )
    expect(await Effect.runPromise(reporting)).toEqual(exampleOutcome)
    expect(service.heard.map(({ headers }) => headers["idempotency-key"])).toEqual(["call-1", "call-1"])
  })

  it("has a bound", async () => {
    service.play(() => {})
    const error = await Effect.runPromise(Effect.flip(ask({ attemptMs: 50, attemptsMax: 1 })))
    expect(error._tag).toBe("TimeoutError")
  })

  it.each(["partial", "none", ""])("does not accept an opinion whose header says %o", async (header) => {
    service.play(opinion(header))
    expect((await Effect.runPromise(Effect.flip(ask())))._tag).toBe("NotUnderstood")
  })

  it.each([429, 502, 503, 504])("asks again after a %s of a proxy", async (status) => {
    service.play((response, heard, attempt) =>
      attempt < 2
        ? response.writeHead(status, { "content-type": "text/html" }).end("<html>")
        : opinion("full")(response, heard, attempt)
    )
    expect(await Effect.runPromise(ask())).toEqual({ opinion: "full", assessment: exampleResponse })
    expect(new Set(service.heard.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  })

  it("does not follow a redirect with the action and the key", async () => {
    service.play((response, heard, attempt) =>
      heard.url === "/elsewhere"
        ? opinion("full")(response, heard, attempt)
        : response.writeHead(307, { location: `${service.url}/elsewhere` }).end()
    )
    expect((await Effect.runPromise(Effect.flip(ask())))._tag).toBe("HttpClientError")
    expect(service.heard).toHaveLength(1)
  })
})
