/** The charts of the page: SVG in the page's own colors, without scripts. */

import { BarChart, HeatmapChart } from "echarts/charts"
import { GridComponent, MarkLineComponent, VisualMapComponent } from "echarts/components"
import { type EChartsCoreOption, init, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import type { LevelMatrix } from "../../rules/levelMatrix.ts"
import { escapeHtml, escapeInvisible, type Markup, trustedMarkup } from "../../markup.ts"
import { figure, signed } from "../texts.ts"

use([BarChart, HeatmapChart, GridComponent, MarkLineComponent, VisualMapComponent, SVGRenderer])

/** Each key is a CSS variable of the page. The chart library draws with the placeholder color; `clean` replaces it by the variable. */
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

/** The width of every chart. On a phone the whole SVG shrinks, its letters too. */
const chartWidth = 440
const fontSize = 14

export interface Chart {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  /** The content of the chart in a sentence, for screen readers. */
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
  const labels = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-description">${escapeHtml(description)}</desc>`
  return trustedMarkup(opening + labels + clean(svg).replace(/^<svg[^>]*>/, ""))
}

/**
 * Removes what the library adds for scripts and hovering. Its class names contain a counter of the process, so the same
 * chart would differ from run to run, and its style attributes would need a weaker content security policy.
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

const tints = ["rise-1", "rise-2", "rise-3", "fall-1", "fall-2", "fall-3", "still", "blank"] as const
type Tint = (typeof tints)[number]

/** Three steps up to the largest count of any pair; each step begins at ten times the count of the step below. */
const tintStep = (count: number, most: number): "1" | "2" | "3" =>
  count * 10 > most ? "3" : count * 100 > most ? "2" : "1"

const tintOf = (from: number, to: number, count: number, most: number): Tint => {
  if (count === 0) return "blank"
  if (from === to) return "still"
  return `${to > from ? "rise" : "fall"}-${tintStep(count, most)}`
}

/** One cell for each pair of levels before and after: falls below the diagonal, rises above it. */
export const heatMap = (transitions: LevelMatrix, title: string, description: string): Chart => {
  const cells = actionRiskLevels.flatMap((from, row) =>
    actionRiskLevels.map((to, column) => ({ row, column, count: transitions[from][to] }))
  )
  const most = Math.max(...cells.filter(({ column, row }) => column !== row).map(({ count }) => count))
  const axis = (name: string) => ({
    type: "category" as const,
    data: actionRiskLevels,
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

interface TwoBarRow {
  readonly name: string
  readonly down: number
  readonly up: number
}

const rowHeight = 50
const barWidth = 14

/** One bar of each row: to the left for `down`, to the right for `up`. */
const sideBars = (rows: ReadonlyArray<TwoBarRow>, key: "down" | "up") => ({
  type: "bar" as const,
  silent: true,
  stack: "row",
  barWidth,
  itemStyle: { color: key === "down" ? chartColors.fall : chartColors.rise },
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

/** Invisible bars of length 0 that carry the name above each row. */
const rowNames = (rows: ReadonlyArray<TwoBarRow>) => ({
  type: "bar" as const,
  silent: true,
  barWidth,
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
})

/** Rows of two bars that start in the middle: `down` to the left, `up` to the right, the name of the row above them. */
export const twoBarChart = (
  rows: ReadonlyArray<TwoBarRow>,
  { description, id, title }: Pick<Chart, "id" | "title" | "description">
): Chart => {
  const most = Math.max(1, ...rows.flatMap(({ down, up }) => [down, up]))
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
      series: [sideBars(rows, "down"), sideBars(rows, "up"), rowNames(rows)]
    }
  }
}
