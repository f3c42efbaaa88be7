/** The client against a real server that answers correctly, with garbage, in part, slowly, or not at all. */

import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleRequest, exampleResponse } from "../../src/api/examples/examples.ts"
import { errorEnvelope, AssessmentUnavailable, NotFound, RateLimited } from "../../src/api/Failures.ts"
import { exampleOutcome } from "../../src/api/examples/outcomeExamples.ts"
import { actionRisk, type ClientOptions } from "../../src/client/actionRisk.ts"
import type { OutcomeReported } from "../../src/client/Reported.ts"
import { answerBytesMax } from "../../src/limits.ts"
import { seed, tries } from "../support/depth.ts"
import { freePort } from "../support/freePort.ts"
import { type Script, type ScriptedService, scriptedService } from "../support/scriptedService.ts"

let service: ScriptedService
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

const clientOf = (options: Partial<ClientOptions> = {}) =>
  actionRisk({ baseUrl: service.url, key: "svc_test_x", attemptMs: 2_000, ...options })

const opinion: Script = (response) =>
  response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(exampleResponse))

const unavailable = (seconds: number): Script => {
  const failure = new AssessmentUnavailable({ retryAfterSeconds: seconds })
  return (response) =>
    response
      .writeHead(503, { "svc-risk-opinion": "none", "retry-after": String(seconds) })
      .end(JSON.stringify(errorEnvelope(failure, "req_1", "")))
}

