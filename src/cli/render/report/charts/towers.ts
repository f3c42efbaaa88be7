/** Rows of two bars from one middle: what went down to the left, what went up to the right, each row under its name. */

import { figure } from "../figures.ts"
import { type Chart, inks } from "./draw.ts"

export interface Row {
  readonly name: string
  readonly down: number
  readonly up: number
}

const rowHeight = 50

export const towers = (
  rows: ReadonlyArray<Row>,
  { description, id, title }: Pick<Chart, "id" | "title" | "description">
): Chart => {
  const most = Math.max(1, ...rows.flatMap(({ down, up }) => [down, up]))
  const side = (key: "down" | "up", color: string) => ({
    type: "bar" as const,
    silent: true,
    stack: "row",
    barWidth: 14,
    itemStyle: { color },
    label: {
      show: true,
      position: key === "down" ? ("left" as const) : ("right" as const),
      color: inks.ink,
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
        const count = rows[dataIndex]?.[key] ?? 0
        return count === 0 ? "" : figure(count)
      }
    },
    data: rows.map((row) => (key === "down" ? -row.down : row.up))
  })
  return {
    id,
    title,
    description,
    height: rows.length * rowHeight + 16,
    option: {
      grid: { left: 8, right: 8, top: 14, bottom: 4 },
      xAxis: { type: "value", show: false, min: -most * 1.3, max: most * 1.3 },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map(({ name }) => name),
        axisLine: { lineStyle: { color: inks.soft } },
        axisTick: { show: false },
        axisLabel: { show: false }
      },
      series: [
        side("down", inks.fall),
        side("up", inks.rise),
        {
          // Invisible, and there for the name above the row's bars.
          type: "bar",
          silent: true,
          barWidth: 14,
          barGap: "-100%",
          itemStyle: { color: "none" },
          label: {
            show: true,
            position: [-216, -22],
            align: "left",
            color: inks.ink,
            formatter: ({ dataIndex }: { readonly dataIndex: number }) => rows[dataIndex]?.name ?? ""
          },
          data: rows.map(() => 0)
        }
      ]
    }
  }
}
