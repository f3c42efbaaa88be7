import fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { AssessmentRequest } from "../../src/api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { RateLimited, errorEnvelope } from "../../src/api/Failures.ts"
import { type Answer, readAnswer } from "../../src/client/Answer.ts"
import type { Assessment, ProposedAction } from "../../src/client/Assessment.ts"
import { pauseAfter, retryAfterMs } from "../../src/client/retry.ts"
import { theorem } from "../support/theorem.ts"

const read = (body: unknown, status = 200, opinion: string | null = "full") =>
  readAnswer({ status, opinion, body: JSON.stringify(body) })

type Path = ReadonlyArray<string | number>

/** Every place of a JSON value. */
const pathsOf = (value: unknown, at: Path = []): ReadonlyArray<Path> =>
  typeof value === "object" && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, key]))]
    : [at]

/** A copy with a different value at the path, or without it if the new value is undefined. */
const changed = (value: unknown, [key, ...rest]: Path, to: unknown): unknown => {
  if (key === undefined) return to
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[key] = changed(copy[key], rest, to)
  if (copy[key] === undefined) delete copy[key]
  return copy
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value

const valueAt = (path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], exampleResponse)

const required = pathsOf(exampleResponse).filter(
  // An element of a list may be missing, a multiplier may be null, and some keys are optional.
  (path) =>
    !/^\d+$/.test(String(path.at(-1))) &&
    !/multiplier|assumed|entry|higher|^reading(?:\.(?:object|provider|verb))?$/.test(path.join("."))
)

describe("an answer", () => {
  it("is the opinion where status, header and body say so", () => {
    expect(read(exampleResponse)).toEqual({ opinion: "full", assessment: exampleResponse })
    const partial = { ...exampleResponse, status: "incomplete", assessment_status: "incomplete" }
    expect(read(partial, 200, "partial")).toEqual({ opinion: "partial", assessment: partial })
  })

  it("may have fields and plain words that this version does not know", () => {
    const later = { ...exampleResponse, action_category: "weather", forecast: { rain: true } }
    expect(read(later).opinion).toBe("full")
  })

  it.each([
    ["a level that there is not", ["action_risk", "level"], "minimal"],
    ["a score of a half", ["action_risk", "score"], 41.5],
    ["a score of nothing", ["action_risk", "score"], 0],
    ["a score beyond all", ["action_risk", "score"], 101],
    ["a control that there is not", ["recommended_control", "type"], "GO_AHEAD"],
    ["another version", ["api_version"], "v2"]
  ] as const)("is none with %s", (_, path, value) => {
    expect(read(changed(exampleResponse, path, value))).toMatchObject({
      opinion: "none",
      code: "NOT_UNDERSTOOD"
    })
  })

  it.each([
    ["another status", exampleResponse, 201, "full"],
    ["an error status", exampleResponse, 503, "full"],
    ["no header", exampleResponse, 200, null],
    ["a header that says none", exampleResponse, 200, "none"],
    ["a header that says partial of a complete one", exampleResponse, 200, "partial"],
    [
      "a header that says full of an incomplete one",
      { ...exampleResponse, assessment_status: "incomplete" },
      200,
      "full"
    ],
    ["a list around it", [exampleResponse], 200, "full"]
  ])("is none with %s", (_, body, status, opinion) => {
    expect(read(body, status, opinion)).toMatchObject({ opinion: "none", code: "NOT_UNDERSTOOD" })
  })

  it("says what the service said where it answers with an error", () => {
    const body = errorEnvelope(new RateLimited({ retryAfterSeconds: 7 }), "req_1", "https://risk.example")
    expect(read(body, 429, "none")).toEqual({
      opinion: "none",
      code: "RATE_LIMITED",
      message: body.error.message,
      retryable: true,
      details: [],
      requestId: "req_1"
    })
  })

  it("never says of another question under the same key that asking again helps", () => {
    const body = errorEnvelope(new RateLimited({ retryAfterSeconds: 7 }), "req_1", "https://risk.example")
    const conflict = { ...body, error: { ...body.error, code: "IDEMPOTENCY_KEY_REUSED" } }
    expect(read(conflict, 409, "none")).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", retryable: false })
  })

  it("is for later where a proxy says that the service is down", () => {
    const page = { status: 502, opinion: null, body: "<html>" }
    expect(readAnswer(page)).toMatchObject({ code: "NOT_UNDERSTOOD", retryable: true })
    expect(readAnswer({ ...page, status: 404 })).toMatchObject({ code: "NOT_UNDERSTOOD", retryable: false })
  })

  theorem(
    "is none where any value has another kind",
    fc.record({ path: fc.constantFrom(...required), value: fc.jsonValue() }),
    ({ path, value }) => {
      if (kindOf(valueAt(path)) === kindOf(value)) return true
      return read(changed(exampleResponse, path, value)).opinion === "none"
    }
  )

  theorem(
    "is none where any place is missing",
    fc.constantFrom(...required),
    (path) => path.length === 0 || read(changed(exampleResponse, path, undefined)).opinion === "none"
  )

  theorem(
    "is none for arbitrary text",
    fc.string(),
    (body) => readAnswer({ status: 200, opinion: "full", body }).opinion === "none"
  )
})

describe("the types of the client", () => {
  it("has no level where it may be that there is no opinion", () => {
    const answer = read({}) as Answer
    // @ts-expect-error: a program that reads a score has to check first whether there is one.
    expect(() => answer.assessment.action_risk).toThrow(TypeError)
    expectTypeOf<Extract<Answer, { opinion: "none" }>>().not.toHaveProperty("assessment")
    if (answer.opinion !== "none") expectTypeOf(answer.assessment).toEqualTypeOf<Assessment>()
  })

  it("fits what the contract takes and gives", () => {
    expectTypeOf<AssessmentResponse>().toExtend<Assessment>()
    expectTypeOf<keyof Assessment>().toEqualTypeOf<keyof AssessmentResponse>()
    expectTypeOf<AssessmentRequest>().toExtend<ProposedAction>()
    expectTypeOf<keyof ProposedAction>().toEqualTypeOf<keyof AssessmentRequest>()
  })
})

describe("the pause before the next attempt", () => {
  const attempt = fc.integer({ min: 1, max: 10 })
  const chance = fc.double({ min: 0, max: 1, noNaN: true })

  theorem(
    "is at least what the service asked for, and at least half of 250 ms doubled each time",
    fc.record({ attempt, chance, waitMs: fc.nat(100_000) }),
    ({ attempt, chance, waitMs }) => {
      const pause = pauseAfter(attempt, waitMs, chance)
      return pause >= waitMs && pause >= 125 * 2 ** (attempt - 1)
    }
  )

  it.each([
    ["7", undefined, 7_000],
    ["7", 9, 9_000],
    [null, 3, 3_000],
    ["Mon, 23 Nov 2026 00:00:05 GMT", undefined, 5_000],
    ["Mon, 23 Nov 2020 00:00:05 GMT", undefined, 0],
    ["-3", undefined, 0],
    ["soon", undefined, 0],
    [null, undefined, 0],
    [`1${"0".repeat(400)}`, undefined, 2_147_483_647]
  ])("reads %s and %s as %s ms", (header, seconds, ms) => {
    expect(retryAfterMs(header, seconds, Date.parse("2026-11-23T00:00:00Z"))).toBe(ms)
  })
})
