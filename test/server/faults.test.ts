/** Faults behind the edge: the client gets an error envelope in time. */

import { Effect, Exit, Layer, Logger, Option, References, Scope } from "effect"
import { Agent, get } from "node:http"
import { describe, expect, it } from "vitest"
import { AssessmentUnavailable } from "../../src/api/Failures.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { key, posting, valid } from "../hostile/cases/Case.ts"
import { assessExample, keys, knownKeys, testServer } from "../support/TestServer.ts"
import { expectRefusal } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const unavailable = { code: "ASSESSMENT_UNAVAILABLE", opinion: "none" } as const

describe("a defect", () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
  const { port } = runServer(
    testServer({
      assess: () => Effect.die(new Error(`select secret from ${key}`)),
      loggers: new Set([logger])
    })
  )

  it("answers 503 and shows nothing of the defect; the log names only the request and the place", async () => {
    const [response] = await sendRaw(port(), posting(valid))
    expectRefusal(response, unavailable)
    expect(response?.body).not.toContain("secret")
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain("secret")
    const { annotations, message } = JSON.parse(lines[0] ?? "")
    expect(annotations.request_id).toBe(response?.headers["svc-request-id"])
    expect(JSON.stringify(message)).toContain("faults.test.ts")
  })
})

describe("a defect while a key is checked", () => {
  const scopes = Object.assign([], {
    includes: () => {
      throw new Error("broken")
    }
  })
  const { port } = runServer(
    testServer({
      findByHash: () =>
        Effect.succeed(
          Option.map(Option.fromUndefinedOr(knownKeys.get(keys.test)), (found) => ({
            ...found,
            caller: { ...found.caller, scopes }
          }))
        )
    }).pipe(Layer.provide(Layer.succeed(References.TracerEnabled, false)))
  )

  it("answers 503, also to the next request, whose key is cached and which starts no fiber", async () => {
    for (let i = 0; i < 2; i++) {
      const [response] = await sendRaw(port(), posting(valid))
      expectRefusal(response, unavailable)
      expect(response?.body).not.toContain("broken")
    }
  })
})

describe("an evaluation that hangs", () => {
  const { port } = runServer(testServer({ assess: () => Effect.uninterruptible(Effect.never) }))

  it("answers 503 within three seconds of the last byte", async () => {
    const startedMs = performance.now()
    const [response] = await sendRaw(port(), posting(valid))
    expectRefusal(response, unavailable)
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeGreaterThan(2_500)
    expect(tookMs).toBeLessThan(3_700)
  })
})

describe("a database that is down", () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
  const { port } = runServer(
    testServer({
      loggers: new Set([logger]),
      findByHash: () => Effect.die(new Error("connection refused")),
      settings: { rateLimitAnonymous: 2 }
    })
  )

  it("answers 503 and never 401 or 429, to keys that could be valid", async () => {
    for (let i = 0; i < 4; i++) {
      const responses = await sendRaw(port(), posting(valid))
      expect(responses).toHaveLength(1)
      expectRefusal(responses[0], unavailable)
    }
  })

  it("fills no log: many requests that meet it within a second share a line", async () => {
    lines.length = 0
    const startedMs = performance.now()
    await Promise.all(Array.from({ length: 40 }, () => sendRaw(port(), posting(valid))))
    const seconds = Math.ceil((performance.now() - startedMs) / 1_000)
    expect(lines.length).toBeLessThanOrEqual(seconds)
  })
})

describe("a rate limit store that is down", () => {
  const { port } = runServer(
    testServer({
      query: Effect.die(new Error("connection refused")),
      settings: { rateLimitStore: "postgres" }
    })
  )

  it("answers a key 503 and lets nothing of it pass uncounted", async () => {
    const responses = await sendRaw(port(), posting(valid))
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0], { code: "ASSESSMENT_UNAVAILABLE" })
  })

  it("still answers the status, and fails a request without a key for that reason", async () => {
    const [status] = await sendRaw(port(), request({ method: "GET", path: "/api/public/v1/status" }))
    expect(status?.status).toBe(200)
    const [nowhere] = await sendRaw(port(), request({ method: "GET", path: "/nowhere" }))
    expectRefusal(nowhere, { code: "NOT_FOUND" })
    const [garbage] = await sendRaw(port(), "hello\r\n\r\n")
    expectRefusal(garbage, { code: "MALFORMED_JSON" })
  })
})

describe("a failure of the use case", () => {
  const { port } = runServer(
    testServer({ assess: () => Effect.fail(new AssessmentUnavailable({ retryAfterSeconds: 7 })) })
  )

  it("carries its own retry-after in header and body", async () => {
    const [response] = await sendRaw(port(), posting(valid))
    expectRefusal(response, unavailable)
    expect(response?.headers["retry-after"]).toBe("7")
  })
})

describe("a client that leaves", () => {
  it("interrupts the work on its request", async () => {
    let interrupted = 0
    const scope = Scope.makeUnsafe()
    const assess = () =>
      Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted++
        })
      )
    const context = await Effect.runPromise(Layer.buildWithScope(testServer({ assess }), scope))
    const { port } = await Effect.runPromise(Effect.provide(Effect.service(ListeningServer), context))
    await sendRaw(port, posting(valid), { patienceMs: 100 })
    await expect.poll(() => interrupted).toBe(1)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

describe("a stop", () => {
  it("lets active requests finish, closes their connections, and refuses new ones", async () => {
    const scope = Scope.makeUnsafe()
    const assess: typeof assessExample = (call) => Effect.delay(assessExample(call), 300)
    const context = await Effect.runPromise(Layer.buildWithScope(testServer({ assess }), scope))
    const { port } = await Effect.runPromise(Effect.provide(Effect.service(ListeningServer), context))
    const underWay = sendRaw(port, posting(valid))
    const agent = new Agent({ keepAlive: true })
    const idle = await new Promise<number | undefined>((resolve) =>
      get({ port, agent, path: "/api/public/v1/status" }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode))
      })
    )
    expect(idle).toBe(200)
    const stopped = Effect.runPromise(Scope.close(scope, Exit.void))
    const [response] = await underWay
    expect(response).toMatchObject({ status: 200, headers: { connection: "close" } })
    await stopped
    agent.destroy()
    expect(await sendRaw(port, posting(valid))).toEqual([])
  })
})
