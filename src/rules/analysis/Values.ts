/** What one fact may be, as a set: a stretch of whole numbers, some of its choices, or every text but a few. */

import { actionClasses } from "../../domain/ActionType.ts"
import { type FactName, facts as factKinds } from "../../scoring/Facts.ts"
import {
  type Choice,
  type Choosable,
  chooses,
  type Comparison,
  factKind,
  isComparison
} from "../Condition.ts"

export type Atom = Comparison | Choice

/** Counts and ranks; both ends belong to it. */
export interface Span {
  readonly min: number
  readonly max: number
}

/** Names, flags and texts, each once. */
export interface Some {
  readonly of: ReadonlyArray<Choosable>
}

/** Texts: there are too many to list. */
export interface AllBut {
  readonly not: ReadonlyArray<Choosable>
}

export type Values = Span | Some | AllBut

/** Classes stand riskiest first, and the one of verbs that nobody knows last; every other list begins quietly. */
const quietestFirst = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names === actionClasses ? [...actionClasses.slice(0, -1).toReversed(), ...actionClasses.slice(-1)] : names

const full = (fact: FactName): Values => {
  const kind = factKind(fact)
  switch (kind.kind) {
    case "count":
      return { min: 0, max: Number.MAX_SAFE_INTEGER }
    case "rank":
      return { min: 0, max: kind.max }
    case "flag":
      return { of: [false, true] }
    case "name":
      return { of: quietestFirst(kind.names) }
    case "text":
      return { not: [] }
  }
}

const names = Object.keys(factKinds) as ReadonlyArray<FactName>
const every = Object.fromEntries(names.map((fact) => [fact, full(fact)])) as Record<FactName, Values>

/** Everything that the fact can be. */
export const everyValue = (fact: FactName): Values => every[fact]

export const isNone = (values: Values): boolean =>
  "min" in values ? values.min > values.max : "of" in values && values.of.length === 0

const minus = (a: ReadonlyArray<Choosable>, b: ReadonlyArray<Choosable>): ReadonlyArray<Choosable> =>
  a.filter((value) => !b.includes(value))

const none: Some = { of: [] }

/** The values in both; of one fact, so that a stretch only ever meets a stretch. */
export const meet = (a: Values, b: Values): Values => {
  if ("min" in a) return "min" in b ? { min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) } : none
  if ("min" in b) return none
  if ("of" in a) return { of: a.of.filter((value) => includes(b, value)) }
  return "of" in b ? meet(b, a) : { not: [...a.not, ...minus(b.not, a.not)] }
}

/** The values of `a` that `b` lacks, as sets apart from each other. */
export const without = (a: Values, b: Values): ReadonlyArray<Values> => {
  const rest: ReadonlyArray<Values> =
    "min" in b
      ? [
          { min: 0, max: b.min - 1 },
          { min: b.max + 1, max: Number.MAX_SAFE_INTEGER }
        ]
      : ["of" in b ? { not: b.of } : { of: b.not }]
  return rest.map((values) => meet(a, values)).filter((values) => !isNone(values))
}

export const includes = (values: Values, value: Choosable | number): boolean => {
  if ("min" in values) return typeof value === "number" && value >= values.min && value <= values.max
  if (typeof value === "number") return false
  return "of" in values ? values.of.includes(value) : !values.not.includes(value)
}

/** Whether any value is in both; without making the set of them. */
export const overlaps = (a: Values, b: Values): boolean => {
  if ("min" in a) return "min" in b && a.min <= b.max && b.min <= a.max && a.min <= a.max && b.min <= b.max
  if ("min" in b) return false
  if ("of" in a) return a.of.some((value) => includes(b, value))
  return "not" in b || b.of.some((value) => includes(a, value))
}

const spanOf = ({ operator, value }: Comparison): Span => {
  switch (operator) {
    case "greaterThan":
      return { min: value + 1, max: Number.MAX_SAFE_INTEGER }
    case "greaterThanInclusive":
      return { min: value, max: Number.MAX_SAFE_INTEGER }
    case "lessThan":
      return { min: 0, max: value - 1 }
    case "lessThanInclusive":
      return { min: 0, max: value }
  }
}

const textsOf = ({ operator, value }: Choice): Values => {
  const named = [...new Set([value].flat())]
  return operator === "equal" || operator === "in" ? { of: named } : { not: named }
}

/** The values of its fact for which a question holds. */
export const valuesOf = (atom: Atom): Values => {
  const all = everyValue(atom.fact)
  if (isComparison(atom)) return meet(all, spanOf(atom))
  return "of" in all ? { of: all.of.filter((value) => chooses(atom, value)) } : textsOf(atom)
}

/** Those for which it does not: one set, because a question looks one way only. */
export const othersOf = (atom: Atom): Values =>
  without(everyValue(atom.fact), valuesOf(atom))[0] ??
  ("min" in everyValue(atom.fact) ? { min: 1, max: 0 } : none)

const plainText = "other.read"

/** The quietest value in the set, which is not empty: the least, the first, or a text that is not excepted. */
export const pickValue = (values: Values): Choosable | number => {
  if ("min" in values) return values.min
  if ("of" in values) return values.of[0] ?? ""
  let text = plainText
  while (values.not.includes(text)) text = `other_${text}`
  return text
}
