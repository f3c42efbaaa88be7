import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { noisyOr, sortDescending, timesBp, toPoints, wholeBp } from "../../src/scoring/arithmetic.ts"

const bp = fc.integer({ min: 0, max: wholeBp })

describe("basis points", () => {
  it("a product is the exact ceiling of the rational product", () => {
    fc.assert(
      fc.property(bp, bp, (p, q) => {
        const exact = BigInt(p) * BigInt(q)
        expect(BigInt(timesBp(p, q))).toBe((exact + 9_999n) / 10_000n)
      })
    )
  })

  it("noisy-or is commutative, bounded, and never below either cause", () => {
    fc.assert(
      fc.property(bp, bp, (p, q) => {
        expect(noisyOr(p, q)).toBe(noisyOr(q, p))
        expect(noisyOr(p, q)).toBeGreaterThanOrEqual(Math.max(p, q))
        expect(noisyOr(p, q)).toBeLessThanOrEqual(wholeBp)
      })
    )
  })

  it("noisy-or and product are monotone in each argument", () => {
    fc.assert(
      fc.property(bp, bp, bp, (p, q, r) => {
        const [low, high] = p <= q ? [p, q] : [q, p]
        expect(noisyOr(low, r)).toBeLessThanOrEqual(noisyOr(high, r))
        expect(timesBp(low, r)).toBeLessThanOrEqual(timesBp(high, r))
      })
    )
  })

  it("nothing is no cause and certainty stays certain", () => {
    expect(noisyOr(0, 4_321)).toBe(4_321)
    expect(noisyOr(wholeBp, 4_321)).toBe(wholeBp)
    expect(timesBp(wholeBp, 4_321)).toBe(4_321)
  })

  it("a fraction of a point is reported as the next point", () => {
    expect([0, 1, 100, 101, wholeBp].map(toPoints)).toEqual([0, 1, 1, 2, 100])
  })

  it("the largest comes first", () => {
    fc.assert(
      fc.property(fc.array(bp, { maxLength: 12 }), (few) => {
        expect(sortDescending([...few])).toEqual(few.toSorted((a, b) => b - a))
      })
    )
  })
})
