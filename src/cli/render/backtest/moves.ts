/** Records that moved: how far, which action, and the factors behind it; those that moved alike are told once. */

import type { Move } from "../../../rules/backtest/Backtest.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { wrap } from "../wrap.ts"
import { actionName } from "./actionName.ts"
import { factorMoveText } from "./factorMove.ts"

const indent = "    "
const linesMax = 8

const positionText = (sheet: Sheet, { level, score }: Move["from"]): string =>
  `${sheet.ink(styleOf[level], level)} ${score}`

const whyText = ({ factors }: Move): string => factors.map(factorMoveText).join(", ")

/** What is printed of a record besides where it stands in the history. */
const likeness = (move: Move): string => {
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
const renderGroup = (sheet: Sheet, group: ReadonlyArray<Move>): ReadonlyArray<string> => {
  const [move] = group
  if (move === undefined) return []
  const { from, request, to } = move
  const points = to.score - from.score
  const change = sheet.ink(points < 0 ? "red" : "yellow", `${points < 0 ? "−" : "+"}${Math.abs(points)}`)
  const times = group.length > 1 ? sheet.ink("bold", `  × ${group.length}`) : ""
  const why = whyText(move)
  return [
    `  ${change}  ${positionText(sheet, from)} → ${positionText(sheet, to)}  ${actionName(request)}${times}`,
    ...(why === "" ? [] : wrap(why, sheet.width - indent.length).map((text) => indent + text)),
    sheet.ink("dim", `${indent}${placesText(group)}`)
  ]
}

/** `total`: how many there are, kept or not. */
export const renderMoves = (
  sheet: Sheet,
  moves: ReadonlyArray<Move>,
  groupsMax: number,
  total: number
): ReadonlyArray<string> => {
  const groups = [...Map.groupBy(moves, likeness).values()].slice(0, groupsMax)
  const more = total - groups.reduce((sum, group) => sum + group.length, 0)
  return [
    ...groups.flatMap((group) => renderGroup(sheet, group)),
    ...(more > 0 ? [sheet.ink("dim", `  and ${more.toLocaleString("en-US")} more: see --json`)] : [])
  ]
}
