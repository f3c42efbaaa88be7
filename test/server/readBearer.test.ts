import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readBearer } from "../../src/server/Authentication.ts"

const read = (value: string) => Result.getOrElse(readBearer(["Authorization", value]), ({ code }) => code)

describe("readBearer", () => {
  it.each([
    ["Bearer svc_test_x", "svc_test_x"],
    ["bEaReR \t svc_test_x ", "svc_test_x"],
    ["Bearer", "MISSING_API_KEY"],
    ["Bearer   ", "MISSING_API_KEY"],
    ["Basic svc_test_x", "MISSING_API_KEY"],
    ["", "MISSING_API_KEY"]
  ])("reads `%s` as %s", (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it("takes no longer for what is made to be slow: work grows with the header's length, not with its square", () => {
    const hostile = `Bearer a${" ".repeat(16_000)}b c`
    const startedAtMs = performance.now()
    for (let i = 0; i < 200; i++) read(hostile)
    // A pattern that backtracks needs 300 ms for one of these.
    expect(performance.now() - startedAtMs).toBeLessThan(2_000)
  })
})
