/** The charts of a backtest: levels, scores, categories, factors. */

import type { Backtest, FactorShift } from "../../../../rules/backtest/Backtest.ts"
import { heatMap } from "../charts/heatMap.ts"
import { binsOf, histogram, nameOf } from "../charts/histogram.ts"
import { towers } from "../charts/towers.ts"
import { figure } from "../figures.ts"
import { levelsAscending } from "../levelsAscending.ts"
import { type Markup, markup } from "../markup.ts"
import { chartFigure } from "./figure.ts"

const factorsMax = 10

export const backtestCharts = (result: Backtest): Markup | null => {
  const drawn = [levels(result), ...scores(result), ...categories(result), ...factors(result)]
  return markup`<div class="charts">
${drawn}</div>`
}

const levels = ({ counts, transitions }: Backtest): Markup =>
  chartFigure(
    heatMap(
      transitions,
      "Level before and after",
      `${figure(counts.falls)} below the diagonal fall, ${figure(counts.rises)} above it rise.`
    ),
    {
      heads: ["before", ...levelsAscending],
      rows: levelsAscending.map((from) => [
        from,
        ...levelsAscending.map((to) => figure(transitions[from][to]))
      ])
    }
  )

const scores = ({ counts, scoreChanges }: Backtest): ReadonlyArray<Markup> => {
  const bins = binsOf(scoreChanges)
  return bins.length === 0
    ? []
    : [
        chartFigure(
          histogram(
            bins,
            "By how much scores move",
            `${figure(counts.lowered)} score lower and ${figure(counts.raised)} higher; the other ${figure(counts.records - counts.lowered - counts.raised)} are left out.`
          ),
          {
            heads: ["points", "assessments"],
            rows: bins.filter(({ records }) => records > 0).map((bin) => [nameOf(bin), figure(bin.records)])
          }
        )
      ]
}

const categories = ({ categories }: Backtest): ReadonlyArray<Markup> => {
  const moved = categories.filter(({ lowered, raised }) => lowered + raised > 0)
  return moved.length === 0
    ? []
    : [
        chartFigure(
          towers(
            moved.map(({ lowered, name, raised }) => ({ name, down: lowered, up: raised })),
            {
              id: "categories",
              title: "By category of the action",
              description: "Assessments that score lower to the left, higher to the right."
            }
          ),
          {
            heads: ["category", "assessments", "lower", "higher", "falls", "rises"],
            rows: categories.map(({ falls, lowered, name, raised, records, rises }) => [
              name,
              ...[records, lowered, raised, falls, rises].map(figure)
            ])
          }
        )
      ]
}

const down = ({ severityLowered, vanished }: FactorShift): number => vanished + severityLowered
const up = ({ appeared, severityRaised }: FactorShift): number => appeared + severityRaised

const factors = ({ factors }: Backtest): ReadonlyArray<Markup> =>
  factors.length === 0
    ? []
    : [
        chartFigure(
          towers(
            factors
              .slice(0, factorsMax)
              .map((shift) => ({ name: shift.code, down: down(shift), up: up(shift) })),
            {
              id: "factors",
              title: "By factor",
              description: "Vanishes or gets milder to the left, appears or gets more severe to the right."
            }
          ),
          {
            heads: ["factor", "appears", "vanishes", "more severe", "milder"],
            rows: factors.map(({ appeared, code, severityLowered, severityRaised, vanished }) => [
              code,
              ...[appeared, vanished, severityRaised, severityLowered].map(figure)
            ])
          }
        )
      ]
