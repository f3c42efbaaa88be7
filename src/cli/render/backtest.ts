/** A backtest for people: falls first, then where the levels went, the largest moves, and the factors behind them. */

import type { Backtest } from "../../rules/backtest/Backtest.ts"
import { renderMoves } from "./backtest/moves.ts"
import { renderCategoryShifts, renderFactorShifts } from "./backtest/shifts.ts"
import { renderTransitions } from "./backtest/transitions.ts"
import type { Sheet } from "./Sheet.ts"
import { table } from "./table.ts"
import { wrap } from "./wrap.ts"

const fallsMax = 10
const moversMax = 10

const figure = (count: number): string => count.toLocaleString("en-US")

const records = (count: number): string => `${figure(count)} ${count === 1 ? "record" : "records"}`

const headline = (sheet: Sheet, { counts, from, to }: Backtest): string => {
  const falls =
    counts.falls === 0
      ? sheet.ink("green", "no level fell")
      : sheet.ink("alarm", `${figure(counts.falls)} fell in level`)
  return `${sheet.ink("bold", `${from} → ${to}`)}  ${records(counts.records)}, ${falls}, ${figure(counts.rises)} rose`
}

const scores = ({ counts }: Backtest): string =>
  `scores: ${figure(counts.unchanged)} the same, ${figure(counts.lowered)} lower, ${figure(counts.raised)} higher; controls: ${figure(counts.controlsChanged)} changed`

/** What the figures do not say by themselves. */
const notes = ({ counts, policies, unreadable }: Backtest): ReadonlyArray<string> => [
  ...(counts.incomplete > 0
    ? [
        `${records(counts.incomplete)} had no history when recorded and were scored with it at its worst, as then`
      ]
    : []),
  ...policies
    .filter(({ exact }) => !exact)
    .map(
      (use) =>
        `${records(use.records)} name policies ${use.recorded}, which are not here: scored with ${use.scoredWith}`
    ),
  ...unreadable.map(({ line, message }) => `line ${line} ${message}, so it was not scored`),
  ...(counts.unreadable > unreadable.length
    ? [`${figure(counts.unreadable - unreadable.length)} more lines could not be read`]
    : [])
]

const controlRows = (sheet: Sheet, { controls }: Backtest): ReadonlyArray<string> =>
  table(
    sheet,
    controls
      .slice(0, fallsMax)
      .map(({ from, records, to }) => [{ text: figure(records), align: "right" }, `${from} → ${to}`])
  )

export const renderBacktest = (sheet: Sheet, backtest: Backtest): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", sheet.ink("bold", title), ...lines]
  const { counts, falls, movers } = backtest
  return [
    headline(sheet, backtest),
    sheet.ink("dim", scores(backtest)),
    ...section("Falls in level", renderMoves(sheet, falls, fallsMax, counts.falls)),
    ...section("Levels", renderTransitions(sheet, backtest)),
    ...section("Largest moves", renderMoves(sheet, movers, moversMax, movers.length)),
    ...section("Factors", renderFactorShifts(sheet, backtest)),
    ...section("Action categories", renderCategoryShifts(sheet, backtest)),
    ...section("Recommended controls", controlRows(sheet, backtest)),
    ...section(
      "Notes",
      notes(backtest).flatMap((note) => wrap(note, sheet.width - 2).map((line) => `  ${line}`))
    )
  ].join("\n")
}
