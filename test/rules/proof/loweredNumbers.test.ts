/** Comparing two scales at their anchors finds every number at which one is lower. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loweredAnchors } from "../../../src/rules/proof/loweredNumbers.ts"
import { type Anchors, interpolate } from "../../../src/scoring/arithmetic.ts"
import { termHolds } from "../../support/asks.ts"
import { seed, tries } from "../../support/depth.ts"
import { workingBook } from "../../support/rulebooks.ts"
import { plainFacts } from "../../support/plainFacts.ts"

const { numbers } = workingBook.release.model
const figures = Array.from({ length: 60 }, (_, x) => x)

const scale: fc.Arbitrary<Anchors> = fc
  .tuple(
    fc.uniqueArray(fc.nat(50), { minLength: 2, maxLength: 5 }),
    fc.array(fc.nat(30), { minLength: 5, maxLength: 5 })
  )
  .map(([xs, rises]) => {
    const ascending = xs.toSorted((a, b) => a - b)
    return ascending.map((x, i) => [x, rises.slice(0, i + 1).reduce((sum, rise) => sum + rise, 0)])
  })

const withEntities = (entities: Anchors) => ({ ...numbers, anchors: { ...numbers.anchors, entities } })

describe(`scales (seed ${seed})`, () => {
  it("are lower nowhere outside the intervals that are found", () => {
    fc.assert(
      fc.property(scale, scale, (from, to) => {
        const [fallen] = loweredAnchors(withEntities(from), withEntities(to))
        const isNamed = (x: number): boolean =>
          fallen !== undefined && termHolds(fallen, plainFacts({ entities_affected: x }))
        const lower = figures.filter((x) => interpolate(to, x) < interpolate(from, x))
        expect(lower.filter((x) => !isNamed(x))).toEqual([])
      }),
      { seed, numRuns: tries(2_000) }
    )
  })

  it("are compared before rounding, so that a difference of less than a hundredth of a percent counts", () => {
    const from = withEntities([
      [0, 0],
      [7, 3]
    ])
    const to = withEntities([
      [0, 0],
      [8, 3],
      [9, 4]
    ])
    expect(loweredAnchors(from, to)).toHaveLength(1)
    expect(loweredAnchors(from, from)).toEqual([])
  })
})
