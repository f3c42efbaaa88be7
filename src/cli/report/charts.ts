/** The charts of the page as SVG that follows the page's colors and needs no script. */

import { BarChart, HeatmapChart } from "echarts/charts"
import { GridComponent, MarkLineComponent, VisualMapComponent } from "echarts/components"
import { type EChartsCoreOption, init, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import type { Transitions } from "../../rules/backtest/Backtest.ts"
import { escapeInvisible, figure, levelsAscending, signed } from "./formatText.ts"
import { escapeHtml, type Markup, trustedMarkup } from "./markup.ts"

use([BarChart, HeatmapChart, GridComponent, MarkLineComponent, VisualMapComponent, SVGRenderer])

/** Colours that the charts are drawn in, and the variables of the page that they stand for. */
const chartColors = {
  ink: "#000001",
  soft: "#000002",
  line: "#000003",
  paper: "#000004",
  rise: "#000005",
  fall: "#000006",
  still: "#000007",
  "rise-1": "#000008",
  "rise-2": "#000009",
  "rise-3": "#00000a",
  "fall-1": "#00000b",
  "fall-2": "#00000c",
  "fall-3": "#00000d",
  blank: "#00000e"
} as const

type ChartColor = keyof typeof chartColors

/** All charts are this wide; on a phone they shrink, and the letters with them. */
const chartWidth = 440
const fontSize = 14

export interface Chart {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  /** What it shows, in a sentence, for those who cannot see it. */
  readonly description: string
  readonly height: number
  readonly option: EChartsCoreOption
}

export const draw = ({ description, height, id, option, title }: Chart): Markup => {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: chartWidth, height })
  chart.setOption({ animation: false, textStyle: { fontSize, color: chartColors.ink }, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  const opening = `<svg viewBox="0 0 ${chartWidth} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">`
  const told = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-description">${escapeHtml(description)}</desc>`
  return trustedMarkup(opening + told + clean(svg).replace(/^<svg[^>]*>/, ""))
}

/**
 * What the library adds for scripts and hovering is of no use here, its class names count up over the life of the process,
 * and its style attributes would ask for a laxer content security policy.
 */
const clean = (svg: string): string => {
  const bare = escapeInvisible(svg)
    .replace(/<style >.*?<\/style>/gs, "")
    .replace(/ (?:ecmeta_\w+|class|pointer-events|style)="[^"]*"/g, "")
    .replaceAll(/\n+/g, "")
  return Object.entries(chartColors).reduce(
    (text, [name, ink]) => text.replaceAll(ink, `var(--${name})`),
    bare
  )
}

/** Which level became which: one cell for each pair, falls below the diagonal, rises above it. */
const tints = ["rise-1", "rise-2", "rise-3", "fall-1", "fall-2", "fall-3", "still", "blank"] as const
type Tint = (typeof tints)[number]

/** Three steps, each ten times the one below, up to the most that any pair has. */
const tintStep = (count: number, most: number): "1" | "2" | "3" =>
  count * 10 > most ? "3" : count * 100 > most ? "2" : "1"

const tintOf = (from: number, to: number, count: number, most: number): Tint => {
  if (count === 0) return "blank"
  if (from === to) return "still"
  return `${to > from ? "rise" : "fall"}-${tintStep(count, most)}`
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
    nameTextStyle: { color: chartColors.soft },
    axisLabel: { color: chartColors.ink },
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
        inRange: {
          color: Object.fromEntries(tints.map((tint: ChartColor & Tint) => [tint, chartColors[tint]]))
        }
      },
      series: [
        {
          type: "heatmap",
          silent: true,
          itemStyle: { borderColor: chartColors.paper, borderWidth: 3 },
          label: {
            show: true,
            color: chartColors.ink,
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

/** By how much scores move: how many records for each difference, lower to the left, higher to the right. */
interface Bin {
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

export const binName = ({ by, upTo }: Bin): string =>
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
      nameTextStyle: { color: chartColors.soft },
      axisLabel: { color: chartColors.ink, hideOverlap: true },
      axisLine: { lineStyle: { color: chartColors.line } },
      axisTick: { show: false }
    },
    yAxis: {
      type: "value",
      minInterval: 1,
      axisLabel: { color: chartColors.soft },
      splitLine: { lineStyle: { color: chartColors.line } }
    },
    series: [
      {
        type: "bar",
        silent: true,
        barCategoryGap: "12%",
        data: bins.map(({ by, records }) => ({
          value: records,
          itemStyle: { color: by < 0 ? chartColors.fall : chartColors.rise }
        }))
      }
    ]
  }
})

/** Rows of two bars from one middle: what went down to the left, what went up to the right, each row under its name. */
interface TwoBarRow {
  readonly name: string
  readonly down: number
  readonly up: number
}

const rowHeight = 50

export const twoBarChart = (
  rows: ReadonlyArray<TwoBarRow>,
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
      color: chartColors.ink,
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
        axisLine: { lineStyle: { color: chartColors.soft } },
        axisTick: { show: false },
        axisLabel: { show: false }
      },
      series: [
        side("down", chartColors.fall),
        side("up", chartColors.rise),
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
            color: chartColors.ink,
            formatter: ({ dataIndex }: { readonly dataIndex: number }) => rows[dataIndex]?.name ?? ""
          },
          data: rows.map(() => 0)
        }
      ]
    }
  }
}
