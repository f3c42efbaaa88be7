/** By how much scores move: how many records for each difference, lower to the left, higher to the right. */

import { signed } from "../figures.ts"
import { type Chart, inks } from "./draw.ts"

export interface Bin {
  /** The difference of the score nearest to none. */
  readonly by: number
  /** The one farthest from none. */
  readonly upTo: number
  readonly records: number
}

interface ScoreChange {
  readonly by: number
  readonly records: number
}

const binsMax = 48
const wide = 5

/** One bin for each difference, or for each five where there are too many to tell apart; none for what did not move. */
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

export const nameOf = ({ by, upTo }: Bin): string =>
  by === upTo ? signed(by) : `${signed(by)} to ${signed(upTo)}`

export const histogram = (bins: ReadonlyArray<Bin>, title: string, description: string): Chart => ({
  id: "score-changes",
  title,
  description,
  height: 300,
  option: {
    grid: { left: 52, right: 8, top: 12, bottom: 52 },
    xAxis: {
      type: "category",
      data: bins.map(({ upTo }) => signed(upTo)),
      name: "points lower or higher",
      nameLocation: "middle",
      nameGap: 32,
      nameTextStyle: { color: inks.soft },
      axisLabel: { color: inks.ink, hideOverlap: true },
      axisLine: { lineStyle: { color: inks.line } },
      axisTick: { show: false }
    },
    yAxis: {
      type: "value",
      minInterval: 1,
      axisLabel: { color: inks.soft },
      splitLine: { lineStyle: { color: inks.line } }
    },
    series: [
      {
        type: "bar",
        silent: true,
        barCategoryGap: "12%",
        data: bins.map(({ by, records }) => ({
          value: records,
          itemStyle: { color: by < 0 ? inks.fall : inks.rise }
        }))
      }
    ]
  }
})
