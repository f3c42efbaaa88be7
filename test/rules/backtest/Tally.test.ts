/** A record whose control changes is counted, listed and kept as a move, whatever its score does. */

import { describe, expect, it } from "vitest"
import type { ControlType } from "../../../src/domain/Opinion.ts"
import { backtestFallsMax } from "../../../src/limits.ts"
import { countRecord, emptyTally, mergeTally, toBacktest } from "../../../src/rules/backtest/Tally.ts"
import type { ScoreSummary } from "../../../src/scoring/scoreSummary.ts"

const summary = (control: ControlType, score = 46): ScoreSummary => ({
  complete: true,
  score,
  level: "moderate",
  category: "data",
  class: "write",
  factors: [],
  control
})

const tallyOf = (...records: ReadonlyArray<readonly [from: ScoreSummary, to: ScoreSummary]>) => {
  const tally = emptyTally()
  for (const [i, [from, to]] of records.entries())
    countRecord(tally, { line: i + 1, assessmentId: `a-${i}`, request: {}, from, to })
  return tally
}

const [confirmed, staged] = [
  summary("HUMAN_CONFIRMATION_RECOMMENDED"),
  summary("STAGED_EXECUTION_RECOMMENDED")
]

describe("a backtest of controls", () => {
  it("counts weaker and stronger ones, in all and by class, and lists the weaker ones", () => {
    const { classes, counts, falls, movers, weakened } = toBacktest(
      "a",
      "b",
      tallyOf([confirmed, staged], [confirmed, confirmed], [staged, confirmed], [confirmed, staged])
    )
    expect(counts).toMatchObject({ records: 4, unchanged: 4, falls: 0, weakened: 2, strengthened: 1 })
    expect(classes).toMatchObject([{ name: "write", weakened: 2, strengthened: 1 }])
    expect([falls, weakened.map(({ line }) => line)]).toEqual([[], [1, 4]])
    expect(movers.map(({ line }) => line)).toEqual([1, 3, 4])
  })

  it("keeps a move of the score before one of the control, and kinds of actions apart by their controls", () => {
    const { actions, movers } = toBacktest(
      "a",
      "b",
      tallyOf([confirmed, staged], [confirmed, summary("HUMAN_CONFIRMATION_RECOMMENDED", 47)])
    )
    expect(movers.map(({ line }) => line)).toEqual([2, 1])
    expect(actions.map(({ largest: { line } }) => line)).toEqual([1, 2])
  })

  it("lists the first weaker ones of all blocks, within the limit", () => {
    const many = tallyOf(...Array.from({ length: backtestFallsMax }, () => [confirmed, staged] as const))
    mergeTally(many, tallyOf([confirmed, staged]))
    const { counts, weakened } = toBacktest("a", "b", many)
    expect([counts.weakened, weakened.length]).toEqual([backtestFallsMax + 1, backtestFallsMax])
  })
})
