/** What would it have changed, over the assessments that were really made? */

import type { Backtest } from "../../../../rules/backtest/Backtest.ts"
import { counted, figure } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"
import type { Report } from "../Report.ts"
import { backtestCharts } from "./backtestCharts.ts"
import { alike, moveList } from "./moveList.ts"
import { section } from "./section.ts"

const shownMax = 20

export const backtestSection = ({ backtest, from, to }: Report): Markup => {
  if (backtest === null) {
    return section(
      "backtest",
      "Backtest",
      "No history was given. With `--history` the report scores recorded assessments with both and shows which would move.",
      []
    )
  }
  const { history, result } = backtest
  return section(
    "backtest",
    "Backtest",
    `The assessments recorded in ${history}, scored again with ${from.label} and with ${to.label}, each with the behaviour that it was scored with then.`,
    [tiles(result), unreadable(result), ...falls(result), backtestCharts(result), ...movers(result)]
  )
}

const tiles = ({ counts }: Backtest): Markup => {
  const tile = (name: string, count: number, ink = "") =>
    markup`<div><dt>${name}</dt><dd${count > 0 && ink !== "" ? markup` class="${ink}"` : null}>${figure(count)}</dd></div>`
  return markup`<dl class="tiles">${[
    tile("assessments", counts.records),
    tile("fall in level", counts.falls, "fall"),
    tile("rise in level", counts.rises, "rise"),
    tile("score lower", counts.lowered, "fall"),
    tile("score higher", counts.raised, "rise"),
    tile("other control", counts.controlsChanged),
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

const falls = ({ counts, falls }: Backtest): ReadonlyArray<Markup> => {
  if (counts.falls === 0) return []
  const kinds = alike(falls)
  const shown = kinds.slice(0, shownMax)
  const listed = shown.reduce((sum, { count }) => sum + count, 0)
  const rest = counts.falls > listed ? ` The first ${figure(listed)} of them:` : ""
  return [
    markup`<h3>Falls in level (${figure(counts.falls)})</h3>
<p>Each of these would have been called less risky than it was.${rest}</p>
`,
    moveList(shown)
  ]
}

const movers = ({ counts, movers }: Backtest): ReadonlyArray<Markup> =>
  counts.lowered + counts.raised === 0
    ? []
    : [markup`<h3>The largest moves of the score</h3>\n`, moveList(alike(movers).slice(0, shownMax))]
