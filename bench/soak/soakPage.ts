/** The report of a soak: one page with charts over time, light and dark, without scripts. */

import { above, axisTop, plot } from "../../src/charts.ts"
import { escapeHtml, markup } from "../../src/markup.ts"
import type { Goal } from "../Question.ts"
import type { Happened } from "./changes.ts"
import type { Sample } from "./samples.ts"

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

const height = 200
const inks = ["first", "second"]

/** Lines over time. The picture inside is stretched to the width of the page, the width of its strokes excepted. */
const chart = (title: string, unit: string, lines: ReadonlyArray<Line>, samples: ReadonlyArray<Sample>) => {
  const top = axisTop(Math.max(...lines.flatMap(({ of }) => samples.map(of))))
  const endSeconds = Math.max(1, samples.at(-1)?.seconds ?? 1)
  const paths = lines.map(({ of }, at) => {
    const points = samples.map(
      (sample) =>
        `${((1_000 * sample.seconds) / endSeconds).toFixed(1)},${(height * (1 - of(sample) / top)).toFixed(1)}`
    )
    return markup`<polyline points="${points.join(" ")}" fill="none" stroke="var(--${inks[at] ?? "soft"})" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`
  })
  const names = lines.map(({ name }, at) => markup`<span class="${inks[at] ?? ""}">— ${name}</span> `)
  const about = {
    label: title,
    height,
    top: `${top.toLocaleString("en-US")} ${unit}`,
    ends: ["0", "minutes", (endSeconds / 60).toFixed(1)]
  } as const
  return markup`<section><h2>${title}</h2><p>${names}</p>${plot(about, "img", [
    markup`<svg y="${above}" width="100%" height="${height}" viewBox="0 0 1000 ${height}" preserveAspectRatio="none">${paths}</svg>`
  ])}</section>`.html
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
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --first: #2563eb; --second: #d97706; --soft: #8a8a8a }
  body { max-width: 58rem; margin: 2rem auto; padding: 0 1rem }
  .chart { display: block; width: 100% } .chart text { fill: var(--soft); font-size: 14px }
  .chart line { stroke: var(--soft) } .chart .grid { opacity: 0.4 }
  .first { color: var(--first) } .second { color: var(--second) }
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
