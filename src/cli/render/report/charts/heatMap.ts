/** Which level became which: one cell for each pair, falls below the diagonal, rises above it. */

import { type ActionRiskLevel } from "../../../../domain/Level.ts"
import type { Transitions } from "../../../../rules/backtest/Backtest.ts"
import { figure } from "../figures.ts"
import { levelsAscending } from "../levelsAscending.ts"
import { type Chart, type Ink, inks } from "./draw.ts"

const tints = ["rise-1", "rise-2", "rise-3", "fall-1", "fall-2", "fall-3", "still", "blank"] as const
type Tint = (typeof tints)[number]

/** Three steps, each ten times the one below, up to the most that any pair has. */
const step = (count: number, most: number): "1" | "2" | "3" =>
  count * 10 > most ? "3" : count * 100 > most ? "2" : "1"

const tintOf = (from: number, to: number, count: number, most: number): Tint => {
  if (count === 0) return "blank"
  if (from === to) return "still"
  return `${to > from ? "rise" : "fall"}-${step(count, most)}`
}

export const heatMap = (transitions: Transitions, title: string, description: string): Chart => {
  const cells = levelsAscending.flatMap((from, row) =>
    levelsAscending.map((to, column) => ({ row, column, count: transitions[from][to] }))
  )
  const most = Math.max(...cells.filter(({ column, row }) => column !== row).map(({ count }) => count))
  const axis = (name: string) => ({
    type: "category" as const,
    data: levelsAscending satisfies ReadonlyArray<ActionRiskLevel>,
    name,
    nameLocation: "middle" as const,
    nameTextStyle: { color: inks.soft },
    axisLabel: { color: inks.ink },
    axisLine: { show: false },
    axisTick: { show: false }
  })
  return {
    id: "transitions",
    title,
    description,
    height: 300,
    option: {
      grid: { left: 108, right: 8, top: 8, bottom: 52 },
      xAxis: { ...axis("level after"), nameGap: 32 },
      yAxis: { ...axis("level before"), nameGap: 88, inverse: true },
      visualMap: {
        show: false,
        type: "piecewise",
        dimension: 3,
        categories: [...tints],
        inRange: { color: Object.fromEntries(tints.map((tint: Ink & Tint) => [tint, inks[tint]])) }
      },
      series: [
        {
          type: "heatmap",
          silent: true,
          itemStyle: { borderColor: inks.paper, borderWidth: 3 },
          label: {
            show: true,
            color: inks.ink,
            formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
              const count = cells[dataIndex]?.count ?? 0
              return count === 0 ? "" : figure(count)
            }
          },
          data: cells.map(({ column, count, row }) => [column, row, count, tintOf(row, column, count, most)])
        }
      ]
    }
  }
}
