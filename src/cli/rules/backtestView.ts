/** A backtest for people: falls first, then where the levels went, the largest moves, and the factors behind them. */

import type { JsonObject } from "../../json/json.ts"
import { levels } from "../../domain/Opinion.ts"
import type { Backtest, FactorMove, FactorShift, Move, Transitions } from "../../rules/backtest/Backtest.ts"
import { bar, headings, levelStyle, type Row, type Style, table, type Terminal, wrap } from "../Terminal.ts"

const fallsMax = 10
const moversMax = 10

const figure = (count: number): string => count.toLocaleString("en-US")

const records = (count: number): string => `${figure(count)} ${count === 1 ? "record" : "records"}`

const headline = (sheet: Terminal, { counts, from, to }: Backtest): string => {
  const falls =
    counts.falls === 0
      ? sheet.color("green", "no level fell")
      : sheet.color("alarm", `${figure(counts.falls)} fell in level`)
  return `${sheet.color("bold", `${from} → ${to}`)}  ${records(counts.records)}, ${falls}, ${figure(counts.rises)} rose`
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

const controlRows = (sheet: Terminal, { controls }: Backtest): ReadonlyArray<string> =>
  table(
    sheet,
    controls
      .slice(0, fallsMax)
      .map(({ from, records, to }) => [{ text: figure(records), align: "right" }, `${from} → ${to}`])
  )

export const renderBacktest = (sheet: Terminal, backtest: Backtest): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", sheet.color("bold", title), ...lines]
  const { counts, falls, movers } = backtest
  return [
    headline(sheet, backtest),
    sheet.color("dim", scores(backtest)),
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

/** Records that moved: how far, which action, and the factors behind it; those that moved alike are told once. */
const indent = "    "
const linesMax = 8

const positionText = (sheet: Terminal, { level, score }: Move["from"]): string =>
  `${sheet.color(levelStyle[level], level)} ${score}`

const whyText = ({ factors }: Move): string => factors.map(factorMoveText).join(", ")

/** What is printed of a record besides where it stands in the history. */
const groupingKey = (move: Move): string => {
  const { from, request, to } = move
  return JSON.stringify([actionName(request), from.level, from.score, to.level, to.score, whyText(move)])
}

const placesText = (group: ReadonlyArray<Move>): string => {
  const [first] = group
  if (group.length === 1 && first !== undefined) return `line ${first.line}, assessment ${first.assessmentId}`
  const lines = group.slice(0, linesMax).map(({ line }) => line)
  return `lines ${lines.join(", ")}${group.length > linesMax ? " …" : ""}`
}

/** Records that moved alike. */
const renderGroup = (sheet: Terminal, group: ReadonlyArray<Move>): ReadonlyArray<string> => {
  const [move] = group
  if (move === undefined) return []
  const { from, request, to } = move
  const points = to.score - from.score
  const change = sheet.color(points < 0 ? "red" : "yellow", `${points < 0 ? "−" : "+"}${Math.abs(points)}`)
  const times = group.length > 1 ? sheet.color("bold", `  × ${group.length}`) : ""
  const why = whyText(move)
  return [
    `  ${change}  ${positionText(sheet, from)} → ${positionText(sheet, to)}  ${actionName(request)}${times}`,
    ...(why === "" ? [] : wrap(why, sheet.width - indent.length).map((text) => indent + text)),
    sheet.color("dim", `${indent}${placesText(group)}`)
  ]
}

/** `total`: how many there are, kept or not. */
const renderMoves = (
  sheet: Terminal,
  moves: ReadonlyArray<Move>,
  groupsMax: number,
  total: number
): ReadonlyArray<string> => {
  const groups = [...Map.groupBy(moves, groupingKey).values()].slice(0, groupsMax)
  const more = total - groups.reduce((sum, group) => sum + group.length, 0)
  return [
    ...groups.flatMap((group) => renderGroup(sheet, group)),
    ...(more > 0 ? [sheet.color("dim", `  and ${more.toLocaleString("en-US")} more: see --json`)] : [])
  ]
}

/** What a recorded request is called in one line: its action and where it was to happen. */
const widthMax = 60

/** Control characters of a foreign history never reach a terminal. */
const printableName = (text: string): string => text.replaceAll(/\p{C}/gu, " ").slice(0, widthMax)

export const actionName = ({ action_type, environment }: JsonObject): string =>
  printableName(`${String(action_type)} in ${String(environment)}`)

/** How a factor differs between the two sides, in a few words. */
export const factorMoveText = ({ code, from, to }: FactorMove): string => {
  if (from === null) return `${code} appeared (${to})`
  return to === null ? `${code} vanished (${from})` : `${code} ${from} → ${to}`
}

/** The level transition matrix: where records stood and where they stand, the heavier the darker. */
const shown = levels.filter((level) => level !== "minimal")
const shades = [" ", "░", "▒", "▓", "█"]

/** A share of its row as one block; what is there at all is never blank. */
const shade = (count: number, total: number): string =>
  count === 0 ? "·" : (shades[Math.max(1, Math.ceil((count / total) * (shades.length - 1)))] ?? "█")

/** Falls are loud, rises are marked, what stays is quiet. */
const styleAt = (from: number, to: number, count: number): Style => {
  if (count === 0 || from === to) return "dim"
  return to < from ? "alarm" : "yellow"
}

const cells = (transitions: Transitions, level: (typeof shown)[number]): Row => {
  const row = transitions[level]
  const total = shown.reduce((sum, to) => sum + row[to], 0)
  return [
    { text: level, style: "bold" },
    ...shown.flatMap((to): Row => {
      const count = row[to]
      const style = styleAt(shown.indexOf(level), shown.indexOf(to), count)
      const text = `${count === 0 ? "" : count.toLocaleString("en-US")} ${shade(count, total)}`
      return [{ text, style, align: "right" }]
    }),
    ""
  ]
}

const renderTransitions = (
  sheet: Terminal,
  { from, to, transitions }: Pick<Backtest, "from" | "to" | "transitions">
): ReadonlyArray<string> => {
  const right = shown.map((level) => ({ text: level, style: "dim", align: "right" }) as const)
  return [
    sheet.color("dim", `  rows: level under ${from}, columns: under ${to}`),
    ...table(sheet, [[...headings(""), ...right, ""], ...shown.map((level) => cells(transitions, level))])
  ]
}

/** Which factors changed, and which categories of actions moved, as bars and figures. */
const factorsMax = 15

const figureCell = (count: number, style: Style = "plain"): Row[number] => ({
  text: count === 0 ? "·" : count.toLocaleString("en-US"),
  style: count === 0 ? "dim" : style,
  align: "right"
})

const right = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim", align: "right" }))

const changes = ({ appeared, severityLowered, severityRaised, vanished }: FactorShift): number =>
  appeared + vanished + severityRaised + severityLowered

const renderFactorShifts = (sheet: Terminal, { factors }: Backtest): ReadonlyArray<string> => {
  const most = Math.max(1, ...factors.map(changes))
  const rows = factors
    .slice(0, factorsMax)
    .map((factor): Row => [
      factor.code,
      figureCell(factor.appeared),
      figureCell(factor.vanished),
      figureCell(factor.severityRaised),
      figureCell(factor.severityLowered),
      { text: bar((changes(factor) / most) * 100), style: "cyan" }
    ])
  const head: Row = [...headings("factor"), ...right("appeared", "vanished", "raised", "lowered"), ""]
  return factors.length === 0 ? [] : table(sheet, [head, ...rows])
}

/** Only those in which anything moved. */
const renderCategoryShifts = (sheet: Terminal, { categories }: Backtest): ReadonlyArray<string> => {
  const moved = categories.filter(({ lowered, raised }) => lowered + raised > 0)
  const head: Row = [
    ...headings("category"),
    ...right("records", "fell", "rose", "score lower", "score higher"),
    ""
  ]
  const rows = moved.map(({ falls, lowered, name, raised, records, rises }): Row => [
    name,
    figureCell(records),
    figureCell(falls, "red"),
    figureCell(rises),
    figureCell(lowered),
    figureCell(raised),
    ""
  ])
  return moved.length === 0 ? [] : table(sheet, [head, ...rows])
}
