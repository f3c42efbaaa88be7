/** The backtest on the page: figures, falls, charts and the largest moves. */

import { barChart, tileChart, twoSidedBars } from "../../charts.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { type Markup, markup } from "../../markup.ts"
import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import type { LevelMatrix } from "../../rules/levelMatrix.ts"
import { counted, figure, signed } from "../texts.ts"
import { groupMoves, type Report } from "./Report.ts"
import { moveList, section } from "./sections.ts"

const shownMax = 20

export const backtestSection = ({ backtest, from, to }: Report): Markup => {
  const ask =
    "No history was given. With `--history` the report scores recorded assessments with both and shows which would move."
  if (backtest === null) return section("backtest", "Backtest", ask, [])
  const { history, result } = backtest
  return section(
    "backtest",
    "Backtest",
    `The assessments recorded in ${history}, scored again with ${from.label} and with ${to.label}, each with the behaviour that it was scored with then.`,
    [
      tiles(result),
      unreadable(result),
      ...listed(
        "Falls in level",
        "Each of these would have been rated less risky than it was.",
        result.falls,
        result.counts.falls
      ),
      ...listed(
        "Weaker controls",
        "For each of these a weaker control would have been recommended than was.",
        result.weakened,
        result.counts.weakened
      ),
      backtestCharts(result),
      ...(result.movers.length === 0
        ? []
        : [markup`<h3>The largest moves</h3>\n`, moveList(groupMoves(result.movers).slice(0, shownMax))])
    ]
  )
}

const tiles = ({ counts }: Backtest): Markup => {
  const tile = (name: string, count: number, style = "") =>
    markup`<div><dt>${name}</dt><dd${count > 0 && style !== "" ? markup` class="${style}"` : null}>${figure(count)}</dd></div>`
  return markup`<dl class="tiles">${[
    tile("assessments", counts.records),
    tile("fall in level", counts.falls, "fall"),
    tile("rise in level", counts.rises, "rise"),
    tile("score lower", counts.lowered, "fall"),
    tile("score higher", counts.raised, "rise"),
    tile("weaker control", counts.weakened, "fall"),
    tile("stronger control", counts.strengthened, "rise"),
    tile("unchanged", counts.unchanged)
  ]}</dl>`
}

const unreadable = ({ counts, unreadable }: Backtest): Markup | null =>
  counts.unreadable === 0
    ? null
    : markup`<p class="bad">${counted(counts.unreadable, "line")} of the history could not be read${
        unreadable[0] === undefined
          ? "."
          : `, the first of them line ${unreadable[0].line}: ${unreadable[0].message}.`
      }</p>`

/** `total`: the number of all moves, including those that the backtest did not keep. */
const listed = (
  heading: string,
  lead: string,
  moves: ReadonlyArray<Move>,
  total: number
): ReadonlyArray<Markup> => {
  if (total === 0) return []
  const shown = groupMoves(moves).slice(0, shownMax)
  const count = shown.reduce((sum, group) => sum + group.count, 0)
  const rest = total > count ? ` The first ${figure(count)} of them:` : ""
  return [markup`<h3>${heading} (${figure(total)})</h3>\n<p>${lead}${rest}</p>\n`, moveList(shown)]
}

const factorsMax = 10

const backtestCharts = (result: Backtest): Markup => markup`<div class="charts">
${[levels, scores, categories, factors].map((draw) => draw(result))}</div>`

const levels = ({ counts, transitions }: Backtest): Markup =>
  chartFigure({
    title: "Level before and after",
    description: `${figure(counts.falls)} below the diagonal fall, ${figure(counts.rises)} above it rise.`,
    draw: (label) => levelTiles(transitions, label),
    heads: ["before", ...actionRiskLevels],
    rows: actionRiskLevels.map((from) => [
      from,
      ...actionRiskLevels.map((to) => figure(transitions[from][to]))
    ])
  })

const scores = ({ counts, scoreChanges }: Backtest): Markup | null => {
  const bins = binsOf(scoreChanges)
  if (bins.length === 0) return null
  const unmoved = counts.records - counts.lowered - counts.raised
  return chartFigure({
    title: "By how much scores move",
    description: `${figure(counts.lowered)} score lower and ${figure(counts.raised)} higher; the other ${figure(unmoved)} are left out.`,
    draw: (label) => scoreBars(bins, label),
    heads: ["points", "assessments"],
    rows: bins.filter(({ records }) => records > 0).map((bin) => [binName(bin), figure(bin.records)])
  })
}

