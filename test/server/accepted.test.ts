/** Unusual requests that the edge must accept. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import type { AssessCall } from "../../src/assessment/AssessRequest.ts"
import { assess, json, key, posting, valid, withField } from "../hostile/cases/Case.ts"
import { assessExample, keys, testServer } from "../support/TestServer.ts"
import { expectHeaders } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const calls: Array<AssessCall> = []
const { port } = runServer(
  testServer({
    assess: (call) => {
      calls.push(call)
      return assessExample(call)
    }
  })
)

const padded = (length: number) => `${valid}${" ".repeat(length - valid.length)}`
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
const chunks = `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nTransfer-Encoding: chunked\r\n\r\n`

describe("the edge accepts", () => {
  it.each([
    ["the smallest request", posting(valid)],
    ["exactly 65,536 bytes", posting(padded(65_536))],
    ["exactly 65,536 bytes in chunks", `${chunks}10000\r\n${padded(65_536)}\r\n0\r\n\r\n`],
    [
      "a scheme in capitals",
      request({ path: assess, headers: [key.replace("Bearer", "BEARER"), json], body: valid })
    ],
    ["no content type", request({ path: assess, headers: [key], body: valid })],
    [
      "a content type in capitals",
      request({ path: assess, headers: [key, json.toUpperCase()], body: valid })
    ],
    [
      "UTF-8 named as the character set",
      request({ path: assess, headers: [key, `${json}; charset="UTF-8"`], body: valid })
    ],
    ["space around tokens", posting(` \r\n\t${valid.replaceAll(":", " : ")}\n`)],
    ["a field name spelled by escapes", posting(valid.replace("environment", "\\u0065nvironment"))],
    ["integers as 5.0 and 1e2", withField('"entities_affected":5.0,"records_affected":1e2')],
    ["the largest integer", withField('"entities_affected":9007199254740991')],
    ["minus zero", withField('"entities_affected":-0,"financial_value":-0.0')],
    ["a currency in any case", withField('"currency":"uSd"')],
    ["120 emoji as an agent", withField(`"agent_id":"${"😀".repeat(120)}"`)],
    ["empty optional text", withField('"agent_id":"","destination":""')],
    ["32 levels", withField(`"metadata":{"a":${nested(30)}}`)],
    [
      "any key in metadata",
      withField('"metadata":{"__proto__":{},"environment":"x","":null},"context":{"a":[]}')
    ],
    ["an Idempotency-Key of 200 visible characters", posting(valid, `Idempotency-Key: ${"~".repeat(200)}`)],
    [
      "the absolute form of the target",
      request({ path: `http://risk.example${assess}`, headers: [key, json], body: valid })
    ],
    [
      "a query, which means nothing here",
      request({ path: `${assess}?dry_run=1`, headers: [key, json], body: valid })
    ],
    ["100 header fields", posting(valid, ...Array.from({ length: 95 }, (_, i) => `X-${i}: 1`))],
    ["an upgrade that it ignores", posting(valid, "Connection: Upgrade", "Upgrade: h2c")]
  ])("%s", async (_name, bytes) => {
    const [response, ...others] = await sendRaw(port(), bytes)
    expect(others).toEqual([])
    expect(response).toMatchObject({
      status: 200,
      headers: { "svc-risk-opinion": "full", "cache-control": "no-store" }
    })
    if (response === undefined) return
    expectHeaders(response)
    const body = Schema.decodeUnknownSync(AssessmentResponse)(JSON.parse(response.body))
    expect(body.request_id).toBe(response.headers["svc-request-id"])
  })

  it("figures as the numbers they spell, and metadata as it was written", async () => {
    calls.length = 0
    await sendRaw(
      port(),
      withField('"entities_affected":5.0,"records_affected":-0,"metadata":{"__proto__":{"a":1}}')
    )
    const [call] = calls
    expect(call?.action).toMatchObject({
      actionType: "a",
      environment: "staging",
      entitiesAffected: 5,
      recordsAffected: 0
    })
    expect(Object.is(call?.action.recordsAffected, 0)).toBe(true)
    expect(JSON.stringify(call?.body)).toContain('"metadata":{"__proto__":{"a":1}}')
  })

  it.each([
    ["handling=strict", true],
    ["respond-async, HANDLING=strict; x=1", true],
    ['handling="strict"', true],
    ["handling=lenient, handling=strict", false],
    ["handling=strictly", false],
    ["return=minimal", false]
  ])("Prefer: %s as strict %s", async (prefer, strict) => {
    calls.length = 0
    await sendRaw(port(), posting(valid, `Prefer: ${prefer}`))
    expect(calls[0]?.strict).toBe(strict)
  })

  it("drills on test keys only", async () => {
    calls.length = 0
    const drilling = (key: string, drill: string) =>
      request({ path: assess, headers: [`Authorization: Bearer ${key}`, `svc-drill: ${drill}`], body: valid })
    await sendRaw(port(), drilling(keys.test, "incomplete"))
    await sendRaw(port(), drilling(keys.live, "unavailable"))
    await sendRaw(port(), drilling(keys.live, "something"))
    expect(calls.map(({ drill }) => drill)).toEqual(["incomplete", null, null])
    const [limited] = await sendRaw(port(), drilling(keys.test, "rate-limited"))
    expect(limited).toMatchObject({
      status: 429,
      headers: { "svc-risk-opinion": "none", "retry-after": "1" }
    })
    const [live] = await sendRaw(port(), drilling(keys.live, "rate-limited"))
    expect(live?.status).toBe(200)
  })

  it("pipelined requests, and answers them in order", async () => {
    const status = request({ method: "GET", path: "/api/public/v1/status" })
    const pipelined = Buffer.concat([posting(valid), status, posting("{}"), posting(valid)])
    const responses = await sendRaw(port(), pipelined, { responses: 4 })
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 200])
  })

  it("HEAD where GET is, with the same headers and no body", async () => {
    const [head] = await sendRaw(port(), request({ method: "HEAD", path: "/openapi.json" }), {
      patienceMs: 300
    })
    expect(head).toBeUndefined()
    const response = await fetch(`http://127.0.0.1:${port()}/openapi.json`, { method: "HEAD" })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(10_000)
    expect(await response.text()).toBe("")
  })

  it("a body that comes in pieces, byte by byte", async () => {
    const whole = Buffer.from(posting(valid))
    const head = whole.subarray(0, whole.indexOf("\r\n\r\n") + 4)
    const pieces = [...whole.subarray(head.length)].map((byte) => Buffer.from([byte]))
    const [response] = await sendRaw(port(), head, { parts: pieces, pauseMs: 1 })
    expect(response?.status).toBe(200)
  })
})

describe("100-continue", () => {
  const expecting = (key: string) =>
    `POST ${assess} HTTP/1.1\r\nHost: x\r\n${key}\r\nExpect: 100-continue\r\nContent-Length: ${valid.length}\r\n\r\n`

  it("is sent to a valid key before the body", async () => {
    const responses = await sendRaw(port(), expecting(key), { parts: [valid], responses: 2 })
    expect(responses.map(({ status }) => status)).toEqual([100, 200])
  })

  it("is not sent if the body will not be read", async () => {
    const responses = await sendRaw(port(), expecting("X: y"), { patienceMs: 2_000, responses: 2 })
    expect(responses.map(({ status, headers }) => [status, headers.connection])).toEqual([[401, "close"]])
  })
})
