/** The level transition matrix: where records stood and where they stand, the heavier the darker. */

import { levels } from "../../../domain/Level.ts"
import type { Backtest, Transitions } from "../../../rules/backtest/Backtest.ts"
import { headings } from "../headings.ts"
import type { Sheet, Style } from "../Sheet.ts"
import { type Row, table } from "../table.ts"

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

export const renderTransitions = (
  sheet: Sheet,
  { from, to, transitions }: Pick<Backtest, "from" | "to" | "transitions">
): ReadonlyArray<string> => {
  const right = shown.map((level) => ({ text: level, style: "dim", align: "right" }) as const)
  return [
    sheet.ink("dim", `  rows: level under ${from}, columns: under ${to}`),
    ...table(sheet, [[...headings(""), ...right, ""], ...shown.map((level) => cells(transitions, level))])
  ]
}
