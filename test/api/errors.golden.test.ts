/** The 14 error bodies, byte for byte as clients get them, and the failure class that the typed client decodes each to. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as wire from "../../src/api/Failures.ts"
import { errorEnvelope, type Failure, failures, statusOf } from "../../src/api/Failures.ts"
import { type ErrorCode, errorCodes } from "../../src/domain/ErrorCode.ts"

const requestId = "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF"
const details = [
  { field: "action_type", message: "is required" },
  { field: "entities_affected", message: "must be an integer" }
]
const codes = Object.keys(errorCodes) as Array<ErrorCode>
const failureOf = (code: ErrorCode): Failure => new failures[code]({ details, retryAfterSeconds: 1 })
const named = Object.entries(wire).flatMap(([name, value]) => (name.startsWith("error") ? [value] : []))
const schemas = [...new Set([...named, ...wire.operationErrors, ...wire.bodyErrors])].flatMap((value) =>
  Schema.isSchema(value) ? [value as Schema.Codec<Failure, unknown>] : []
)

describe("the error bodies", () => {
  it("are 14", () => expect(codes).toHaveLength(14))

  it.each(codes)("%s is what the golden file says", async (code) => {
    const failure = failureOf(code)
    expect(failure.code).toBe(code)
    const body = errorEnvelope(failure, requestId, "https://risk.example")
    const text = `${JSON.stringify({ status: statusOf(failure), body }, null, 2)}\n`
    await expect(text).toMatchFileSnapshot(`../golden/errors/${code}.json`)
  })

  it.each(codes)("%s decodes to its failure class and no other", (code) => {
    const body = JSON.parse(JSON.stringify(errorEnvelope(failureOf(code), requestId, "https://risk.example")))
    const decoded = schemas
      .map((schema) => Schema.decodeUnknownOption(schema)(body))
      .filter(({ _tag }) => _tag === "Some")
    expect(decoded).toHaveLength(1)
    expect(decoded).toMatchObject([{ value: { code, requestId } }])
  })

  it("say that a request that arrived too slowly can be sent again", () => {
    const slow = new failures.MALFORMED_JSON({ httpStatus: 408 })
    expect(statusOf(slow)).toBe(408)
    expect(errorEnvelope(slow, requestId, "").error.retryable).toBe(true)
  })
})
