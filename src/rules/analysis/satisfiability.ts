/** Answers questions about a condition over all possible facts: exactly, with example facts, within a bound on the steps. */

import { analysisStepsMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { bySeverity, type Condition, type FactorRule } from "../language/Rule.ts"
import { type Box, includes, mildestPoint, mildestValue, narrow, valuesIn, wholeSpace } from "./Box.ts"
import { all, type Literal, not, simplify, type Term, termOf } from "./Term.ts"
import { possibleFacts } from "./possibleFacts.ts"

export type ForAllAnswer =
  | { readonly is: "yes" }
  | { readonly is: "no"; readonly example: Facts }
  | { readonly is: "undecided" }

/**
 * Whether there are no facts that a score can ask for which a condition holds.
 * The example is where the term does hold.
 */
export const termNeverHolds = (term: Term, numbers: Numbers): ForAllAnswer => {
  const found = findFacts(all(term, possibleFacts(numbers)))
  if (found === "none") return { is: "yes" }
  return found === "undecided" ? { is: "undecided" } : { is: "no", example: found }
}

export const neverHolds = (condition: Condition, numbers: Numbers): ForAllAnswer =>
  termNeverHolds(termOf(condition), numbers)

/**
 * Whether a condition holds for all facts that a score can ask.
 * The example is where it does not.
 */
export const alwaysHolds = (condition: Condition, numbers: Numbers): ForAllAnswer =>
  termNeverHolds(not(termOf(condition)), numbers)

/**
 * Whether one condition only ever holds where another does too.
 * The example is where the first holds and the second does not. With `wide` a list: at least one of them.
 */
export const conditionImplies = (narrow: Condition, wide: Condition, numbers: Numbers): ForAllAnswer =>
  termNeverHolds(all(termOf(narrow), not(termOf(wide))), numbers)

/**
 * Whether a rule of a ladder says nothing that stronger rules of it have not said: it is shadowed.
 * `others`: the other rules of the same factor. The example is where it is the one that decides.
 */
export const alwaysShadowed = (
  rule: FactorRule,
  others: ReadonlyArray<FactorRule>,
  numbers: Numbers
): ForAllAnswer => {
  const stronger = others.filter(({ match }) => bySeverity(match, rule.match) <= 0)
  const elsewhere = stronger.map(({ condition }) => not(termOf(condition)))
  return termNeverHolds(all(termOf(rule.condition), ...elsewhere), numbers)
}

/** Finds facts for which a term holds, or establishes that there are none. */
export const findFacts = (term: Term): Facts | "none" | "undecided" => {
  let steps = 0
  for (const box of boxesWhere(term)) {
    if (box !== null) return mildestPoint(box)
    if (++steps > analysisStepsMax) return "undecided"
  }
  return "none"
}

/**
 * Walks through a box and finds every part of it where a term holds.
 * What must hold for the term to hold at all.
 */
const unitLiterals = (term: Term): ReadonlyArray<Literal> =>
  "all" in term ? term.all.filter((part): part is Literal => "fact" in part) : "fact" in term ? [term] : []

export const firstLiteral = (term: Term): Literal => {
  if ("fact" in term) return term
  const [first] = "all" in term ? term.all : term.any
  // Invariant: settling leaves no empty group.
  if (first === undefined) throw new Error("a settled group is empty")
  return firstLiteral(first)
}

interface Propagated {
  readonly box: Box
  /** Not yet decided in the box; true once the term holds throughout it. */
  readonly rest: Term | true
}

/** The box without what the term rules out by single questions, again and again until nothing more follows. */
export const propagate = (term: Term, box: Box): Propagated | null => {
  let confined = box
  for (;;) {
    const rest = simplify(term, confined)
    if (rest === false) return null
    if (rest === true) return { box: confined, rest }
    const asks = unitLiterals(rest)
    if (asks.length === 0) return { box: confined, rest }
    for (const { fact, yes } of asks) {
      const next = narrow(confined, fact, yes)
      if (next === null) return null
      confined = next
    }
  }
}

/** Both sides of a question, the quieter first: what is found soonest should look ordinary. */
export const branchesOf = ({ fact, no, yes }: Literal, box: Box) =>
  includes(yes, mildestValue(valuesIn(box, fact))) ? [yes, no] : [no, yes]

/**
 * Boxes that do not overlap and together are where the term holds. Yields null for a step that found none, so that whoever
 * asks can bound the walk by counting.
 */
export function* boxesWhere(term: Term, box: Box = wholeSpace): Generator<Box | null> {
  const held = propagate(term, box)
  if (held === null) return yield null
  if (held.rest === true) return yield held.box
  const ask = firstLiteral(held.rest)
  yield null
  for (const side of branchesOf(ask, held.box)) {
    const part = narrow(held.box, ask.fact, side)
    if (part !== null) yield* boxesWhere(held.rest, part)
  }
}

/**
 * A condition as boxes: where it holds, without overlaps.
 * Null where there are too many to list.
 */
export const boxesOfCondition = (condition: Condition): ReadonlyArray<Box> | null => {
  const boxes: Array<Box> = []
  let steps = 0
  for (const box of boxesWhere(termOf(condition))) {
    if (++steps > analysisStepsMax) return null
    if (box !== null) boxes.push(box)
  }
  return boxes
}
