/** Finds facts that satisfy a term: exactly, within a limit of steps. */

import { analysisStepsMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { type Box, includes, mildestPoint, mildestValue, narrow, valuesIn, wholeSpace } from "./Box.ts"
import { type Literal, simplify, type Term } from "./Term.ts"

/** Finds facts that satisfy the term, or proves that there are none, within a limit of steps. */
export const findFacts = (term: Term): Facts | "none" | "undecided" => {
  let steps = 0
  for (const box of boxesWhere(term)) {
    if (box !== null) return mildestPoint(box)
    if (++steps > analysisStepsMax) return "undecided"
  }
  return "none"
}

/** The literals that must hold for the term to hold. */
const unitLiterals = (term: Term): ReadonlyArray<Literal> =>
  "all" in term ? term.all.filter((part): part is Literal => "fact" in part) : "fact" in term ? [term] : []

export const firstLiteral = (term: Term): Literal => {
  if ("fact" in term) return term
  const [first] = "all" in term ? term.all : term.any
  // Invariant: `simplify` leaves no empty group.
  if (first === undefined) throw new Error("a simplified group is empty")
  return firstLiteral(first)
}

interface Propagated {
  readonly box: Box
  /** The part of the term that is undecided in the box; true if the term holds everywhere in it. */
  readonly rest: Term | true
}

/** Narrows the box by the literals that must hold, until no further literal follows; null if the term holds nowhere in the box. */
export const propagate = (term: Term, box: Box): Propagated | null => {
  let narrowed = box
  for (;;) {
    const rest = simplify(term, narrowed)
    if (rest === false) return null
    if (rest === true) return { box: narrowed, rest }
    const literals = unitLiterals(rest)
    if (literals.length === 0) return { box: narrowed, rest }
    for (const { fact, yes } of literals) {
      const next = narrow(narrowed, fact, yes)
      if (next === null) return null
      narrowed = next
    }
  }
}

/** Both value sets of a literal, the milder one first, so that ordinary examples are found first. */
export const branchesOf = ({ fact, no, yes }: Literal, box: Box) =>
  includes(yes, mildestValue(valuesIn(box, fact))) ? [yes, no] : [no, yes]

/**
 * The boxes in which the term holds. They are disjoint and together cover all facts that satisfy it. Yields null for a step that found no
 * box, so that the caller can count steps and stop.
 */
export function* boxesWhere(term: Term, box: Box = wholeSpace): Generator<Box | null> {
  const propagated = propagate(term, box)
  if (propagated === null) return yield null
  if (propagated.rest === true) return yield propagated.box
  const literal = firstLiteral(propagated.rest)
  yield null
  for (const values of branchesOf(literal, propagated.box)) {
    const part = narrow(propagated.box, literal.fact, values)
    if (part !== null) yield* boxesWhere(propagated.rest, part)
  }
}
