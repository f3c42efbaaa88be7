/** A condition as the analysis uses it: each literal holds the set of values that makes it true, and every term has a negation. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { ChoiceValue, Condition, ConditionAtom } from "../language/Rule.ts"
import { type Box, overlaps, type ValueSet, valuesIn, valuesWhereFalse, valuesWhereTrue } from "./Box.ts"

/** Holds where the fact is one of `yes`, which together with `no` is all that it can be. */
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

/** Holds exactly where the term does not. */
export const not = (term: Term): Term => {
  if ("all" in term) return { any: term.all.map(not) }
  if ("any" in term) return { all: term.any.map(not) }
  return { fact: term.fact, yes: term.no, no: term.yes }
}

export const all = (...terms: ReadonlyArray<Term>): Term => ({ all: terms })
export const any = (...terms: ReadonlyArray<Term>): Term => ({ any: terms })
export const implication = (from: Term, what: Term): Term => any(not(from), what)

export const is = (fact: FactName, value: ChoiceValue): Term => literal({ fact, operator: "equal", value })
export const isOneOf = (fact: FactName, value: ReadonlyArray<ChoiceValue>): Term =>
  literal({ fact, operator: "in", value })
export const atLeast = (fact: FactName, value: number): Term =>
  literal({ fact, operator: "greaterThanInclusive", value })
export const atMost = (fact: FactName, value: number): Term =>
  literal({ fact, operator: "lessThanInclusive", value })

export const exactly = (fact: FactName, value: ChoiceValue | number): Term =>
  typeof value === "number" ? all(atLeast(fact, value), atMost(fact, value)) : is(fact, value)

/** Holds for these facts, whatever the others are. */
export const matchesFacts = (facts: Partial<Facts>): Term =>
  all(...Object.entries(facts).map(([fact, value]) => exactly(fact as FactName, value)))

/**
 * Settles as much of a term as a box decides.
 * Whether the term holds everywhere in the box, nowhere in it, or else what is left to ask there.
 */
export const simplify = (term: Term, box: Box): Term | boolean => {
  if ("all" in term) {
    const rest: Array<Term> = []
    for (const part of term.all) {
      const left = simplify(part, box)
      if (left === false) return false
      if (left === true) continue
      if ("all" in left) rest.push(...left.all)
      else rest.push(left)
    }
    return rest.length === 0 ? true : rest.length === 1 ? (rest[0] ?? true) : { all: rest }
  }
  if ("any" in term) {
    const rest: Array<Term> = []
    for (const part of term.any) {
      const left = simplify(part, box)
      if (left === true) return true
      if (left === false) continue
      if ("any" in left) rest.push(...left.any)
      else rest.push(left)
    }
    return rest.length === 0 ? false : rest.length === 1 ? (rest[0] ?? false) : { any: rest }
  }
  const values = valuesIn(box, term.fact)
  if (!overlaps(values, term.yes)) return false
  return overlaps(values, term.no) ? term : true
}
