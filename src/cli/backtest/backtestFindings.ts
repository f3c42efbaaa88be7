/** A backtest as findings at the lines of its history: every fall in level, and every line that could not be read. */

import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import type { LocatedFinding } from "../../rules/LocatedFinding.ts"
import { actionName } from "../render/backtest/actionName.ts"
import { factorMoveText } from "../render/backtest/factorMove.ts"

const fallText = ({ factors, from, request, to }: Move): string => {
  const why = factors.map(factorMoveText).join(", ")
  return `\`${actionName(request)}\` falls from ${from.level} (${from.score}) to ${to.level} (${to.score})${why === "" ? "" : `: ${why}`}`
}

/** Those that were kept; a last finding says how many more there are. */
export const backtestFindings = (backtest: Backtest, file: string): ReadonlyArray<LocatedFinding> => {
  const at = (line: number) => ({ file, line, column: 1, severity: "error" }) as const
  const more = (count: number, what: string) =>
    count > 0
      ? [{ ...at(1), rule: "level-fell", message: `${count.toLocaleString("en-US")} more ${what}` }]
      : []
  const { counts, falls, unreadable } = backtest
  return [
    ...falls.map((move) => ({ ...at(move.line), rule: "level-fell", message: fallText(move) })),
    ...more(counts.falls - falls.length, "records fall in level"),
    ...unreadable.map(({ line, message }) => ({
      ...at(line),
      rule: "unreadable-record",
      message: `the line ${message}, so it was not scored`
    })),
    ...more(counts.unreadable - unreadable.length, "lines cannot be read").map((finding) => ({
      ...finding,
      rule: "unreadable-record"
    }))
  ]
}
