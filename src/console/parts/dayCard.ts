/** The card with assessments by day: one bar per day, stacked by level, with a link, and the same figures as a table. */

import type { Statistics } from "../../api/Statistics.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { barChart } from "../../charts.ts"
import { type Markup, markup } from "../../markup.ts"
import { filteredPath } from "./filters.ts"
import { levelDot } from "./level.ts"
import { thousands } from "./said.ts"

/** ISO 8601 days, both inclusive. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The number of assessments on one day at each level. */
interface DayBar {
  /** `2026-10-24` */
  readonly day: string
  readonly counts: Readonly<Record<ActionRiskLevel, number>>
}

type Rows = Statistics["data"]

const noCounts: Readonly<Record<ActionRiskLevel, number>> = { low: 0, moderate: 0, high: 0, critical: 0 }

const dayMs = 86_400_000

/** Every day of the range, including those without assessments. */
const daysOf = ({ from, to }: Days, rows: Rows): ReadonlyArray<DayBar> => {
  const counts = new Map<string, Record<ActionRiskLevel, number>>()
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs)
    counts.set(new Date(at).toISOString().slice(0, 10), { ...noCounts })
  for (const { count, day = "", level } of rows) {
    const ofDay = counts.get(day)
    if (ofDay !== undefined && level !== undefined) ofDay[level] += count
  }
  return [...counts].map(([day, ofDay]) => ({ day, counts: ofDay }))
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `24 Oct` */
const shortDay = (day: string): string => {
  const [, month, date] = day.split("-")
  return `${Number(date)} ${months[Number(month) - 1] ?? ""}`
}

const totalOf = (counts: DayBar["counts"], shown: ReadonlyArray<ActionRiskLevel>): number =>
  shown.reduce((sum, level) => sum + counts[level], 0)

interface Panel {
  readonly days: ReadonlyArray<DayBar>
  /** From the bottom to the top of a bar. */
  readonly shown: ReadonlyArray<ActionRiskLevel>
  /** In pixels. */
  readonly height: number
  readonly label: string
  /** The link for a day. */
  readonly hrefOf: (day: string) => string
}

const sayDay = ({ counts, day }: DayBar, shown: ReadonlyArray<ActionRiskLevel>): string =>
  `${shortDay(day)}: ${shown
    .toReversed()
    .map((level) => `${thousands(counts[level])} ${level}`)
    .join(", ")}`

const dayBars = ({ days, height, hrefOf, label, shown }: Panel): Markup => {
  const bars = days.map((bar) => ({
    parts: shown.map((level) => ({ size: bar.counts[level], ink: level, faint: level === "low" })),
    says: sayDay(bar, shown),
    href: hrefOf(bar.day)
  }))
  const nameOf = (at: number) => shortDay(days.at(at)?.day ?? "")
  const middle = days.length < 5 ? null : nameOf(Math.floor(days.length / 2))
  return barChart(bars, { label, height, ends: [nameOf(0), middle, nameOf(-1)] })
}

/** The same figures as text. */
const dayTable = (days: ReadonlyArray<DayBar>): Markup =>
  markup`<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Assessments by day and level"><table class="figures"><thead><tr><th scope="col">Day</th>${actionRiskLevels.toReversed().map((level) => markup`<th scope="col">${level}</th>`)}<th scope="col">all</th></tr></thead><tbody>${days
    .toReversed()
    .map(
      ({ counts, day }) =>
        markup`<tr><th scope="row">${shortDay(day)}</th>${actionRiskLevels.toReversed().map((level) => markup`<td>${thousands(counts[level])}</td>`)}<td>${thousands(totalOf(counts, actionRiskLevels))}</td></tr>`
    )}</tbody></table></div></details>`

const legend = (shown: ReadonlyArray<ActionRiskLevel>): Markup =>
  markup`<span class="legend">${shown.toReversed().map((level) => markup`<span>${levelDot(level)} ${level}</span>`)}</span>`

/** The assessments of the range by day, with links to the list at `path`. */
export const dayCard = (span: Days, byDay: Rows, path: string): Markup => {
  const days = daysOf(span, byDay)
  const high: ReadonlyArray<ActionRiskLevel> = ["high", "critical"]
  return markup`<section class="card" aria-labelledby="days-title"><h2 id="days-title">By day <span class="soft">UTC; a bar leads to its day</span></h2>
<div class="panel"><h3>High and critical ${legend(high)}</h3>${dayBars({
    days,
    shown: high,
    height: 84,
    label: "High and critical assessments by day",
    hrefOf: (day) => filteredPath(path, { level: "high,critical", from: day, to: day })
  })}</div>
<div class="panel"><h3>All ${legend(actionRiskLevels)}</h3>${dayBars({
    days,
    shown: actionRiskLevels,
    height: 120,
    label: "Assessments by day",
    hrefOf: (day) => filteredPath(path, { from: day, to: day })
  })}</div>
${dayTable(days)}</section>`
}
