/** An explanation for people: which rules hold for a request and which came near, each as a tree of what it asked and saw. */

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

const given = ({ gives, kind }: ExplainedRule): { readonly text: string; readonly style: Style } => {
  const severity = severities.find((one) => one === gives)
  if (severity !== undefined) return { text: severity, style: levelStyle[severity] }
  return kind === "typology"
    ? { text: `at least ${gives}`, style: "alarm" }
    : { text: String(gives), style: "cyan" }
}

/** `1 short of the threshold`; nothing where the rule did not come near. */
const shortage = ({ near, tree }: ExplainedRule): string => {
  const [only] = lacking(tree)
  return near && only?.shortBy !== undefined
    ? `${shortText(only.atom.fact, only.shortBy)} of the threshold`
    : ""
}

const renderRule = (sheet: Terminal, rule: ExplainedRule): ReadonlyArray<string> => {
  const { style, text } = given(rule)
  const short = shortage(rule)
  const head = `${mark(sheet, rule.tree.result)} ${sheet.color("bold", rule.name)}  ${sheet.color(style, text)}`
  const fits = `✔ ${rule.name}  ${text}  ${short}`.length <= sheet.width
  const heads = fits
    ? [`${head}  ${sheet.color("yellow", short)}`.trimEnd()]
    : [head, `    ${sheet.color("yellow", short)}`]
  return [...(short === "" ? [head] : heads), ...conditionTree(sheet, rule.tree, 4)]
}

export const renderExplanation = (
  sheet: Terminal,
  { asked, response, rules }: Explanation,
  everything: boolean
): string => {
  const section = (title: string, own: ReadonlyArray<ExplainedRule>) =>
    own.length === 0
      ? []
      : ["", sheet.color("bold", title), ...own.flatMap((rule) => renderRule(sheet, rule))]
  const held = rules.filter(({ tree }) => tree.result)
  const missed = rules.filter(({ tree }) => !tree.result).toSorted(byNearness)
  const [near, far] = [missed.filter((rule) => rule.near), missed.filter((rule) => !rule.near)]
  return [
    ...renderHeadline(sheet, asked, response),
    ...section("Rules that hold", held),
    ...section("Near misses, nearest first", near),
    ...(everything ? section("Rules that do not hold, nearest first", far) : []),
    "",
    sheet.color(
      "dim",
      `${held.length} of ${rules.length} rules hold, ${near.length} came near${everything || far.length === 0 ? "" : "; --all shows the others"}`
    )
  ].join("\n")
}

/** A condition as a tree: a mark for every question, what it asks, and the value that it saw. */
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

/** A figure is shown in words and whole units, so its fact goes by the name without the unit. */
const nameOf = (fact: FactName): string => fact.replace(/_(?:rank|usd_cents|x100)$/, "")

/** `entities_affected ≥ 1,000` */
const asked = ({ fact, operator, value }: Atom): string =>
  `${nameOf(fact)} ${signs[operator]} ${[value]
    .flat()
    .map((one) => renderFigure(fact, one))
    .join(", ")}`

/** How far a figure is from its threshold: `1 short`, `0.50 USD short`; of a rank in steps. */
const shortText = (fact: FactName, shortBy: number): string =>
  fact.endsWith("_rank") || fact.endsWith("_step")
    ? `${shortBy} ${shortBy === 1 ? "step" : "steps"} short`
    : `${renderFigure(fact, shortBy)} short`

const saw = ({ actual, assumed, atom, shortBy }: AtomTrace): string =>
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
    return [{ depth, result: tree.result, text: asked(tree.atom), value: saw(tree) }]
  }
  const group = { depth, result: tree.result, text: tree.kind === "all" ? "all of" : "any of", value: "" }
  return [group, ...tree.terms.flatMap((term) => linesOf(term, depth + 1))]
}

const mark = ({ color: ink }: Terminal, result: boolean): string =>
  result ? ink("green", "✔") : ink("dim", "✘")

const step = 2
const gap = 2
const valueMin = 16

/** The value stands in its own column; what asks for it wraps in front of that. */
const renderLine = (sheet: Terminal, line: Line, start: number, column: number): ReadonlyArray<string> => {
  const ink = (text: string) => sheet.color(line.result ? "plain" : "dim", text)
  const [first = "", ...more] = wrap(line.text, Math.max(valueMin, column - gap - start))
  const space = " ".repeat(Math.max(gap, column - start - first.length))
  const value = sheet.color(line.value.endsWith("short") ? "yellow" : "cyan", line.value)
  const head = `${" ".repeat(start - 2)}${mark(sheet, line.result)} ${ink(first)}`
  return [
    line.value === "" ? head : `${head}${space}${value}`,
    ...more.map((text) => " ".repeat(start) + ink(text))
  ]
}

/** The `all` that every condition starts with goes without saying. */
const conditionTree = (sheet: Terminal, tree: Trace, indent: number): ReadonlyArray<string> => {
  const lines = tree.kind === "all" ? tree.terms.flatMap((term) => linesOf(term, 0)) : linesOf(tree, 0)
  const startOf = ({ depth }: Line) => indent + depth * step + 2
  const widest = Math.max(0, ...lines.map((line) => startOf(line) + line.text.length))
  const valueWidth = Math.max(valueMin, ...lines.map(({ value }) => value.length))
  const column = Math.min(widest + gap, sheet.width - valueWidth)
  return lines.flatMap((line) => renderLine(sheet, line, startOf(line), column))
}
