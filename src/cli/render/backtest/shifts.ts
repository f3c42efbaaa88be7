/** Which factors changed, and which categories of actions moved, as bars and figures. */

import type { Backtest, FactorShift } from "../../../rules/backtest/Backtest.ts"
import { bar } from "../bar.ts"
import { headings } from "../headings.ts"
import type { Sheet, Style } from "../Sheet.ts"
import { type Row, table } from "../table.ts"

const factorsMax = 15

const figure = (count: number, style: Style = "plain"): Row[number] => ({
  text: count === 0 ? "·" : count.toLocaleString("en-US"),
  style: count === 0 ? "dim" : style,
  align: "right"
})

const right = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim", align: "right" }))

const changes = ({ appeared, severityLowered, severityRaised, vanished }: FactorShift): number =>
  appeared + vanished + severityRaised + severityLowered

export const renderFactorShifts = (sheet: Sheet, { factors }: Backtest): ReadonlyArray<string> => {
  const most = Math.max(1, ...factors.map(changes))
  const rows = factors
    .slice(0, factorsMax)
    .map((factor): Row => [
      factor.code,
      figure(factor.appeared),
      figure(factor.vanished),
      figure(factor.severityRaised),
      figure(factor.severityLowered),
      { text: bar((changes(factor) / most) * 100), style: "cyan" }
    ])
  const head: Row = [...headings("factor"), ...right("appeared", "vanished", "raised", "lowered"), ""]
  return factors.length === 0 ? [] : table(sheet, [head, ...rows])
}

/** Only those in which anything moved. */
export const renderCategoryShifts = (sheet: Sheet, { categories }: Backtest): ReadonlyArray<string> => {
  const moved = categories.filter(({ lowered, raised }) => lowered + raised > 0)
  const head: Row = [
    ...headings("category"),
    ...right("records", "fell", "rose", "score lower", "score higher"),
    ""
  ]
  const rows = moved.map(({ falls, lowered, name, raised, records, rises }): Row => [
    name,
    figure(records),
    figure(falls, "red"),
    figure(rises),
    figure(lowered),
    figure(raised),
    ""
  ])
  return moved.length === 0 ? [] : table(sheet, [head, ...rows])
}
