/** A request with several faults fails for the one that comes first in the contract's order of checks. */

import { describe, expect, it } from "vitest"
import type { ErrorCode } from "../../src/domain/ErrorCode.ts"
import { assess, json } from "../hostile/cases/Case.ts"
import { keys, testServer } from "../support/TestServer.ts"
import { expectRefusal } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const { port } = runServer(testServer({ settings: { rateLimitTest: 3 } }))

const bearer = (key: string) => `Authorization: Bearer ${key}`
const large = "x".repeat(65_537)
const text = "Content-Type: text/plain"

const answerTo = async (key: string | null, body: string, type = json, path = assess, method = "POST") => {
  const headers = key === null ? [type] : [bearer(key), type]
  const [response] = await sendRaw(port(), request({ method, path, headers, body }))
  return response
}

describe("the order of checks", () => {
  it.each<readonly [string, Parameters<typeof answerTo>, ErrorCode]>([
    ["404 before 401", [null, large, text, "/nowhere"], "NOT_FOUND"],
    ["405 before 401", [null, large, text, assess, "PUT"], "METHOD_NOT_ALLOWED"],
    ["401 before 413", [null, large, text], "MISSING_API_KEY"],
    ["401 before 400", [keys.unknown, "{", text], "INVALID_API_KEY"],
    ["SANDBOX_EXPIRED before 413", [keys.expiredTest, large, text], "SANDBOX_EXPIRED"],
    ["403 before 413", [keys.readOnly, large, text], "INSUFFICIENT_SCOPE"],
    ["413 before 400", [keys.stagingOnly, large, text], "PAYLOAD_TOO_LARGE"],
    ["400 before 422", [keys.stagingOnly, '{"a":1,"a":1}'], "MALFORMED_JSON"],
    [
      "VALIDATION_FAILED before INVALID_ENVIRONMENT",
      [keys.stagingOnly, '{"environment":"production"}'],
      "VALIDATION_FAILED"
    ]
  ])("%s", async (_name, parts, code) => {
    const response = await answerTo(...parts)
    expect(response).toBeDefined()
    expectRefusal(response, { code })
  })

  it("429 before 403, and refusals count against the key", async () => {
    const codes: Array<string> = []
    for (let i = 0; i < 4; i++) {
      const response = await answerTo(keys.readOnly, "{}")
      codes.push(JSON.parse(response?.body ?? "{}").error.code)
    }
    expect(codes.slice(0, 2)).toEqual(["INSUFFICIENT_SCOPE", "INSUFFICIENT_SCOPE"])
    expect(codes.at(-1)).toBe("RATE_LIMITED")
  })

  it("lists the problems of the header with those of the body, by code points", async () => {
    const body = '{"zz":1,"\u{1f600}":1,"\uffee":1,"environment":"x"}'
    const headers = [bearer(keys.live), json, "Idempotency-Key:"]
    const [response] = await sendRaw(port(), request({ path: assess, headers, body }))
    const { details } = JSON.parse(response?.body ?? "{}").error
    expect(details.map(({ field }: { field: string }) => field)).toEqual([
      "action_type",
      "environment",
      "idempotency-key",
      "zz",
      "\uffee",
      "\u{1f600}"
    ])
  })

  it("names the existing drills along with every other problem, and only where drills are on", async () => {
    const detailsOf = async (key: string, body: string) => {
      const headers = [bearer(key), json, "svc-drill: s3cret", "Idempotency-Key:"]
      const [response] = await sendRaw(port(), request({ path: assess, headers, body }))
      expect(response).toMatchObject({ status: 422, headers: { "svc-risk-opinion": "none" } })
      return JSON.parse(response?.body ?? "{}").error.details
    }
    const required = { field: "environment", message: "is required" }
    const idempotencyKey = { field: "idempotency-key", message: "must be 1 to 200 visible ASCII characters" }
    expect(await detailsOf(keys.test, '{"action_type":"a"}')).toEqual([
      required,
      idempotencyKey,
      { field: "svc-drill", message: "must be one of incomplete, unavailable, rate-limited, slow" }
    ])
    expect(await detailsOf(keys.live, '{"action_type":"a"}')).toEqual([required, idempotencyKey])
  })

  it("cuts the problems at 100, and never echoes a value", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, "s3cret"]))
    const response = await answerTo(
      keys.live,
      JSON.stringify({ ...unknown, action_type: "s3cret", environment: "s3cret" })
    )
    expect(JSON.parse(response?.body ?? "{}").error.details).toHaveLength(100)
    expect(response?.body).not.toContain("s3cret")
  })
})
