/** Strict JSON against a public suite, against JSON.parse, and against a hundred thousand broken bodies. */

import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import { exampleRequest } from "../../src/api/examples/examples.ts"
import { strictJson } from "../../src/json/strictJson.ts"
import { tries } from "../support/depth.ts"
import suite from "./jsonTestSuite.json" with { type: "json" }

const read = (text: string) => strictJson(Buffer.from(text))
const accepts = (bytes: Uint8Array) => Result.isSuccess(strictJson(bytes))

const cases = Object.entries(suite.cases).map(
  ([name, base64]) => [name, Buffer.from(base64, "base64")] as const
)
const named = (prefix: string) => cases.filter(([name]) => name.startsWith(prefix))

/** Valid by RFC 8259, which only advises against repeated keys. */
const stricterThanTheSuite = new Set(["y_object_duplicated_key", "y_object_duplicated_key_and_value"])

describe("strict JSON", () => {
  it("accepts every text of JSONTestSuite that must be accepted, repeated keys apart", () => {
    expect(named("y_").length).toBeGreaterThan(90)
    const refused = named("y_").filter(([, bytes]) => !accepts(bytes))
    expect(refused.map(([name]) => name).toSorted()).toEqual([...stricterThanTheSuite])
  })

  it("refuses every text of JSONTestSuite that must be refused", () => {
    expect(named("n_").length).toBeGreaterThan(180)
    expect(named("n_").filter(([, bytes]) => accepts(bytes))).toEqual([])
    expect(accepts(Buffer.from("[".repeat(100_000)))).toBe(false)
    expect(accepts(Buffer.from('[{"":'.repeat(50_000)))).toBe(false)
  })

  it("reads what JSON.parse reads, as the same value", () => {
    const shallow = fc.jsonValue({ maxDepth: 8 })
    fc.assert(
      fc.property(shallow, fc.constantFrom(0, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const result = read(text)
        // What JSON.stringify escapes as a lone surrogate is refused; all else is equal.
        const expected = /\\ud[89a-f]/.test(text.replaceAll("\\\\", ""))
          ? null
          : JSON.stringify(JSON.parse(text))
        expect(Result.isFailure(result) ? null : JSON.stringify(result.success.value)).toBe(expected)
      }),
      { numRuns: tries(3_000) }
    )
  })

  it("keeps __proto__ as a member and no prototype", () => {
    const result = Result.getOrThrow(read('{"__proto__":{"environment":"development"}}'))
    expect(Object.keys(Object(result.value))).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype)
    expect(JSON.stringify(result.value)).toBe('{"__proto__":{"environment":"development"}}')
  })

  it("accepts 32 levels, counting the root as 1, and refuses 33", () => {
    const levels = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    expect(accepts(Buffer.from(levels(32)))).toBe(true)
    expect(accepts(Buffer.from(levels(33)))).toBe(false)
    expect(accepts(Buffer.from('{"a":'.repeat(32) + "1" + "}".repeat(32)))).toBe(true)
  })

  it("sees U+0000 only where an escape spells it", () => {
    expect(Result.getOrThrow(read('{"a":"\\u0000"}')).holdsNul).toBe(true)
    expect(Result.getOrThrow(read('{"a":"\\\\u0000"}')).holdsNul).toBe(false)
  })

  it("never throws, on a hundred thousand mutated bodies", () => {
    const seed = 20_261_120
    const valid = Buffer.from(
      JSON.stringify({ ...exampleRequest, metadata: { a: [1.5e3, null, "\u00e9😀\\"] } })
    )
    const tokens = [
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\\ud800",
      "\\u0000",
      "1e999",
      "-",
      "0",
      "\xff",
      "\u0000"
    ].map((token) => Buffer.from(token, "latin1"))
    // A linear congruential generator: replayable, and fast enough for the number of bodies.
    let state = seed
    const below = (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % limit
    }
    const mutate = (bytes: Buffer): Buffer => {
      const at = below(bytes.length + 1)
      const token = tokens[below(tokens.length)] ?? Buffer.alloc(0)
      switch (below(5)) {
        case 0:
          return Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at)])
        case 1:
          return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(8))])
        case 2:
          return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at + 1)])
        case 3:
          return bytes.subarray(0, at)
        default:
          return Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(bytes.length), at)])
      }
    }
    const outcomes = { accepted: 0, invalid: 0, malformed: 0 }
    for (let i = 0; i < 100_000; i++) {
      let body: Buffer = valid
      for (let n = 1 + below(3); n > 0; n--) body = mutate(body)
      const result = strictJson(body)
      if (Result.isFailure(result)) outcomes.malformed++
      else if (Result.isFailure(readActionRequest(result.success.value, result.success.holdsNul)))
        outcomes.invalid++
      else outcomes.accepted++
    }
    console.info("seed", seed, outcomes)
    expect(outcomes.accepted + outcomes.invalid + outcomes.malformed).toBe(100_000)
    expect(Math.min(outcomes.accepted, outcomes.invalid, outcomes.malformed)).toBeGreaterThan(100)
  })
})
