import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { descending, or, times, toPoints, whole } from "../../src/scoring/basisPoints.ts"

const bp = fc.integer({ min: 0, max: whole })

describe("basis points", () => {
  it("a product is the exact ceiling of the rational product", () => {
    fc.assert(
      fc.property(bp, bp, (p, q) => {
        const exact = BigInt(p) * BigInt(q)
        expect(BigInt(times(p, q))).toBe((exact + 9_999n) / 10_000n)
      })
    )
  })

  it("noisy-or is commutative, bounded, and never below either cause", () => {
    fc.assert(
      fc.property(bp, bp, (p, q) => {
        expect(or(p, q)).toBe(or(q, p))
        expect(or(p, q)).toBeGreaterThanOrEqual(Math.max(p, q))
        expect(or(p, q)).toBeLessThanOrEqual(whole)
      })
    )
  })

  it("noisy-or and product are monotone in each argument", () => {
    fc.assert(
      fc.property(bp, bp, bp, (p, q, r) => {
        const [low, high] = p <= q ? [p, q] : [q, p]
        expect(or(low, r)).toBeLessThanOrEqual(or(high, r))
        expect(times(low, r)).toBeLessThanOrEqual(times(high, r))
      })
    )
  })

  it("nothing is no cause and certainty stays certain", () => {
    expect(or(0, 4_321)).toBe(4_321)
    expect(or(whole, 4_321)).toBe(whole)
    expect(times(whole, 4_321)).toBe(4_321)
  })

  it("a fraction of a point is reported as the next point", () => {
    expect([0, 1, 100, 101, whole].map(toPoints)).toEqual([0, 1, 1, 2, 100])
  })

  it("the largest comes first", () => {
    fc.assert(
      fc.property(fc.array(bp, { maxLength: 12 }), (few) => {
        expect(descending([...few])).toEqual(few.toSorted((a, b) => b - a))
      })
    )
  })
})
