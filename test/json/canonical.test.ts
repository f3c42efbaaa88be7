import canonicalize from "canonicalize"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalText } from "../../src/json/canonical.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { propertyRuns } from "../support/depth.ts"

const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constantFrom("a", "B", "10", "9", "é", '"')
)
const object = fc.dictionary(
  key,
  fc.oneof(
    fc.jsonValue() as fc.Arbitrary<JsonObject>,
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.integer()
  )
)

/** The text, or undefined. */
const tried = (write: () => string | undefined) => {
  try {
    return write()
  } catch {
    return "refused"
  }
}

describe("canonicalText", () => {
  it("is what the library writes, and refuses what the library refuses", () => {
    fc.assert(
      fc.property(object, (json) => {
        expect(tried(() => canonicalText(json))).toBe(tried(() => canonicalize(json)))
      }),
      { numRuns: propertyRuns }
    )
  })

  it.each([
    [{ "": "", b: 1, a: -0 }, '{"":"","a":0,"b":1}'],
    [{ "10": 1e21, "9": 0.1 }, '{"10":1e+21,"9":0.1}'],
    [{ a: '"\\\n\u007f\u2028é😀' }, '{"a":"\\"\\\\\\n\u007f\u2028é😀"}'],
    [{ a: [{ d: 1, c: null }], b: false }, '{"a":[{"c":null,"d":1}],"b":false}'],
    [{ a: undefined, b: true }, '{"b":true}'],
    [{}, "{}"]
  ])("writes %j as RFC 8785 says", (json, text) => {
    expect(canonicalText(json)).toBe(text)
  })

  it.each(["\ud800", "a\udc00", Number.NaN, Infinity])("refuses %j, which no JSON holds", (value) => {
    expect(() => canonicalText({ a: value })).toThrow("not allowed")
    expect(() => canonicalText({ [String(value)]: { value } })).toThrow("not allowed")
  })
})
