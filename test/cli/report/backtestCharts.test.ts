import { describe, expect, it } from "vitest"
import { binName, binsOf } from "../../../src/cli/report/backtestSection.ts"

describe("the bins of score changes", () => {
  it("are one for each difference on both sides of 0, up to the largest move", () => {
    const bins = binsOf([
      { by: -2, records: 3 },
      { by: 0, records: 90 },
      { by: 1, records: 4 }
    ])
    expect(bins.map(({ by, records }) => [by, records])).toEqual([
      [-2, 3],
      [-1, 0],
      [1, 4],
      [2, 0]
    ])
  })

  it("are one for five differences where moves are large, and lose no record", () => {
    const changes = [-99, -60, -5, -1, 1, 5, 6, 99].map((by, at) => ({ by, records: at + 1 }))
    const bins = binsOf(changes)
    expect(bins.length).toBeLessThanOrEqual(40)
    expect(bins.reduce((sum, { records }) => sum + records, 0)).toBe(36)
    expect(bins.filter(({ records }) => records > 0).map(binName)).toEqual([
      "−96 to −100",
      "−56 to −60",
      "−1 to −5",
      "+1 to +5",
      "+6 to +10",
      "+96 to +100"
    ])
  })

  it("are none where no score moved", () => {
    expect(binsOf([{ by: 0, records: 5 }])).toEqual([])
  })
})
