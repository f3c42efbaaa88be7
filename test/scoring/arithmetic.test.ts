/** Basis points and scales are exact, monotone integer arithmetic. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  interpolate,
  noisyOr,
  sortDescending,
  timesBp,
  toPoints,
  wholeBp
} from "../../src/scoring/arithmetic.ts"

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

  it("a probability of 0 changes nothing, and a probability of 1 stays 1", () => {
    expect(noisyOr(0, 4_321)).toBe(4_321)
    expect(noisyOr(wholeBp, 4_321)).toBe(wholeBp)
    expect(timesBp(wholeBp, 4_321)).toBe(4_321)
  })

  it("a fraction of a point is rounded up to the next point", () => {
    expect([0, 1, 100, 101, wholeBp].map(toPoints)).toEqual([0, 1, 1, 2, 100])
  })

  it("sorting puts the largest first", () => {
    fc.assert(
      fc.property(fc.array(bp, { maxLength: 12 }), (few) => {
        expect(sortDescending([...few])).toEqual(few.toSorted((a, b) => b - a))
      })
    )
  })
})

const decades = [
  [0, 0],
  [1, 500],
  [10, 1_500],
  [100, 3_500],
  [1_000, 6_000]
] as const

describe("interpolate", () => {
  it("gives each anchor its exact value", () => {
    expect(decades.map(([x]) => interpolate(decades, x))).toEqual(decades.map(([, bp]) => bp))
  })

  it("rounds up between anchors", () => {
    expect(interpolate(decades, 2)).toBe(500 + Math.ceil(1_000 / 9))
  })

  it("is flat beyond the last anchor, however large the figure", () => {
    expect(interpolate(decades, Number.MAX_SAFE_INTEGER)).toBe(6_000)
  })

  it("reads figures in a finer unit than the anchors", () => {
    expect(interpolate(decades, 1_000, 100)).toBe(1_500)
    expect(interpolate(decades, 1_001, 100)).toBeGreaterThan(1_500)
  })

  it("never gives a larger figure a lower value", () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(20_000), (a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a]
        expect(interpolate(decades, low, 10)).toBeLessThanOrEqual(interpolate(decades, high, 10))
      })
    )
  })
})
