import { Result } from "effect"
import { expect, it } from "vitest"
import { assessRequest } from "../../bench/stored/requests.ts"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import { readIdempotencyKey } from "../../src/api/validation.ts"

const load = Array.from({ length: 2_000 }, (_, i) => assessRequest("action-risk, half load", i, "key"))

it("asks what the service accepts", () => {
  for (const { body = "", headers } of load) {
    expect(Result.isSuccess(readActionRequest(JSON.parse(body), false))).toBe(true)
    expect(Result.isSuccess(readIdempotencyKey(headers["idempotency-key"]))).toBe(true)
  }
})

it("never asks the same twice", () => {
  expect(new Set(load.map(({ body }) => body)).size).toBe(load.length)
  expect(new Set(load.map(({ headers }) => headers["idempotency-key"])).size).toBe(load.length)
})
