/** The agreement with labelled calls for people: the measures, levels against labels, pairs out of order, disagreements. */

import type { Agreement, Disagreement } from "../../rules/agreement/Agreement.ts"
import { type CallPair, type Measure, roundedValue, stepsAbove } from "../../rules/agreement/measures.ts"
import {
  headings,
  levelStyle,
  printable,
  type Row,
  table,
  type Terminal,
  wrap,
  titledLines
} from "../Terminal.ts"
import { renderLevelMatrix } from "../rules/backtestView.ts"
import { requestText } from "../rules/witness.ts"
import { counted, figure } from "../texts.ts"

/** `limit`: how many disagreements to show. */
export const renderAgreement = (screen: Terminal, agreement: Agreement, limit: number): string => {
  const { disagreements, misordered, rules } = agreement
  return [
    headline(screen, agreement),
    ...titledLines(screen, "Measures", renderMeasures(screen, agreement.measures)),
    ...titledLines(
      screen,
      "Levels",
      renderLevelMatrix(screen, `rows: labels, columns: answers of ${rules}`, agreement.confusion)
    ),
    ...titledLines(screen, "Pairs out of order", renderPairs(screen, misordered)),
    ...titledLines(
      screen,
      "Disagreements, most expensive first",
      renderDisagreements(screen, disagreements, limit)
    )
  ].join("\n")
}

const headline = (screen: Terminal, { calls, cost, disagreements, policies, rules }: Agreement): string => {
  const answers = screen.color("bold", policies.startsWith("none@") ? rules : `${rules} with ${policies}`)
  const differ =
    disagreements.length === 0
      ? screen.color("green", "all answered as labelled")
      : `${figure(disagreements.length)} answered differently, cost ${figure(cost)}`
  return `${answers}  ${counted(calls, "labelled call")}, ${differ}`
}

/** Kappa with three decimals, shares with one of percent, which is as exact. */
const valueText = (measure: Measure): string => {
  const value = roundedValue(measure, 3)
  if (value === null) return "–"
  switch (measure.form) {
    case "ratio":
      return value.toFixed(3)
    case "share":
      return `${(value * 100).toFixed(1)} %`
    case "count":
      return figure(measure.count)
  }
}

const standardCell = (standard: Measure["goal"]): Row[number] => {
  if (standard === null) return ""
  const { met, text } = standard
  if (met === null) return { text: `  ${text}`, style: "dim" }
  return met ? { text: `✔ ${text}`, style: "green" } : { text: `✘ ${text}`, style: "red" }
}

const renderMeasures = (screen: Terminal, measures: ReadonlyArray<Measure>): ReadonlyArray<string> =>
  table(screen, [
    headings("", "", "", "  enough", "  goal"),
    ...measures.map((measure): Row => [
      measure.title,
      { text: valueText(measure), align: "right" },
      measure.form === "ratio" || measure.of === 0 ? "" : `${figure(measure.count)} of ${figure(measure.of)}`,
      standardCell(measure.enough),
      standardCell(measure.goal)
    ])
  ])

const renderPairs = (screen: Terminal, pairs: ReadonlyArray<CallPair>): ReadonlyArray<string> =>
  table(
    screen,
    pairs.map(([riskier, lessRisky]): Row => [
      riskier.score < lessRisky.score
        ? { text: "upside down", style: "red" }
        : { text: "the same", style: "yellow" },
      `${riskier.id} ${riskier.score}`,
      `should be above ${lessRisky.id} ${lessRisky.score}`
    ])
  )

const indent = "      "

const renderDisagreement = (screen: Terminal, call: Disagreement): ReadonlyArray<string> => {
  const { cost, factor, id, label, level, score } = call
  const answer = screen.color(levelStyle[level], `${level} ${score}`)
  const alsoThought = call.second.includes(level) ? ", a second choice" : ""
  const arrow = screen.color(stepsAbove(call) < 0 ? "red" : "yellow", `${label} → `)
  const mainly = factor === null ? "no factor" : `mainly ${factor.code} ${factor.severity}`
  const lines = (text: string) => wrap(text, screen.width - indent.length).map((line) => indent + line)
  return [
    `${String(cost).padStart(4)}  ${arrow}${answer}${alsoThought}, confidence ${call.confidence.toFixed(2)}  ${screen.color("bold", id)}`,
    ...lines(printable(requestText(call.request))),
    ...lines(`read as ${call.type} (${call.class}), ${mainly}`).map((line) => screen.color("dim", line))
  ]
}

const renderDisagreements = (
  screen: Terminal,
  disagreements: ReadonlyArray<Disagreement>,
  limit: number
): ReadonlyArray<string> => {
  const more = disagreements.length - limit
  return [
    ...disagreements.slice(0, limit).flatMap((call) => renderDisagreement(screen, call)),
    ...(more > 0 ? [screen.color("dim", `  and ${figure(more)} more: see --limit`)] : [])
  ]
}