describe("a question", () => {
  it("is answered with the opinion of the service", async () => {
    service.play(opinion)
    expect(await clientOf().ask(exampleRequest)).toEqual({ opinion: "full", assessment: exampleResponse })
    const [heard] = service.heard
    expect(heard?.url).toBe("/api/v1/actions/assess")
    expect(heard?.headers).toMatchObject({
      authorization: "Bearer svc_test_x",
      "content-type": "application/json"
    })
    expect(JSON.parse(heard?.body ?? "")).toEqual(exampleRequest)
  })

  it("about a tool states its call, in production where no environment is stated", async () => {
    service.play(opinion)
    const args = { amount: 5, currency: "usd" }
    await clientOf().askAboutTool({
      name: "create_refund",
      server: "stripe",
      arguments: args,
      agent_id: "a",
      annotations: { destructiveHint: true },
      inputSchema: { type: "object" }
    })
    expect(JSON.parse(service.heard[0]?.body ?? "")).toEqual({
      action_type: "mcp__stripe__create_refund",
      environment: "production",
      agent_id: "a",
      metadata: {
        tool_call: {
          name: "create_refund",
          arguments: args,
          server: "stripe",
          annotations: { destructiveHint: true },
          input_schema: { type: "object" }
        }
      }
    })
  })

  it("keeps its key over all attempts, and another question has another one", async () => {
    service.play((response, heard, attempt) =>
      attempt < 3 ? response.destroy() : opinion(response, heard, attempt)
    )
    expect((await clientOf().ask(exampleRequest)).opinion).toBe("full")
    const keys = service.heard.map(({ headers }) => headers["idempotency-key"])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    service.play(opinion)
    await clientOf().ask(exampleRequest)
    await clientOf().ask(exampleRequest, { questionId: "toolu_01" })
    expect(service.heard[0]?.headers["idempotency-key"]).not.toBe(keys[0])
    expect(service.heard[1]?.headers["idempotency-key"]).toBe("toolu_01")
  })

  it("is retried if the service says so, and no more often than the rule allows", async () => {
    service.play(unavailable(0))
    expect(await clientOf({ attemptsMax: 2 }).ask(exampleRequest)).toMatchObject({
      opinion: "none",
      code: "ASSESSMENT_UNAVAILABLE",
      requestId: "req_1"
    })
    expect(service.heard).toHaveLength(2)
  })

  it("has its answer at once where the service asks to wait beyond the deadline", async () => {
    service.play((response) =>
      response
        .writeHead(429, { "retry-after": "60" })
        .end(JSON.stringify(errorEnvelope(new RateLimited({ retryAfterSeconds: 60 }), "req_2", "")))
    )
    expect(await clientOf().ask(exampleRequest)).toMatchObject({ code: "RATE_LIMITED", retryable: true })
    expect(service.heard).toHaveLength(1)
  })

  it("waits as long as the body says where that is longer than the header", async () => {
    service.play((response) =>
      response
        .writeHead(429, { "retry-after": "0" })
        .end(JSON.stringify(errorEnvelope(new RateLimited({ retryAfterSeconds: 60 }), "req_2", "")))
    )
    await clientOf().ask(exampleRequest)
    expect(service.heard).toHaveLength(1)
  })

  it("is timed out where no service answers", async () => {
    service.play(() => {})
    expect(await clientOf({ attemptMs: 60, attemptsMax: 2 }).ask(exampleRequest)).toMatchObject({
      opinion: "none",
      code: "TIMED_OUT",
      retryable: true
    })
    expect(service.heard).toHaveLength(2)
  })

  it("is timed out where the answer never ends", async () => {
    service.play((response) => response.writeHead(200, { "svc-risk-opinion": "full" }).write("{"))
    expect(await clientOf({ deadlineMs: 200 }).ask(exampleRequest)).toMatchObject({ code: "TIMED_OUT" })
  })

  it("ends when its caller gives it up, in an attempt and between two", async () => {
    service.play(() => {})
    const signal = AbortSignal.timeout(50)
    expect(await clientOf().ask(exampleRequest, { signal })).toMatchObject({
      code: "ABORTED",
      retryable: false
    })
    service.play(unavailable(3))
    const later = AbortSignal.timeout(150)
    expect(await clientOf().ask(exampleRequest, { signal: later })).toMatchObject({ code: "ABORTED" })
    service.play(opinion)
    expect(await clientOf().ask(exampleRequest, { signal: AbortSignal.abort() })).toMatchObject({
      code: "ABORTED"
    })
    expect(service.heard).toHaveLength(0)
  })

  it("says why no service could be reached", async () => {
    const port = await freePort()
    const client = clientOf({ baseUrl: `http://127.0.0.1:${port}`, attemptsMax: 1 })
    expect(await client.ask(exampleRequest)).toMatchObject({
      code: "UNREACHABLE",
      message: `the service cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`
    })
  })

  it("does not follow a redirect with the action and the key", async () => {
    service.play((response) => response.writeHead(307, { location: `${service.url}/elsewhere` }).end())
    expect(await clientOf().ask(exampleRequest)).toMatchObject({ code: "NOT_UNDERSTOOD" })
    expect(service.heard).toHaveLength(1)
  })

  it("reads no more than an answer may have", async () => {
    service.play((response) =>
      response.writeHead(200, { "svc-risk-opinion": "full" }).end(" ".repeat(answerBytesMax + 1))
    )
    expect(await clientOf().ask(exampleRequest)).toMatchObject({ code: "NOT_UNDERSTOOD" })
  })

  it("propagates headers with every attempt, without replacing those of the client", async () => {
    service.play((response, heard, attempt) =>
      attempt < 2 ? response.destroy() : opinion(response, heard, attempt)
    )
    let spans = 0
    const propagate = (headers: Record<string, string>) => {
      Object.assign(headers, { traceparent: `00-${++spans}`, Authorization: "Bearer other" })
    }
    await clientOf({ propagate }).ask(exampleRequest)
    expect(service.heard.map(({ headers }) => [headers["traceparent"], headers.authorization])).toEqual([
      ["00-1", "Bearer svc_test_x"],
      ["00-2", "Bearer svc_test_x"]
    ])
  })

  const circle: Record<string, unknown> = {}
  circle["self"] = circle

  it.each([
    ["JSON cannot say it", { ...exampleRequest, metadata: circle }, {}, "action"],
    ["it is no object", undefined, {}, "action"],
    ["its id cannot be a header", exampleRequest, { questionId: "two words" }, "idempotency-key"],
    ["its id is too long", exampleRequest, { questionId: "x".repeat(201) }, "idempotency-key"]
  ])("is refused without being sent where %s", async (_, action, options, field) => {
    service.play(opinion)
    expect(await clientOf().ask(action as typeof exampleRequest, options)).toMatchObject({
      opinion: "none",
      code: "VALIDATION_FAILED",
      details: [{ field }]
    })
    expect(service.heard).toHaveLength(0)
  })

  it("is refused where what should be propagated cannot be sent", async () => {
    const propagate = () => {
      throw new Error("no span")
    }
    expect(await clientOf({ propagate }).ask(exampleRequest)).toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("no span")
    })
  })
})

