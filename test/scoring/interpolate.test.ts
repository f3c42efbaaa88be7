import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { interpolate } from "../../src/scoring/arithmetic.ts"

const decades = [
  [0, 0],
  [1, 500],
  [10, 1_500],
  [100, 3_500],
  [1_000, 6_000]
] as const

describe("interpolate", () => {
  it("stands at the anchors exactly", () => {
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

  it("a larger figure never stands lower", () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(20_000), (a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a]
        expect(interpolate(decades, low, 10)).toBeLessThanOrEqual(interpolate(decades, high, 10))
      })
    )
  })
})