const categories = ({ categories }: Backtest): Markup | null => {
  const moved = categories.filter(({ lowered, raised }) => lowered + raised > 0)
  if (moved.length === 0) return null
  const bars = moved.map(({ lowered, name, raised }) => ({ name, down: lowered, up: raised }))
  return chartFigure({
    title: "By category of the action",
    description: "Left: assessments that score lower. Right: higher.",
    draw: (label) => twoSidedBars(bars, label),
    heads: ["category", "assessments", "lower", "higher", "falls", "rises"],
    rows: categories.map(({ falls, lowered, name, raised, records, rises }) => [
      name,
      ...[records, lowered, raised, falls, rises].map(figure)
    ])
  })
}

const factors = ({ factors }: Backtest): Markup | null => {
  if (factors.length === 0) return null
  const bars = factors.slice(0, factorsMax).map((shift) => ({
    name: shift.code,
    down: shift.vanished + shift.severityLowered,
    up: shift.appeared + shift.severityRaised
  }))
  return chartFigure({
    title: "By factor",
    description: "Left: vanishes or gets milder. Right: appears or gets more severe.",
    draw: (label) => twoSidedBars(bars, label),
    heads: ["factor", "appears", "vanishes", "more severe", "milder"],
    rows: factors.map((shift) => [
      shift.code,
      ...[shift.appeared, shift.vanished, shift.severityRaised, shift.severityLowered].map(figure)
    ])
  })
}

interface Figure {
  readonly title: string
  readonly description: string
  /** `label`: the text that a screen reader reads for the chart. */
  readonly draw: (label: string) => Markup
  readonly heads: ReadonlyArray<string>
  /** The first cell names the row; the others are figures. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A chart with its caption and the same numbers as a table. */
const chartFigure = ({ description, draw, heads, rows, title }: Figure): Markup =>
  markup`<figure><figcaption>${title}<span>${description}</span></figcaption>
${draw(`${title}: ${description}`)}
<details><summary>The numbers</summary><table>
<thead><tr>${heads.map((head, at) => markup`<th scope="col"${at === 0 ? null : numeric}>${head}</th>`)}</tr></thead>
<tbody>
${rows.map(([name = "", ...cells]) => markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>\n`)}</tbody></table></details>
</figure>
`

const numeric = markup` class="number"`

/** Three steps up to the largest count. Each step begins at ten times the count of the previous one. */
const tintStep = (count: number, most: number): "1" | "2" | "3" =>
  count * 10 > most ? "3" : count * 100 > most ? "2" : "1"

const tintOf = (from: number, to: number, count: number, most: number): string => {
  if (count === 0) return "blank"
  if (from === to) return "still"
  return `${to > from ? "rise" : "fall"}-${tintStep(count, most)}`
}

/** One tile per pair of levels before and after: falls below the diagonal, rises above it. */
const levelTiles = (transitions: LevelMatrix, label: string): Markup => {
  const counts = actionRiskLevels.map((from) => actionRiskLevels.map((to) => transitions[from][to]))
  const most = Math.max(...counts.flatMap((row, from) => row.filter((_, to) => to !== from)))
  return tileChart({
    label,
    headings: ["level before", "level after"],
    names: actionRiskLevels,
    tiles: counts.map((row, from) =>
      row.map((count, to) => ({ text: count === 0 ? "" : figure(count), ink: tintOf(from, to, count, most) }))
    )
  })
}

interface Bin {
  /** The difference in the bin that is closest to 0. */
  readonly by: number
  /** The difference in the bin that is farthest from 0. */
  readonly upTo: number
  readonly records: number
}

const binsMax = 48
const wide = 5

/** One bin per difference, or per five differences if single ones would be too narrow to see. Excludes records that did not move. */
export const binsOf = (changes: Backtest["scoreChanges"]): ReadonlyArray<Bin> => {
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

/** The number of records per difference of the score: lower scores on the left, higher ones on the right. */
const scoreBars = (bins: ReadonlyArray<Bin>, label: string): Markup => {
  const end = (at: number) => signed(bins.at(at)?.upTo ?? 0)
  return barChart(
    bins.map((bin) => ({
      parts: [{ size: bin.records, ink: bin.by < 0 ? "fall" : "rise" }],
      says: `${binName(bin)}: ${figure(bin.records)}`
    })),
    { label, height: 240, ends: [end(0), "points lower or higher", end(-1)] }
  )
}
