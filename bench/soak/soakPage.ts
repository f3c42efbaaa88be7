/** The report of a soak: one page with charts over time, light and dark, without scripts. */

import { LineChart } from "echarts/charts"
import { GridComponent, LegendComponent, MarkLineComponent } from "echarts/components"
import { init, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import { escapeHtml } from "../../src/markup.ts"
import type { Goal } from "../Question.ts"
import type { Happened } from "./changes.ts"
import type { Sample } from "./samples.ts"

use([LineChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer])

interface Soaked {
  readonly minutes: number
  readonly perSecond: number
  readonly samples: ReadonlyArray<Sample>
  readonly events: ReadonlyArray<Happened>
  readonly goals: ReadonlyArray<Goal>
}

interface Line {
  readonly name: string
  readonly of: (sample: Sample) => number
}

const width = 860
const height = 260
const colors = ["#2563eb", "#d97706"]
const soft = "#8a8a8a"

const chart = (title: string, unit: string, lines: ReadonlyArray<Line>, samples: ReadonlyArray<Sample>) => {
  const drawn = init(null, null, { renderer: "svg", ssr: true, width, height })
  drawn.setOption({
    animation: false,
    color: colors,
    grid: { left: 64, right: 16, top: 36, bottom: 40 },
    legend: { textStyle: { color: soft }, top: 0 },
    xAxis: {
      type: "value",
      name: "minutes",
      nameLocation: "middle",
      nameGap: 24,
      max: "dataMax",
      axisLabel: { showMaxLabel: false }
    },
    yAxis: {
      type: "value",
      name: unit,
      nameTextStyle: { color: soft },
      splitLine: { lineStyle: { opacity: 0.2 } }
    },
    series: lines.map(({ name, of }) => ({
      name,
      type: "line",
      showSymbol: false,
      sampling: "lttb",
      data: samples.map((sample) => [sample.seconds / 60, of(sample)])
    }))
  })
  const svg = drawn.renderToSVGString()
  drawn.dispose()
  return `<section><h2>${escapeHtml(title)}</h2>${svg.replace(/^<svg[^>]*>/, `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">`)}</section>`
}

/** A change, when it began, how long it took, and what those who asked saw of it. */
const changeRow = ({ atMs, endedMs, failure, what }: Happened, samples: ReadonlyArray<Sample>): string => {
  const meanwhile = samples.filter((sample) => sample.atMs >= atMs && sample.atMs < endedMs)
  const minute = Math.max(0, atMs - (samples[0]?.atMs ?? atMs)) / 60_000
  const incomplete = meanwhile.reduce((sum, { partial }) => sum + partial, 0)
  const slowest = Math.max(0, ...meanwhile.map(({ p99Ms }) => p99Ms))
  const cells = [
    minute.toFixed(1),
    what,
    ((endedMs - atMs) / 1_000).toFixed(1),
    String(incomplete),
    slowest.toFixed(0),
    failure ?? ""
  ]
  return `<tr${failure === undefined ? "" : ' class="bad"'}>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`
}

export const soakPage = ({ events, goals, minutes, perSecond, samples }: Soaked): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>action-risk soak</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 58rem; margin: 2rem auto; padding: 0 1rem }
  svg { width: 100%; height: auto }
  td, th { padding: 0 1rem 0 0; text-align: left; vertical-align: top; font-variant-numeric: tabular-nums }
  ul.goals { list-style: none; padding: 0; font-weight: 600 } .bad { color: #dc2626 }
</style>
<h1>A soak of ${minutes} minutes at ${perSecond} assessments a second</h1>
<ul class="goals">${goals.map(({ met, says }) => `<li${met ? "" : ' class="bad"'}>${met ? "✓" : "✗"} ${escapeHtml(says)}</li>`).join("")}</ul>
${chart(
  "Memory of the process that stays",
  "MB",
  [
    { name: "heap in use", of: ({ heapMb }) => heapMb },
    { name: "resident", of: ({ residentMb }) => residentMb }
  ],
  samples
)}
${chart("Its open descriptors", "", [{ name: "descriptors", of: ({ descriptors }) => descriptors }], samples)}
${chart(
  "Answered in each second",
  "",
  [
    { name: "assessments", of: ({ answered }) => answered },
    { name: "incomplete", of: ({ partial }) => partial }
  ],
  samples
)}
${chart(
  "Latency of what was answered at once",
  "ms",
  [
    { name: "median", of: ({ medianMs }) => medianMs },
    { name: "p99", of: ({ p99Ms }) => p99Ms }
  ],
  samples
)}
<section><h2>What happened meanwhile</h2><table>
<tr><th>minute</th><th>change</th><th>seconds</th><th>incomplete meanwhile</th><th>slowest p99, ms</th><th>failure</th></tr>
${events.map((event) => changeRow(event, samples)).join("\n")}
</table></section>
</html>
`
