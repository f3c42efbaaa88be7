/** Rate limits as clients see them: per key, per anonymous address, in aligned windows. */

import { Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { formatKey } from "../../src/domain/ApiKey.ts"
import { addressRefusalMs } from "../../src/limits.ts"
import { posting, valid } from "../hostile/cases/Case.ts"
import { expectHeaders, expectRefusal } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"
import { keys, knownKeys, storedId, testServer } from "../support/TestServer.ts"

/** Windows are minutes of the wall clock. The clock is stopped, so that no test runs over the end of one. */
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] })
})
afterAll(() => {
  vi.useRealTimers()
})

const { port } = runServer(
  testServer({ settings: { rateLimitTest: 3, rateLimitAnonymous: 4, trustedProxies: ["127.0.0.0/8"] } })
)

/** The test acts as the trusted proxy, so each client has its own address. */
const from = (address: string, path = "/nowhere", key: string | null = null) =>
  request({
    method: "GET",
    path,
    headers: [`X-Forwarded-For: ${address}`, ...(key === null ? [] : [`Authorization: Bearer ${key}`])]
  })

const statuses = async (requests: ReadonlyArray<Uint8Array>) => {
  const found: Array<number | undefined> = []
  for (const bytes of requests) found.push((await sendRaw(port(), bytes))[0]?.status)
  return found
}

describe("rate limits", () => {
  it("count down in the headers, and answer 429 with the seconds to wait", async () => {
    for (const remaining of ["2", "1", "0"]) {
      const [response] = await sendRaw(port(), posting(valid))
      expect(response).toMatchObject({
        status: 200,
        headers: { "svc-ratelimit-limit": "3", "svc-ratelimit-remaining": remaining }
      })
    }
    const [response] = await sendRaw(port(), posting(valid))
    expectRefusal(response, { code: "RATE_LIMITED", opinion: "none" })
    const resetMs = Number(response?.headers["svc-ratelimit-reset"]) * 1_000
    const leftSeconds = (resetMs - Date.now()) / 1_000
    expect(Math.abs(Number(response?.headers["retry-after"]) - leftSeconds)).toBeLessThan(2)
  })

  it("of one key leave other keys and the anonymous window alone", async () => {
    expect(await statuses([from("192.0.2.1", `/api/v1/assessments/${storedId}`, keys.live)])).toEqual([200])
    expect(await statuses([from("192.0.2.1", "/api/public/v1/status")])).toEqual([200])
  })

  it("count every request without a valid key against the address: 404, 405, 401, documents, status", async () => {
    const address = "192.0.2.2"
    expect(
      await statuses([
        from(address),
        from(address, "/api/v1/actions/assess"),
        from(address, "/api/v1/actions"),
        from(address, "/docs/errors"),
        from(address, "/api/public/v1/status"),
        from(address)
      ])
    ).toEqual([404, 405, 401, 200, 429, 429])
    // The limit of its address does not affect a valid key.
    expect(await statuses([from(address, `/api/v1/assessments/${storedId}`, keys.live)])).toEqual([200])
  })

  it("count bytes that are no request", async () => {
    const garbage = Array.from({ length: 5 }, () => "hello\r\n\r\n")
    const answers: Array<number | undefined> = []
    for (const bytes of garbage) {
      const [response] = await sendRaw(port(), bytes)
      if (response !== undefined) expectHeaders(response)
      answers.push(response?.status)
    }
    expect(answers).toEqual([400, 400, 400, 400, 429])
  })

  it("count an IPv6 client by its /64 and a mapped IPv4 client as IPv4", async () => {
    const v6 = [
      "2001:db8::1",
      "2001:db8:0:0:ffff::2",
      "2001:DB8::abcd",
      "2001:0db8:0000::9",
      "2001:db8:0:1::1"
    ]
    expect(await statuses(v6.map((address) => from(address)))).toEqual([404, 404, 404, 404, 404])
    expect(await statuses([from("2001:db8::77"), from("2001:db8:0:1::2")])).toEqual([429, 404])
    const v4 = ["::ffff:192.0.2.9", "192.0.2.9", "::ffff:192.0.2.9", "192.0.2.9", "::FFFF:192.0.2.9"]
    expect(await statuses(v4.map((address) => from(address)))).toEqual([404, 404, 404, 404, 429])
  })

  it("ignore every hop to the left of the last one that is not a trusted proxy", async () => {
    const chains = [
      "a, 192.0.2.50",
      "198.51.100.1, 192.0.2.50",
      "1.1.1.1,192.0.2.50, 127.0.0.9",
      "192.0.2.50",
      "x,192.0.2.50"
    ]
    expect(await statuses(chains.map((chain) => from(chain)))).toEqual([404, 404, 404, 404, 429])
  })
})

describe("a flood of well-formed keys that do not exist", () => {
  const lookups: Array<string> = []
  const { port } = runServer(
    testServer({
      settings: { rateLimitAnonymous: 4, trustedProxies: ["127.0.0.0/8"] },
      findByHash: (hash) =>
        Effect.sync(() => {
          const key = Buffer.from(hash).toString()
          lookups.push(key)
          return Option.fromUndefinedOr(knownKeys.get(key))
        })
    })
  )
  const ask = async (address: string, key: string) => {
    const [response] = await sendRaw(port(), from(address, `/api/v1/assessments/${storedId}`, key))
    return response
  }

  it("costs no more look-ups than its address may make requests, and no known key its answers", async () => {
    const address = "192.0.2.70"
    expect((await ask(address, keys.live))?.status).toBe(200)
    const unknown = Array.from({ length: 9 }, (_, i) =>
      formatKey("live", createHash("sha256").update(`unknown ${i}`).digest())
    )
    const statuses: Array<number | undefined> = []
    for (const key of unknown) statuses.push((await ask(address, key))?.status)
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429, 429])
    expect(lookups).toEqual([keys.live, ...unknown.slice(0, 5)])
    const startedAtMs = performance.now()
    const refused = await ask(address, unknown[8] ?? "")
    expect(performance.now() - startedAtMs, "it waits").toBeGreaterThan(addressRefusalMs - 10)
    expectRefusal(refused, { code: "RATE_LIMITED" })
    expect(refused?.headers).toMatchObject({ "svc-ratelimit-limit": "4", "svc-ratelimit-remaining": "0" })
    expect((await ask(address, keys.live))?.status).toBe(200)
    expect((await ask("192.0.2.71", keys.test))?.status).toBe(200)
  })
})

describe("an address that is no trusted proxy", () => {
  const { port } = runServer(testServer({ settings: { rateLimitAnonymous: 2 } }))

  it("cannot choose the address that it is counted by", async () => {
    const answers: Array<number | undefined> = []
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      answers.push((await sendRaw(port(), from(address)))[0]?.status)
    }
    expect(answers).toEqual([404, 404, 429])
  })
})
