/** A condition in the form used by the analysis: each literal holds the set of values that makes it true, and every term can be negated. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { ChoiceValue, Condition, ConditionAtom } from "../language/Rule.ts"
import {
  type Box,
  includes,
  overlaps,
  type ValueSet,
  valuesIn,
  valuesWhereFalse,
  valuesWhereTrue
} from "./Box.ts"

/** True if the fact has one of the values in `yes`. `no` contains all its other values. */
export interface Literal {
  readonly fact: FactName
  readonly yes: ValueSet
  readonly no: ValueSet
}

export type Term = { readonly all: ReadonlyArray<Term> } | { readonly any: ReadonlyArray<Term> } | Literal

const literal = (atom: ConditionAtom): Literal => ({
  fact: atom.fact,
  yes: valuesWhereTrue(atom),
  no: valuesWhereFalse(atom)
})

export const termOf = (condition: Condition): Term => {
  if ("all" in condition) return { all: condition.all.map(termOf) }
  if ("any" in condition) return { any: condition.any.map(termOf) }
  return literal(condition)
}

/** The negation: true for exactly the facts for which the term is false. */
export const not = (term: Term): Term => {
  if ("all" in term) return { any: term.all.map(not) }
  if ("any" in term) return { all: term.any.map(not) }
  return { fact: term.fact, yes: term.no, no: term.yes }
}

/** Whether the term is true for this facts record. */
export const termHolds = (term: Term, facts: Facts): boolean => {
  if ("all" in term) return term.all.every((part) => termHolds(part, facts))
  if ("any" in term) return term.any.some((part) => termHolds(part, facts))
  return includes(term.yes, facts[term.fact])
}

export const all = (...terms: ReadonlyArray<Term>): Term => ({ all: terms })
export const any = (...terms: ReadonlyArray<Term>): Term => ({ any: terms })
export const implication = (premise: Term, conclusion: Term): Term => any(not(premise), conclusion)

export const is = (fact: FactName, value: ChoiceValue): Term => literal({ fact, operator: "equal", value })
export const isOneOf = (fact: FactName, value: ReadonlyArray<ChoiceValue>): Term =>
  literal({ fact, operator: "in", value })
export const atLeast = (fact: FactName, value: number): Term =>
  literal({ fact, operator: "greaterThanInclusive", value })
export const atMost = (fact: FactName, value: number): Term =>
  literal({ fact, operator: "lessThanInclusive", value })

export const exactly = (fact: FactName, value: ChoiceValue | number): Term =>
  typeof value === "number" ? all(atLeast(fact, value), atMost(fact, value)) : is(fact, value)

/**
 * Decides a term in a box as far as possible: true if it holds for all facts in the box, false if for none, otherwise the part that is
 * still undecided there. Groups in the result are neither empty nor nested in a group of the same kind.
 */
export const simplify = (term: Term, box: Box): Term | boolean => {
  if ("all" in term) {
    const rest: Array<Term> = []
    for (const part of term.all) {
      const simplified = simplify(part, box)
      if (simplified === false) return false
      if (simplified === true) continue
      if ("all" in simplified) rest.push(...simplified.all)
      else rest.push(simplified)
    }
    return rest.length === 0 ? true : rest.length === 1 ? (rest[0] ?? true) : { all: rest }
  }
  if ("any" in term) {
    const rest: Array<Term> = []
    for (const part of term.any) {
      const simplified = simplify(part, box)
      if (simplified === true) return true
      if (simplified === false) continue
      if ("any" in simplified) rest.push(...simplified.any)
      else rest.push(simplified)
    }
    return rest.length === 0 ? false : rest.length === 1 ? (rest[0] ?? false) : { any: rest }
  }
  const values = valuesIn(box, term.fact)
  if (!overlaps(values, term.yes)) return false
  return overlaps(values, term.no) ? term : true
}