describe("a client", () => {
  it.each([
    [{ baseUrl: "risk.example" }],
    [{ baseUrl: "ftp://risk.example" }],
    [{ baseUrl: "https://user:word@risk.example" }],
    [{ key: "" }],
    [{ key: "svc_test_\n" }],
    [{ attemptsMax: 0 }],
    [{ deadlineMs: 1.5 }],
    [{ attemptMs: Number.POSITIVE_INFINITY }]
  ])("is not made where it could never work: %o", (options) => {
    expect(() => clientOf(options)).toThrow(TypeError)
  })

  it("keeps the path of a gateway", async () => {
    service.play(opinion)
    await clientOf({ baseUrl: `${service.url}/risk/` }).ask(exampleRequest)
    expect(service.heard[0]?.url).toBe("/risk/api/v1/actions/assess")
  })
})

type Misbehaviour = (bytes: Uint8Array, status: number, header: string) => Script

const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  garbage: (bytes, status, header) => (response) =>
    response.writeHead(status, { "svc-risk-opinion": header }).end(bytes),
  half: (bytes, status, header) => (response) => {
    const whole = Buffer.from(JSON.stringify(exampleResponse))
    response.writeHead(status, { "svc-risk-opinion": header, "content-length": whole.length })
    response.write(whole.subarray(0, bytes.length))
    setImmediate(() => response.destroy())
  },
  "a wrong length": (bytes, status) => (response) =>
    response.socket?.end(`HTTP/1.1 ${status} OK\r\ncontent-length: ${bytes.length}\r\n\r\n{`),
  "no HTTP": (bytes) => (response) => response.socket?.end(bytes),
  slowly: (bytes, status, header) => (response) => {
    response.writeHead(status, { "svc-risk-opinion": header }).write(bytes)
  },
  nothing: () => () => {}
}

describe("whatever a server does", () => {
  it("the client comes back in time with no opinion, and never rejects", async () => {
    const client = clientOf({ attemptMs: 40, deadlineMs: 120, attemptsMax: 2 })
    const one = fc.record({
      kind: fc.constantFrom(...Object.keys(misbehaviours)),
      bytes: fc.uint8Array({ maxLength: 300 }),
      status: fc.constantFrom(200, 201, 304, 400, 409, 429, 500, 502, 503),
      header: fc.constantFrom("full", "partial", "none", "")
    })
    await fc.assert(
      fc.asyncProperty(one, async ({ bytes, header, kind, status }) => {
        const misbehave = misbehaviours[kind]
        if (misbehave === undefined) throw new Error("no such kind")
        service.play(misbehave(bytes, status, header))
        const answer = await client.ask(exampleRequest)
        expect(answer).toMatchObject({ opinion: "none", message: expect.any(String) })
      }),
      { seed, numRuns: tries(600) }
    )
  }, 120_000)
})

describe("a report of what happened", () => {
  const event: OutcomeReported = { type: "executed", observed: { records_affected: 1_204 } }
  const id = exampleResponse.assessment_id

  it("is stored under one key over all attempts", async () => {
    service.play((response, _, attempt) =>
      attempt < 3 ? response.destroy() : response.writeHead(200).end(JSON.stringify(exampleOutcome))
    )
    expect(await clientOf().report(id, event, { eventId: "call-1" })).toEqual({
      reported: true,
      event: exampleOutcome
    })
    expect(service.heard).toHaveLength(3)
    for (const heard of service.heard) {
      expect(heard.url).toBe(`/api/v1/assessments/${id}/events`)
      expect(heard.headers["idempotency-key"]).toBe("call-1")
      expect(JSON.parse(heard.body)).toEqual(event)
    }
  })

  it("that the service refuses, or answers with something else, is not reported, with the reason", async () => {
    service.play((response) =>
      response.writeHead(404).end(JSON.stringify(errorEnvelope(new NotFound(), "req_3", "")))
    )
    expect(await clientOf().report("../x", event)).toMatchObject({
      reported: false,
      code: "NOT_FOUND",
      requestId: "req_3"
    })
    expect(service.heard[0]?.url).toBe("/api/v1/assessments/..%2Fx/events")
    service.play(opinion)
    expect(await clientOf().report(id, event)).toMatchObject({ reported: false, code: "NOT_UNDERSTOOD" })
  })
})
