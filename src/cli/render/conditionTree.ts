/** A condition as a tree: a mark for every question, what it asks, and the value that it saw. */

import { renderFigure } from "../../scoring/renderFigure.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Atom, AtomTrace, Trace } from "../../rules/explain/trace.ts"
import type { Sheet } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

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
export const shortText = (fact: FactName, shortBy: number): string =>
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

export const mark = ({ ink }: Sheet, result: boolean): string =>
  result ? ink("green", "✔") : ink("dim", "✘")

const step = 2
const gap = 2
const valueMin = 16

/** The value stands in its own column; what asks for it wraps in front of that. */
const renderLine = (sheet: Sheet, line: Line, start: number, column: number): ReadonlyArray<string> => {
  const ink = (text: string) => sheet.ink(line.result ? "plain" : "dim", text)
  const [first = "", ...more] = wrap(line.text, Math.max(valueMin, column - gap - start))
  const space = " ".repeat(Math.max(gap, column - start - first.length))
  const value = sheet.ink(line.value.endsWith("short") ? "yellow" : "cyan", line.value)
  const head = `${" ".repeat(start - 2)}${mark(sheet, line.result)} ${ink(first)}`
  return [
    line.value === "" ? head : `${head}${space}${value}`,
    ...more.map((text) => " ".repeat(start) + ink(text))
  ]
}

/** The `all` that every condition starts with goes without saying. */
export const conditionTree = (sheet: Sheet, tree: Trace, indent: number): ReadonlyArray<string> => {
  const lines = tree.kind === "all" ? tree.terms.flatMap((term) => linesOf(term, 0)) : linesOf(tree, 0)
  const startOf = ({ depth }: Line) => indent + depth * step + 2
  const widest = Math.max(0, ...lines.map((line) => startOf(line) + line.text.length))
  const valueWidth = Math.max(valueMin, ...lines.map(({ value }) => value.length))
  const column = Math.min(widest + gap, sheet.width - valueWidth)
  return lines.flatMap((line) => renderLine(sheet, line, startOf(line), column))
}
