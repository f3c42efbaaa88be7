/** A rule's condition in plain English: `the action class is export or transact, and entities_affected is at least 1,000`. */

import { renderFigure } from "../scoring/renderFigure.ts"
import {
  type Choice,
  type Comparison,
  type ComparisonOperator,
  chooses,
  type Condition,
  factKind,
  isComparison
} from "./Condition.ts"
import { factWords } from "./describeCondition/factWords.ts"

const comparisons: Readonly<Record<ComparisonOperator, string>> = {
  greaterThan: "above",
  greaterThanInclusive: "at least",
  lessThan: "below",
  lessThanInclusive: "at most"
}

/** `a`, `a or b`, `a, b or c` */
const either = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const choice = (atom: Choice): string => {
  const words = factWords[atom.fact]
  if ("yes" in words) {
    const [yes, no] = [chooses(atom, true), chooses(atom, false)]
    if (yes === no) return yes ? "always" : "never"
    return yes ? words.yes : words.no
  }
  const names = [atom.value].flat().map((value) => renderFigure(atom.fact, value))
  if (atom.operator === "equal" || atom.operator === "in") return `${words.subject} is ${either(names)}`
  return `${words.subject} is ${names.length > 1 ? "none of" : "not"} ${names.join(", ")}`
}

const comparison = ({ fact, operator, value }: Comparison): string => {
  const words = factWords[fact]
  if ("yes" in words) return words.yes
  const kind = factKind(fact)
  const greatest = kind.kind === "rank" && value === kind.max && operator === "greaterThanInclusive"
  const figure = `${renderFigure(fact, value)}${words.unit ?? ""}`
  return `${words.subject} is ${greatest ? "" : `${comparisons[operator]} `}${figure}`
}

export const describeAtom = (atom: Comparison | Choice): string =>
  isComparison(atom) ? comparison(atom) : choice(atom)

/** A group inside a group stands in brackets, so that no reader has to know which binds closer. */
const inside = (condition: Condition): string => {
  const terms = "all" in condition ? condition.all : "any" in condition ? condition.any : []
  return terms.length > 1 ? `(${describeCondition(condition)})` : describeCondition(condition)
}

export const describeCondition = (condition: Condition): string => {
  if ("all" in condition) {
    return condition.all.length === 0 ? "always" : condition.all.map(inside).join(", and ")
  }
  if ("any" in condition) {
    return condition.any.length === 0 ? "never" : condition.any.map(inside).join(", or ")
  }
  return describeAtom(condition)
}
