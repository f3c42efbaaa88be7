/** An explanation for people: the rules that hold for a request and those that came near, each as a tree of conditions and values. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { severities } from "../../domain/Opinion.ts"
import {
  type AtomTrace,
  byNearness,
  type ExplainedRule,
  lacking,
  type Trace
} from "../../rules/explain/explainRules.ts"
import type { Atom } from "../../rules/language/Rule.ts"
import type { FactName } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import { levelStyle, type Style, type Terminal, wrap } from "../Terminal.ts"
import { type AskedAction, renderHeadline } from "../assessmentView.ts"

export interface Explanation {
  readonly asked: AskedAction
  readonly response: AssessmentResponse
  readonly rules: ReadonlyArray<ExplainedRule>
}

const effectOf = ({ gives, kind }: ExplainedRule): { readonly text: string; readonly style: Style } => {
  const severity = severities.find((name) => name === gives)
  if (severity !== undefined) return { text: severity, style: levelStyle[severity] }
  return kind === "typology"
    ? { text: `at least ${gives}`, style: "alarm" }
    : { text: String(gives), style: "cyan" }
}

/** `1 short of the threshold`; empty where the rule did not come near. */
const shortage = ({ near, tree }: ExplainedRule): string => {
  const [only] = lacking(tree)
  return near && only?.shortBy !== undefined
    ? `${shortText(only.atom.fact, only.shortBy)} of the threshold`
    : ""
}

const renderRule = (screen: Terminal, rule: ExplainedRule): ReadonlyArray<string> => {
  const { style, text } = effectOf(rule)
  const short = shortage(rule)
  const head = `${mark(screen, rule.tree.result)} ${screen.color("bold", rule.name)}  ${screen.color(style, text)}`
  const fits = `✔ ${rule.name}  ${text}  ${short}`.length <= screen.width
  const heads = fits
    ? [`${head}  ${screen.color("yellow", short)}`.trimEnd()]
    : [head, `    ${screen.color("yellow", short)}`]
  return [...(short === "" ? [head] : heads), ...conditionTree(screen, rule.tree, 4)]
}

export const renderExplanation = (
  screen: Terminal,
  { asked, response, rules }: Explanation,
  everything: boolean
): string => {
  const section = (title: string, own: ReadonlyArray<ExplainedRule>) =>
    own.length === 0
      ? []
      : ["", screen.color("bold", title), ...own.flatMap((rule) => renderRule(screen, rule))]
  const held = rules.filter(({ tree }) => tree.result)
  const missed = rules.filter(({ tree }) => !tree.result).toSorted(byNearness)
  const [near, far] = [missed.filter((rule) => rule.near), missed.filter((rule) => !rule.near)]
  return [
    ...renderHeadline(screen, asked, response),
    ...section("Rules that hold", held),
    ...section("Near misses, nearest first", near),
    ...(everything ? section("Rules that do not hold, nearest first", far) : []),
    "",
    screen.color(
      "dim",
      `${held.length} of ${rules.length} rules hold, ${near.length} came near${everything || far.length === 0 ? "" : "; --all shows the others"}`
    )
  ].join("\n")
}

const signs: Readonly<Record<Atom["operator"], string>> = {
  equal: "=",
  notEqual: "≠",
  in: "in",
  notIn: "not in",
  greaterThan: ">",
  greaterThanInclusive: "≥",
  lessThan: "<",
  lessThanInclusive: "≤"
}

/** The name of a fact without its unit: the value beside it is shown in words or whole units. */
const nameOf = (fact: FactName): string => fact.replace(/_(?:rank|usd_cents|x100)$/, "")

/** `entities_affected ≥ 1,000` */
const conditionText = ({ fact, operator, value }: Atom): string =>
  `${nameOf(fact)} ${signs[operator]} ${[value]
    .flat()
    .map((each) => renderFigure(fact, each))
    .join(", ")}`

/** The distance to the threshold: `1 short`, `0.50 USD short`. Ranks are counted in steps. */
const shortText = (fact: FactName, shortBy: number): string =>
  fact.endsWith("_rank") || fact.endsWith("_step")
    ? `${shortBy} ${shortBy === 1 ? "step" : "steps"} short`
    : `${renderFigure(fact, shortBy)} short`

const actualText = ({ actual, assumed, atom, shortBy }: AtomTrace): string =>
  [
    renderFigure(atom.fact, actual),
    ...(assumed === true ? ["assumed"] : []),
    ...(shortBy === undefined ? [] : [shortText(atom.fact, shortBy)])
  ].join(", ")

interface Line {
  readonly depth: number
  readonly result: boolean
  readonly text: string
  readonly value: string
}

const linesOf = (tree: Trace, depth: number): ReadonlyArray<Line> => {
  if (tree.kind === "atom") {
    return [{ depth, result: tree.result, text: conditionText(tree.atom), value: actualText(tree) }]
  }
  const group = { depth, result: tree.result, text: tree.kind === "all" ? "all of" : "any of", value: "" }
  return [group, ...tree.terms.flatMap((term) => linesOf(term, depth + 1))]
}

const mark = ({ color }: Terminal, result: boolean): string =>
  result ? color("green", "✔") : color("dim", "✘")

const step = 2
const gap = 2
const valueMin = 16

/** The condition wraps in front of the column of values. */
const renderLine = (screen: Terminal, line: Line, start: number, column: number): ReadonlyArray<string> => {
  const paint = (text: string) => screen.color(line.result ? "plain" : "dim", text)
  const [first = "", ...more] = wrap(line.text, Math.max(valueMin, column - gap - start))
  const space = " ".repeat(Math.max(gap, column - start - first.length))
  const value = screen.color(line.value.endsWith("short") ? "yellow" : "cyan", line.value)
  const head = `${" ".repeat(start - 2)}${mark(screen, line.result)} ${paint(first)}`
  return [
    line.value === "" ? head : `${head}${space}${value}`,
    ...more.map((text) => " ".repeat(start) + paint(text))
  ]
}

/** The tree of a condition, with a mark for every atom. The outermost `all` is left out, because every condition has it. */
const conditionTree = (screen: Terminal, tree: Trace, indent: number): ReadonlyArray<string> => {
  const lines = tree.kind === "all" ? tree.terms.flatMap((term) => linesOf(term, 0)) : linesOf(tree, 0)
  const startOf = ({ depth }: Line) => indent + depth * step + 2
  const widest = Math.max(0, ...lines.map((line) => startOf(line) + line.text.length))
  const valueWidth = Math.max(valueMin, ...lines.map(({ value }) => value.length))
  const column = Math.min(widest + gap, screen.width - valueWidth)
  return lines.flatMap((line) => renderLine(screen, line, startOf(line), column))
}
