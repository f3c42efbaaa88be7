/** The charts of a backtest: the counts of levels before and after, and the bins of score changes. */

import { barChart, tileChart } from "../../charts.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import type { Markup } from "../../markup.ts"
import type { LevelMatrix } from "../../rules/levelMatrix.ts"
import { figure, signed } from "../texts.ts"

/** Three steps up to the largest count of any pair; each step begins at ten times the count of the step below. */
const tintStep = (count: number, most: number): "1" | "2" | "3" =>
  count * 10 > most ? "3" : count * 100 > most ? "2" : "1"

const tintOf = (from: number, to: number, count: number, most: number): string => {
  if (count === 0) return "blank"
  if (from === to) return "still"
  return `${to > from ? "rise" : "fall"}-${tintStep(count, most)}`
}

/** One tile for each pair of levels before and after: falls below the diagonal, rises above it. */
export const levelTiles = (transitions: LevelMatrix, label: string): Markup => {
  const counts = actionRiskLevels.map((from) => actionRiskLevels.map((to) => transitions[from][to]))
  const most = Math.max(...counts.flatMap((row, from) => row.filter((_, to) => to !== from)))
  return tileChart({
    label,
    headings: ["level before", "level after"],
    names: actionRiskLevels,
    tiles: counts.map((row, from) =>
      row.map((count, to) => ({
        text: count === 0 ? "" : figure(count),
        ink: tintOf(from, to, count, most)
      }))
    )
  })
}

interface Bin {
  /** The difference of the bin that is nearest to 0. */
  readonly by: number
  /** The difference of the bin that is farthest from 0. */
  readonly upTo: number
  readonly records: number
}

interface ScoreChange {
  readonly by: number
  readonly records: number
}

const binsMax = 48
const wide = 5

/** One bin for each difference, or for five differences where single ones would be too narrow to see. Records that did not move are in no bin. */
export const binsOf = (changes: ReadonlyArray<ScoreChange>): ReadonlyArray<Bin> => {
  const moved = changes.filter(({ by }) => by !== 0)
  if (moved.length === 0) return []
  const reach = Math.max(...moved.map(({ by }) => Math.abs(by)))
  const size = 2 * reach > binsMax ? wide : 1
  const count = Math.ceil(reach / size)
  const nearest = [...Array(count).keys()].map((bin) => bin * size + 1)
  return [...nearest.toReversed().map((by) => -by), ...nearest].map((by) => {
    const upTo = by + Math.sign(by) * (size - 1)
    const records = moved
      .filter((change) => Math.sign(change.by) === Math.sign(by))
      .filter((change) => Math.abs(change.by) >= Math.abs(by) && Math.abs(change.by) <= Math.abs(upTo))
      .reduce((sum, change) => sum + change.records, 0)
    return { by, upTo, records }
  })
}

export const binName = ({ by, upTo }: Bin): string =>
  by === upTo ? signed(by) : `${signed(by)} to ${signed(upTo)}`

/** The number of records for each difference of the score: lower scores on the left, higher ones on the right. */
export const scoreBars = (bins: ReadonlyArray<Bin>, label: string): Markup => {
  const end = (at: number) => signed(bins.at(at)?.upTo ?? 0)
  return barChart(
    bins.map((bin) => ({
      parts: [{ size: bin.records, ink: bin.by < 0 ? "fall" : "rise" }],
      says: `${binName(bin)}: ${figure(bin.records)}`
    })),
    { label, height: 240, ends: [end(0), "points lower or higher", end(-1)] }
  )
}
