/** A condition with what each of its questions saw: the tree that an explanation shows. */

import type { Facts } from "../../scoring/Facts.ts"
import { isAssumed } from "../../scoring/renderMessage.ts"
import { type Choice, type Comparison, type Condition, holds, isComparison } from "../Condition.ts"

export type Atom = Comparison | Choice
export type Value = Facts[keyof Facts]

export interface AtomTrace {
  readonly kind: "atom"
  readonly atom: Atom
  readonly actual: Value
  readonly result: boolean
  /** The value was completed, because its field was left out. */
  readonly assumed?: true
  /** How far a comparison that fails is from holding, in the fact's own unit. */
  readonly shortBy?: number
}

export interface GroupTrace {
  readonly kind: "all" | "any"
  readonly terms: ReadonlyArray<Trace>
  readonly result: boolean
}

export type Trace = AtomTrace | GroupTrace

const shortfall = ({ operator, value }: Comparison, actual: number): number => {
  switch (operator) {
    case "greaterThan":
      return value + 1 - actual
    case "greaterThanInclusive":
      return value - actual
    case "lessThan":
      return actual - value + 1
    case "lessThanInclusive":
      return actual - value
  }
}

const traceAtom = (atom: Atom, facts: Facts): AtomTrace => {
  const actual = facts[atom.fact]
  const result = holds(atom, actual)
  const short = !result && isComparison(atom) && typeof actual === "number"
  return {
    kind: "atom",
    atom,
    actual,
    result,
    ...(isAssumed(atom.fact, facts) ? { assumed: true } : {}),
    ...(short ? { shortBy: shortfall(atom, actual) } : {})
  }
}

export const trace = (condition: Condition, facts: Facts): Trace => {
  if ("all" in condition) {
    const terms = condition.all.map((term) => trace(term, facts))
    return { kind: "all", terms, result: terms.every(({ result }) => result) }
  }
  if ("any" in condition) {
    const terms = condition.any.map((term) => trace(term, facts))
    return { kind: "any", terms, result: terms.some(({ result }) => result) }
  }
  return traceAtom(condition, facts)
}

/** In the order of the file. */
export const atomsOf = (tree: Trace): ReadonlyArray<AtomTrace> =>
  tree.kind === "atom" ? [tree] : tree.terms.flatMap(atomsOf)
