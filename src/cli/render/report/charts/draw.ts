/** A chart as SVG that follows the page's colours, needs no script, and is the same for the same numbers. */

import { BarChart, HeatmapChart } from "echarts/charts"
import { GridComponent, MarkLineComponent, VisualMapComponent } from "echarts/components"
import { type EChartsCoreOption, init, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import { escapeHtml, type Markup, ours } from "../markup.ts"
import { seen } from "../seen.ts"

use([BarChart, HeatmapChart, GridComponent, MarkLineComponent, VisualMapComponent, SVGRenderer])

/** Colours that the charts are drawn in, and the variables of the page that they stand for. */
export const inks = {
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

export type Ink = keyof typeof inks

/** All charts are this wide; on a phone they shrink, and the letters with them. */
export const width = 440
export const fontSize = 14

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
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height })
  chart.setOption({ animation: false, textStyle: { fontSize, color: inks.ink }, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  const opening = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">`
  const told = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-description">${escapeHtml(description)}</desc>`
  return ours(opening + told + clean(svg).replace(/^<svg[^>]*>/, ""))
}

/**
 * What the library adds for scripts and hovering is of no use here, its class names count up over the life of the process,
 * and its style attributes would ask for a laxer content security policy.
 */
const clean = (svg: string): string => {
  const bare = seen(svg)
    .replace(/<style >.*?<\/style>/gs, "")
    .replace(/ (?:ecmeta_\w+|class|pointer-events|style)="[^"]*"/g, "")
    .replaceAll(/\n+/g, "")
  return Object.entries(inks).reduce((text, [name, ink]) => text.replaceAll(ink, `var(--${name})`), bare)
}
