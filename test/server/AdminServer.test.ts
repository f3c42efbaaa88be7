/** The operator's listener: its probes and metrics, which the API's listener does not have. */

import { Deferred, Effect, Exit, Layer, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { statusRefreshMs } from "../../src/limits.ts"
import { rateLimited, requestAnswered } from "../../src/metrics.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { posting, valid } from "../hostile/cases/Case.ts"
import { assessExample, keys, storedId, testServer } from "../support/TestServer.ts"
import { expectHeaders, expectRefusal } from "../support/expectRefusal.ts"
import { freePort } from "../support/freePort.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const adminPort = await freePort()
const { url } = runServer(testServer({ settings: { adminPort } }))
const admin = `http://127.0.0.1:${adminPort}`

const get = async (base: string, path: string) => {
  const response = await fetch(base + path)
  const headers = Object.fromEntries(response.headers)
  const answer = { status: response.status, headers, body: await response.text() }
  expectHeaders(answer)
  expect(headers["cache-control"]).toBe("no-store")
  return answer
}

describe("ADMIN_PORT", () => {
  it("says that the process lives and can serve", async () => {
    const healthy = await get(admin, "/healthz")
    expect([healthy.status, JSON.parse(healthy.body)]).toEqual([200, { api_version: "v1", status: "ok" }])
    const ready = await get(admin, "/readyz?verbose")
    expect([ready.status, JSON.parse(ready.body)]).toEqual([
      200,
      { api_version: "v1", status: "operational" }
    ])
  })

  it("has nothing of the API, and the API has nothing of it", async () => {
    const strangers = [
      `${admin}/api/public/v1/status`,
      `${url()}/healthz`,
      `${url()}/readyz`,
      `${url()}/metrics`
    ]
    for (const stranger of strangers) {
      const response = await get(stranger, "")
      expectRefusal(response, { code: "NOT_FOUND" })
      expect(response.headers["svc-risk-opinion"]).toBeUndefined()
    }
  })

  it("answers HEAD like GET, without the body", async () => {
    const response = await fetch(`${admin}/metrics`, { method: "HEAD" })
    expectHeaders({ status: 200, headers: Object.fromEntries(response.headers), body: "" })
    expect([response.status, await response.text()]).toEqual([200, ""])
  })

  it.each(["/healthz", "/readyz", "/metrics"])("refuses other methods on %s", async (path) => {
    const [response] = await sendRaw(adminPort, request({ path, body: "{}" }))
    expectRefusal(response, { code: "METHOD_NOT_ALLOWED" })
    expect(response?.headers["allow"]).toBe("GET, HEAD")
  })

  it.each([
    ["bytes that are no request", "GARBAGE\r\n\r\n", { code: "MALFORMED_JSON" }],
    ["a request without Host", "GET /healthz HTTP/1.1\r\n\r\n", { code: "MALFORMED_JSON" }],
    [
      "an expectation that nobody can meet",
      request({ method: "GET", path: "/healthz", headers: ["Expect: x"] }),
      { code: "MALFORMED_JSON", status: 417 }
    ],
    [
      "too large a header",
      request({ method: "GET", path: "/healthz", headers: [`X-Big: ${"a".repeat(20_000)}`] }),
      { code: "MALFORMED_JSON", status: 431 }
    ],
    [
      "a tunnel",
      "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
      { code: "NOT_FOUND" }
    ]
  ] as const)("refuses %s in the envelope", async (_, bytes, expected) => {
    const responses = await sendRaw(adminPort, bytes)
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0], expected)
  })
})

