/** A backtest for people: falls first, then levels before and after, the largest moves, and the factors behind them. */

import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { shownName } from "../../foreignText.ts"
import type { JsonObject } from "../../json/json.ts"
import type { Backtest, FactorMove, FactorShift, Move } from "../../rules/backtest/Backtest.ts"
import { isFall, moveBetween } from "../../rules/ScoreAndControl.ts"
import type { LevelMatrix } from "../../rules/levelMatrix.ts"
import {
  bar,
  headings,
  levelStyle,
  lines,
  paragraph,
  type Row,
  titled,
  type Style,
  table,
  type Terminal
} from "../Terminal.ts"
import { counted, figure } from "../texts.ts"

const groupsMax = 10

const records = (count: number): string => counted(count, "record")

const headline = (screen: Terminal, { counts, from, to }: Backtest): string => {
  const alarm = (count: number, text: string) =>
    count > 0 && screen.color("alarm", `${figure(count)} ${text}`)
  return lines(
    `${screen.color("bold", `${from} → ${to}`)}  ${records(counts.records)}`,
    alarm(counts.falls, "fell in level") || screen.color("green", "no level fell"),
    `${figure(counts.rises)} rose`,
    alarm(counts.weakened, "got a weaker control")
  ).join(", ")
}

const scores = ({ counts }: Backtest): string =>
  `scores: ${figure(counts.unchanged)} the same, ${figure(counts.lowered)} lower, ${figure(counts.raised)} higher; controls: ${figure(counts.weakened)} weaker, ${figure(counts.strengthened)} stronger`

/** Notes that are needed to interpret the figures. */
const notes = ({ counts, policies, unreadable }: Backtest): ReadonlyArray<string> =>
  lines(
    counts.incomplete > 0 &&
      `${records(counts.incomplete)} had no history when recorded and were scored with it at its worst, as then`,
    policies
      .filter(({ exact }) => !exact)
      .map(
        (use) =>
          `${records(use.records)} name policies ${use.recorded}, which are not installed: scored with ${use.scoredWith}`
      ),
    unreadable.map(({ line, message }) => `line ${line} ${message}, so it was not scored`),
    counts.unreadable > unreadable.length &&
      `${figure(counts.unreadable - unreadable.length)} more lines could not be read`
  )

const controlRows = (screen: Terminal, { controls }: Backtest): ReadonlyArray<string> =>
  table(
    screen,
    controls
      .slice(0, groupsMax)
      .map(({ from, records, to }) => [{ text: figure(records), align: "right" }, `${from} → ${to}`])
  )

export const renderBacktest = (screen: Terminal, backtest: Backtest): string => {
  const { counts, falls, movers, weakened } = backtest
  return [
    headline(screen, backtest),
    screen.color("dim", scores(backtest)),
    ...titled(screen, {
      "Falls in level": renderMoves(screen, falls, counts.falls),
      "Weaker controls": renderMoves(screen, weakened, counts.weakened),
      Levels: renderLevelMatrix(
        screen,
        `rows: level under ${backtest.from}, columns: under ${backtest.to}`,
        backtest.transitions
      ),
      "Largest moves": renderMoves(screen, movers, movers.length),
      Factors: renderFactorShifts(screen, backtest),
      "Action categories": renderCategoryShifts(screen, backtest),
      "Recommended controls": controlRows(screen, backtest),
      Notes: notes(backtest).flatMap((note) => paragraph(screen, note))
    })
  ].join("\n")
}

const indent = "    "
const linesMax = 8

const positionText = (screen: Terminal, { level, score }: Move["from"]): string =>
  `${screen.color(levelStyle[level], level)} ${score}`

export const whyText = ({ factors }: Move): string => factors.map(factorMoveText).join(", ")

/** Everything that is printed about a record except its line. Records with the same key are printed once. */
const groupingKey = (move: Move): string => {
  const { from, request, to } = move
  return JSON.stringify([actionName(request), from, to, whyText(move)])
}

const placesText = (group: ReadonlyArray<Move>): string => {
  const [first] = group
  if (group.length === 1 && first !== undefined) return `line ${first.line}, assessment ${first.assessmentId}`
  const numbers = group.slice(0, linesMax).map(({ line }) => line)
  return `lines ${numbers.join(", ")}${group.length > linesMax ? " …" : ""}`
}

/** Records with the same action, scores and factors: how far they moved, why, and their lines. */
const renderGroup = (screen: Terminal, group: ReadonlyArray<Move>): ReadonlyArray<string> => {
  const [first] = group
  if (first === undefined) return []
  const { from, request, to } = first
  const move = moveBetween(from, to)
  const { points } = move
  const sign = points < 0 ? "−" : points > 0 ? "+" : "±"
  const change = screen.color(isFall(move) ? "red" : "yellow", `${sign}${Math.abs(points)}`)
  const times = group.length > 1 ? screen.color("bold", `  × ${group.length}`) : ""
  const why = whyText(first)
  return lines(
    `  ${change}  ${positionText(screen, from)} → ${positionText(screen, to)}  ${actionName(request)}${times}`,
    from.control !== to.control && `${indent}${from.control} → ${to.control}`,
    why !== "" && paragraph(screen, why, indent.length),
    screen.color("dim", `${indent}${placesText(group)}`)
  )
}

