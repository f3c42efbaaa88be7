import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { combinedMedian, emptyHistogram, toHistogram } from "../../../src/storage/behavior/BaselineWindow.ts"
import { tries } from "../../support/depth.ts"

const counts = fc.uniqueArray(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 4 })), {
  selector: ([figure]) => figure,
  maxLength: 8
})

const figuresOf = (of: ReadonlyArray<readonly [figure: number, units: number]>) =>
  toHistogram({ figures: of.map(([figure]) => figure), units: of.map(([, units]) => units) })

/** The figures of all units in ascending order, without one unit of `except`. */
const spelledOut = (of: ReadonlyArray<readonly [number, number]>, except: number | null) => {
  const all = of.flatMap(([figure, units]) => Array<number>(units).fill(figure)).toSorted((a, b) => a - b)
  const at = except === null ? -1 : all.indexOf(except)
  const kept = at === -1 ? all : all.toSpliced(at, 1)
  return { units: kept.length, median: kept[Math.ceil(kept.length / 2) - 1] ?? null }
}

describe("combinedMedian", () => {
  it("is the lower median of all units of both histograms", () => {
    fc.assert(
      fc.property(counts, counts, fc.option(fc.nat(12)), (past, today, except) => {
        expect(combinedMedian(figuresOf(past), figuresOf(today), except)).toEqual(
          spelledOut([...past, ...today], except)
        )
      }),
      { numRuns: tries(20_000) }
    )
  })

  it("is null without units", () => {
    expect(combinedMedian(emptyHistogram, emptyHistogram, 3)).toEqual({ units: 0, median: null })
    expect(combinedMedian(emptyHistogram, figuresOf([[3, 1]]), 3)).toEqual({ units: 0, median: null })
  })
})
