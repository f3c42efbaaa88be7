/** Asserts that a response is an error of the contract: its status, its whole envelope, and every header. */

import { expect } from "vitest"
import { type ErrorCode, errorCodes } from "../../src/domain/ErrorCode.ts"
import { disclaimer } from "../../src/domain/Opinion.ts"
import type { RawResponse } from "./rawHttp.ts"

export interface Expected {
  readonly code: ErrorCode
  /** If it differs from the code's own. */
  readonly status?: number
  readonly opinion?: "none"
}

/** Expects the headers that every response carries, whatever its status. */
export const expectHeaders = ({ headers }: RawResponse): void => {
  expect(headers["svc-request-id"]).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(headers["svc-api-version"]).toBe("v1")
  expect(headers["x-content-type-options"]).toBe("nosniff")
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers[`svc-ratelimit-${name}`], `svc-ratelimit-${name}`).toMatch(/^\d+$/)
  }
  expect(Number(headers["svc-ratelimit-limit"])).toBeGreaterThan(0)
  expect(Number(headers["svc-ratelimit-reset"]) % 60).toBe(0)
}

export const expectRefusal = (
  response: RawResponse | undefined,
  { code, opinion, status }: Expected
): void => {
  expect(response, "the server answered").toBeDefined()
  if (response === undefined) return
  expectHeaders(response)
  const { headers } = response
  expect(headers["content-type"]).toBe("application/json")
  expect(headers["cache-control"]).toBe("no-store")
  if (opinion !== undefined) expect(headers["svc-risk-opinion"]).toBe(opinion)

  const body = JSON.parse(response.body)
  expect({ status: response.status, code: body.error.code }).toEqual({
    status: status ?? errorCodes[code].status,
    code
  })
  const requestId = headers["svc-request-id"]
  expect(body).toMatchObject({
    api_version: "v1",
    request_id: requestId,
    disclaimer,
    error: {
      request_id: requestId,
      retryable: errorCodes[code].retryable || response.status === 408,
      documentation_url: `https://risk.example/docs/errors#${code}`
    }
  })
  expect(body.error.message).toMatch(/\w/)
  if (code === "VALIDATION_FAILED") {
    expect(body.error.details.length).toBeGreaterThan(0)
    for (const { field, message } of body.error.details)
      expect([typeof field, typeof message]).toEqual(["string", "string"])
  } else expect(body.error).not.toHaveProperty("details")
  if (status === undefined && errorCodes[code].retryable) {
    expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1)
    expect(String(body.error.retry_after_seconds)).toBe(headers["retry-after"])
  }
}
