/** Charts as SVG that the server draws: bars over days, with a link on each, and the same figures as a table. */

import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { type Markup, markup } from "../../markup.ts"
import { grouped } from "../../scoring/telling/wording.ts"

/** How many assessments a day had at each level. */
export interface DayBar {
  /** `2026-10-24` */
  readonly day: string
  readonly counts: Readonly<Record<ActionRiskLevel, number>>
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `24 Oct` */
export const shortDay = (day: string): string => {
  const [, month, date] = day.split("-")
  return `${Number(date)} ${months[Number(month) - 1] ?? ""}`
}

const totalOf = (counts: DayBar["counts"], shown: ReadonlyArray<ActionRiskLevel>): number =>
  shown.reduce((sum, level) => sum + counts[level], 0)

/** Times a power of ten, the tops of an axis. */
const roundTops = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The least round figure that is no smaller: whole even where half of it is drawn. */
const roundUp = (count: number): number => {
  if (count <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(count))
  return roundTops.map((step) => step * power).find((top) => top >= count && top % 2 === 0) ?? 10 * power
}

/** Pixels: above the plot, for the figure of its upper line. */
const above = 16
const gapPercent = 18

interface Panel {
  readonly days: ReadonlyArray<DayBar>
  /** From the bottom to the top of a bar. */
  readonly shown: ReadonlyArray<ActionRiskLevel>
  /** Pixels. */
  readonly height: number
  readonly label: string
  /** Where a day leads to. */
  readonly hrefOf: (day: string) => string
}

const sayDay = ({ counts, day }: DayBar, shown: ReadonlyArray<ActionRiskLevel>): string =>
  `${shortDay(day)}: ${shown
    .toReversed()
    .map((level) => `${grouped(counts[level])} ${level}`)
    .join(", ")}`

const dayBar = (
  { height, hrefOf, shown }: Panel,
  top: number,
  width: number
): ((bar: DayBar, at: number) => Markup) => {
  const x = (at: number) => (at * width).toFixed(3)
  const inner = ((width * (100 - gapPercent)) / 100).toFixed(3)
  const margin = (width * gapPercent) / 200
  return (bar, at) => {
    let base = above + height
    const parts = shown.map((level) => {
      const exact = (height * bar.counts[level]) / top
      // What is there is seen, however little it is.
      const tall = bar.counts[level] === 0 ? 0 : Math.max(1.5, exact)
      base -= tall
      return tall === 0
        ? null
        : markup`<rect x="${(at * width + margin).toFixed(3)}%" y="${base.toFixed(1)}" width="${inner}%" height="${tall.toFixed(1)}" fill="var(--${level})"${level === "low" ? markup` opacity=".55"` : null}/>`
    })
    const told = sayDay(bar, shown)
    return markup`<a href="${hrefOf(bar.day)}" aria-label="${told}"><title>${told}</title><rect class="hit" x="${x(at)}%" y="0" width="${width.toFixed(3)}%" height="${height + above}"/>${parts}</a>`
  }
}

/** Bars over days, each stacked by level, under a line that names the top of the axis. */
export const dayBars = (panel: Panel): Markup => {
  const { days, height, label, shown } = panel
  const top = roundUp(Math.max(...days.map(({ counts }) => totalOf(counts, shown))))
  const width = 100 / days.length
  const middle = days[Math.floor(days.length / 2)]
  const bottom = above + height
  return markup`<svg class="bars" role="group" aria-label="${label}" height="${bottom + 20}">
<line x1="0" x2="100%" y1="${above}" y2="${above}" class="grid"/><line x1="0" x2="100%" y1="${above + height / 2}" y2="${above + height / 2}" class="grid"/><line x1="0" x2="100%" y1="${bottom}" y2="${bottom}" class="axis"/>
<text x="0" y="11">${grouped(top)}</text>
${days.map(dayBar(panel, top, width))}
<text x="0" y="${bottom + 15}">${shortDay(days[0]?.day ?? "")}</text>${days.length < 5 || middle === undefined ? null : markup`<text x="50%" y="${bottom + 15}" text-anchor="middle">${shortDay(middle.day)}</text>`}<text x="100%" y="${bottom + 15}" text-anchor="end">${shortDay(days.at(-1)?.day ?? "")}</text>
</svg>`
}

/** The same figures for those who read them. */
export const dayTable = (days: ReadonlyArray<DayBar>): Markup =>
  markup`<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Assessments by day and level"><table class="figures"><thead><tr><th scope="col">Day</th>${actionRiskLevels.toReversed().map((level) => markup`<th scope="col">${level}</th>`)}<th scope="col">all</th></tr></thead><tbody>${days
    .toReversed()
    .map(
      ({ counts, day }) =>
        markup`<tr><th scope="row">${shortDay(day)}</th>${actionRiskLevels.toReversed().map((level) => markup`<td>${grouped(counts[level])}</td>`)}<td>${grouped(totalOf(counts, actionRiskLevels))}</td></tr>`
    )}</tbody></table></div></details>`
