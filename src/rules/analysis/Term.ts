/** A condition as the analysis works on it: each question holds the values that answer it, and every term has an opposite. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Choosable, Condition } from "../Condition.ts"
import { type Atom, othersOf, type Values, valuesOf } from "./Values.ts"

/** Holds where the fact is one of `yes`, which together with `no` is all that it can be. */
export interface Ask {
  readonly fact: FactName
  readonly yes: Values
  readonly no: Values
}

export type Term = { readonly all: ReadonlyArray<Term> } | { readonly any: ReadonlyArray<Term> } | Ask

const ask = (atom: Atom): Ask => ({ fact: atom.fact, yes: valuesOf(atom), no: othersOf(atom) })

export const termOf = (condition: Condition): Term => {
  if ("all" in condition) return { all: condition.all.map(termOf) }
  if ("any" in condition) return { any: condition.any.map(termOf) }
  return ask(condition)
}

/** Holds exactly where the term does not. */
export const not = (term: Term): Term => {
  if ("all" in term) return { any: term.all.map(not) }
  if ("any" in term) return { all: term.any.map(not) }
  return { fact: term.fact, yes: term.no, no: term.yes }
}

export const all = (...terms: ReadonlyArray<Term>): Term => ({ all: terms })
export const any = (...terms: ReadonlyArray<Term>): Term => ({ any: terms })
export const follows = (from: Term, what: Term): Term => any(not(from), what)

export const is = (fact: FactName, value: Choosable): Term => ask({ fact, operator: "equal", value })
export const oneOf = (fact: FactName, value: ReadonlyArray<Choosable>): Term =>
  ask({ fact, operator: "in", value })
export const atLeast = (fact: FactName, value: number): Term =>
  ask({ fact, operator: "greaterThanInclusive", value })
export const atMost = (fact: FactName, value: number): Term =>
  ask({ fact, operator: "lessThanInclusive", value })

export const exactly = (fact: FactName, value: Choosable | number): Term =>
  typeof value === "number" ? all(atLeast(fact, value), atMost(fact, value)) : is(fact, value)

/** Holds for these facts, whatever the others are. */
export const among = (facts: Partial<Facts>): Term =>
  all(...Object.entries(facts).map(([fact, value]) => exactly(fact as FactName, value)))