/** `total`: the number of all moves, including those that the backtest did not keep. */
const renderMoves = (screen: Terminal, moves: ReadonlyArray<Move>, total: number): ReadonlyArray<string> => {
  const groups = [...Map.groupBy(moves, groupingKey).values()].slice(0, groupsMax)
  const more = total - groups.reduce((sum, group) => sum + group.length, 0)
  return lines(
    groups.flatMap((group) => renderGroup(screen, group)),
    more > 0 && screen.color("dim", `  and ${figure(more)} more: see --json`)
  )
}

const widthMax = 60

/** `stripe.payouts.create in production` */
export const actionName = ({ action_type, environment }: JsonObject): string =>
  `${shownName(String(action_type), widthMax)} in ${shownName(String(environment), widthMax)}`

export const factorMoveText = ({ code, from, to }: FactorMove): string => {
  if (from === null) return `${code} appeared (${to})`
  return to === null ? `${code} vanished (${from})` : `${code} ${from} → ${to}`
}

const shades = [" ", "░", "▒", "▓", "█"]

/** The share of the row as one block character. A count above 0 is never blank. */
const shade = (count: number, total: number): string =>
  count === 0 ? "·" : (shades[Math.max(1, Math.ceil((count / total) * (shades.length - 1)))] ?? "█")

const styleAt = (from: number, to: number, count: number): Style => {
  if (count === 0 || from === to) return "dim"
  return to < from ? "alarm" : "yellow"
}

const cells = (transitions: LevelMatrix, level: ActionRiskLevel): Row => {
  const counts = actionRiskLevels.map((to) => transitions[level][to])
  const total = counts.reduce((sum, count) => sum + count, 0)
  const columns = counts.map((count, to) => ({
    text: `${count === 0 ? "" : figure(count)} ${shade(count, total)}`,
    style: styleAt(actionRiskLevels.indexOf(level), to, count),
    align: "right" as const
  }))
  return [{ text: level, style: "bold" }, ...columns, ""]
}

/** `counts[row][column]`: a lower level in the column is an alarm. The darker the block, the larger its share of the row. */
export const renderLevelMatrix = (
  screen: Terminal,
  caption: string,
  counts: LevelMatrix
): ReadonlyArray<string> => {
  const rows = actionRiskLevels.map((level) => cells(counts, level))
  return [
    screen.color("dim", `  ${caption}`),
    ...table(screen, [["", ...right(...actionRiskLevels), ""], ...rows])
  ]
}

const factorsMax = 15

const figureCell = (count: number, style: Style = "plain"): Row[number] => ({
  text: count === 0 ? "·" : figure(count),
  style: count === 0 ? "dim" : style,
  align: "right"
})

const right = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim", align: "right" }))

const countsOf = ({ appeared, severityLowered, severityRaised, vanished }: FactorShift) =>
  [appeared, vanished, severityRaised, severityLowered] as const
const changes = (factor: FactorShift): number => countsOf(factor).reduce((sum, count) => sum + count, 0)

const renderFactorShifts = (screen: Terminal, { factors }: Backtest): ReadonlyArray<string> => {
  const most = Math.max(1, ...factors.map(changes))
  const rows = factors
    .slice(0, factorsMax)
    .map((factor): Row => [
      factor.code,
      ...countsOf(factor).map((count) => figureCell(count)),
      { text: bar((changes(factor) / most) * 100), style: "cyan" }
    ])
  const head: Row = [...headings("factor"), ...right("appeared", "vanished", "raised", "lowered"), ""]
  return factors.length === 0 ? [] : table(screen, [head, ...rows])
}

/** The categories of actions in which at least one score or control moved. */
const renderCategoryShifts = (screen: Terminal, { categories }: Backtest): ReadonlyArray<string> => {
  const moved = categories.filter(
    ({ lowered, raised, strengthened, weakened }) => lowered + raised + weakened + strengthened > 0
  )
  const head: Row = [
    ...headings("category"),
    ...right("records", "fell", "rose", "score lower", "score higher", "control weaker", "stronger"),
    ""
  ]
  const rows = moved.map((shift): Row => [
    shift.name,
    figureCell(shift.records),
    figureCell(shift.falls, "red"),
    ...[shift.rises, shift.lowered, shift.raised].map((count) => figureCell(count)),
    figureCell(shift.weakened, "red"),
    figureCell(shift.strengthened),
    ""
  ])
  return moved.length === 0 ? [] : table(screen, [head, ...rows])
}
