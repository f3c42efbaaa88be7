/** A backtest in a comment: how levels move, every fall first, the largest moves folded away. */

import type { Backtest, Move } from "../../../../rules/backtest/Backtest.ts"
import { figure } from "../figures.ts"
import { levelsAscending } from "../levelsAscending.ts"
import { actionTypeOf, alike, reasonsOf } from "../sections/moveList.ts"
import { code, folded, table, words } from "./inline.ts"

const shownMax = 10

const moves = (list: ReadonlyArray<Move>): string =>
  table(
    ["Action", "Times", "Before", "After", "Why"],
    alike(list)
      .slice(0, shownMax)
      .map(({ count, move }) => [
        code(actionTypeOf(move)),
        figure(count),
        `${move.from.score} ${move.from.level}`,
        `**${move.to.score} ${move.to.level}**`,
        words(reasonsOf(move).join("; "))
      ])
  )

const transitions = ({ transitions }: Backtest): string =>
  table(
    ["before ↓ after →", ...levelsAscending],
    levelsAscending.map((from) => [
      `**${from}**`,
      ...levelsAscending.map((to) => (transitions[from][to] === 0 ? "" : figure(transitions[from][to])))
    ])
  )

export const backtestMarkdown = (result: Backtest): ReadonlyArray<string> => {
  const { counts, falls, movers } = result
  return [
    "### Backtest",
    transitions(result),
    ...(counts.falls === 0 ? [] : [`**Falls in level (${figure(counts.falls)})**`, moves(falls)]),
    ...(movers.length === 0 ? [] : [folded("The largest moves of the score", moves(movers))])
  ]
}