describe("/metrics", () => {
  /** Samples by name, with their labels. */
  const samples = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name, value]) => [name, value])
    )

  it("shows the metrics of the process in Prometheus' text format", async () => {
    const { body, headers } = await get(admin, "/metrics")
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8")
    for (const line of body.trimEnd().split("\n")) {
      expect(line).toMatch(
        /^# (?:HELP \w+ .+|TYPE \w+ (?:gauge|counter|histogram))$|^\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.e-]+$/
      )
    }
    expect(body.endsWith("\n")).toBe(true)
    const { risk_engine_version } = JSON.parse((await get(url(), "/api/public/v1/status")).body)
    const found = samples(body)
    expect(found).toMatchObject({
      action_risk_up: "1",
      [`action_risk_build_info{api_version="v1",risk_engine_version="${risk_engine_version}"}`]: "1"
    })
    expect(Number(found["process_resident_memory_bytes"])).toBeGreaterThan(10_000_000)
    const startedAt = Number(found["process_start_time_seconds"])
    const uptime = Number(found["process_uptime_seconds"])
    expect(Math.abs(startedAt + uptime - Date.now() / 1_000)).toBeLessThan(5)
  })

  it("counts requests by the template of their path, and never by the path itself", async () => {
    const one = `http_request_method="GET",http_route="/api/v1/assessments/{assessment_id}"`
    const labels = [
      `${one},http_response_status_code="200"`,
      `${one},http_response_status_code="404"`,
      `http_request_method="_OTHER",http_response_status_code="404"`
    ]
    // Other files of this process have counted too.
    const counted = async () => {
      const found = samples((await get(admin, "/metrics")).body)
      return labels.map((of) => Number(found[`http_server_request_duration_seconds_count{${of}}`] ?? 0))
    }
    const before = await counted()
    const authorization = `Bearer ${keys.live}`
    await fetch(`${url()}/api/v1/assessments/${storedId}?canary=raw`, { headers: { authorization } })
    await fetch(`${url()}/api/v1/assessments/nothing-raw`, { headers: { authorization } })
    await fetch(`${url()}/raw-path`, { method: "PROPFIND" })
    await sendRaw(Number(new URL(url()).port), "GARBAGE\r\n\r\n")
    await expect.poll(counted).toEqual(before.map((count) => count + 1))
    const { body } = await get(admin, "/metrics")
    expect(body).toMatch(/_count\{http_request_method="_OTHER",http_response_status_code="400"\} \d+/)
    expect(body).not.toContain("raw")
    expect(body).not.toContain("metrics")
  })

  it("counts rate-limited requests only by the kind of window", async () => {
    rateLimited("anonymous")
    const found = samples((await get(admin, "/metrics")).body)
    expect(Number(found['action_risk_rate_limited_total{subject="anonymous"}'])).toBeGreaterThan(0)
  })

  it("costs a request less than two microseconds", () => {
    const times = Array.from({ length: 50 }, () => {
      const startedMs = performance.now()
      for (let i = 0; i < 1_000; i++) requestAnswered("/timed", "GET", 200, 1.5)
      return performance.now() - startedMs
    })
    // The minimum of many runs: other work on the machine can only add time.
    expect(Math.min(...times)).toBeLessThan(2)
  })
})

describe("while the database is down", async () => {
  const port = await freePort()
  let isAway = true
  const query = Effect.suspend(() => (isAway ? Effect.die(new Error("away")) : Effect.succeed([])))
  runServer(testServer({ settings: { adminPort: port }, query }))

  it("the process lives, is not ready, its metrics say so, and it is ready again soon after", async () => {
    const base = `http://127.0.0.1:${port}`
    await expect.poll(async () => (await get(base, "/readyz")).status).toBe(503)
    expectRefusal(await get(base, "/readyz"), { code: "ASSESSMENT_UNAVAILABLE" })
    expect((await get(base, "/healthz")).status).toBe(200)
    expect((await get(base, "/metrics")).body).toContain("\naction_risk_up 0\n")
    isAway = false
    const back = async () => (await get(base, "/readyz")).status
    await expect.poll(back, { timeout: statusRefreshMs + 2_000 }).toBe(200)
  })
})

describe("while the process stops", async () => {
  it("probes say that it lives and is not ready, until the last request is answered", async () => {
    const adminPort = await freePort()
    const base = `http://127.0.0.1:${adminPort}`
    const scope = Scope.makeUnsafe()
    const answer = Deferred.makeUnsafe<void>()
    const assess: typeof assessExample = (call) => Effect.andThen(Deferred.await(answer), assessExample(call))
    const server = testServer({ assess, settings: { adminPort } })
    const context = await Effect.runPromise(Layer.buildWithScope(server, scope))
    const { port } = await Effect.runPromise(Effect.provide(Effect.service(ListeningServer), context))
    const underWay = sendRaw(port, posting(valid))
    expect((await get(base, "/readyz")).status).toBe(200)
    const stopped = Effect.runPromise(Scope.close(scope, Exit.void))
    await expect.poll(async () => (await get(base, "/readyz")).status).toBe(503)
    expectRefusal(await get(base, "/readyz"), { code: "ASSESSMENT_UNAVAILABLE" })
    expect((await get(base, "/healthz")).status).toBe(200)
    Effect.runSync(Deferred.succeed(answer, undefined))
    expect((await underWay)[0]?.status).toBe(200)
    await stopped
    await expect(fetch(`${base}/healthz`)).rejects.toThrow("fetch failed")
  })
})

describe("without PUBLIC_URL", async () => {
  const port = await freePort()
  const api = runServer(testServer({ settings: { adminPort: port, publicUrl: null } }))

  it("errors point to the documents of the API's listener", async () => {
    const { body } = await get(`http://127.0.0.1:${port}`, "/nothing")
    expect(JSON.parse(body).error.documentation_url).toBe(`${api.url()}/docs/errors#NOT_FOUND`)
    expect((await get(api.url(), "/docs/errors")).status).toBe(200)
  })
})
