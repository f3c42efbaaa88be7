/** Bench results as one self-contained page: a logarithmic bar for each subject, light and dark. */

import { escapeHtml } from "../src/markup.ts"
import type { Measured, Results } from "./Question.ts"

const barHeight = 26
const labelWidth = 210
const width = 720

const chart = ({ asks, rows }: Measured): string => {
  const largest = Math.max(...rows.map(({ p99Us }) => p99Us))
  const length = (us: number) =>
    Math.max(2, ((width - labelWidth - 130) * Math.log10(1 + us * 10)) / Math.log10(1 + largest * 10))
  const bars = rows.map(
    ({ medianUs, p99Us, subject }, i) => `
    <g transform="translate(0 ${i * (barHeight + 8)})">
      <text x="${labelWidth - 10}" y="18" text-anchor="end">${escapeHtml(subject)}</text>
      <rect class="tail" x="${labelWidth}" width="${length(p99Us).toFixed(1)}" height="${barHeight}" rx="3"/>
      <rect class="bar" x="${labelWidth}" width="${length(medianUs).toFixed(1)}" height="${barHeight}" rx="3"/>
      <text x="${labelWidth + length(p99Us) + 8}" y="18">${medianUs.toFixed(medianUs < 10 ? 2 : 0)} µs</text>
    </g>`
  )
  return `<svg viewBox="0 0 ${width} ${rows.length * (barHeight + 8)}" role="img" aria-label="${escapeHtml(asks)}">${bars.join("")}</svg>`
}

const rates = ({ rows }: Measured): string =>
  rows
    .flatMap(({ perSecond, subject }) =>
      perSecond === undefined
        ? []
        : [`<li>${escapeHtml(subject)}: ${Math.round(perSecond).toLocaleString("en-US")} a second</li>`]
    )
    .join("")

const section = (question: Measured): string => `
  <section>
    <h2>${escapeHtml(question.asks)}</h2>
    ${chart(question)}
    <p class="key">Dark: median. Light: 99th percentile. Logarithmic.</p>
    <ul>${rates(question)}</ul>
    <ul>${question.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>
    <ul class="goals">${question.goals.map(({ met, says }) => `<li>${met ? "✓" : "✗"} ${escapeHtml(says)}</li>`).join("")}</ul>
  </section>`

export const renderPage = ({ machine, measuredAt, questions }: Results): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>action-risk benches</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  svg { width: 100%; height: auto; font-size: 13px } text { fill: currentColor }
  .bar { fill: #2563eb } .tail { fill: #93b4f5 } .key { opacity: .7; font-size: .85rem }
  .goals { list-style: none; padding: 0; font-weight: 600 }
  @media (prefers-color-scheme: dark) { .tail { fill: #24407a } .bar { fill: #6ea0ff } }
</style>
<h1>action-risk benches</h1>
<p>${escapeHtml(machine)}, ${escapeHtml(measuredAt)}</p>
${questions.map(section).join("")}
</html>
`
