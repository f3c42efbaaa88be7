/** Sets of values for one fact, and boxes: for each fact the set of values that it can have, independent of the other facts. */

import { actionClasses } from "../../domain/Action.ts"
import { factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"
import {
  type Choice,
  choiceHolds,
  type ChoiceValue,
  type Comparison,
  type ConditionAtom,
  factKind,
  isComparison
} from "../language/Rule.ts"

/** Counts and ranks; both ends belong to it. */
export interface Interval {
  readonly min: number
  readonly max: number
}

/** Names, flags and texts, each once. */
interface ListedValues {
  readonly of: ReadonlyArray<ChoiceValue>
}

/** Texts: there are too many to list. */
interface AllExcept {
  readonly not: ReadonlyArray<ChoiceValue>
}

export type ValueSet = Interval | ListedValues | AllExcept

/** Classes stand riskiest first, and the one of verbs that nobody knows last; every other list begins quietly. */
const mildestFirst = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names === actionClasses ? [...actionClasses.slice(0, -1).toReversed(), ...actionClasses.slice(-1)] : names

const domainOf = (fact: FactName): ValueSet => {
  const kind = factKind(fact)
  switch (kind.kind) {
    case "count":
      return { min: 0, max: Number.MAX_SAFE_INTEGER }
    case "rank":
      return { min: 0, max: kind.max }
    case "flag":
      return { of: [false, true] }
    case "name":
      return { of: mildestFirst(kind.names) }
    case "text":
      return { not: [] }
  }
}

const names = Object.keys(factKinds) as ReadonlyArray<FactName>
const domains = Object.fromEntries(names.map((fact) => [fact, domainOf(fact)])) as Record<FactName, ValueSet>

/** Everything that the fact can be. */
export const allValuesOf = (fact: FactName): ValueSet => domains[fact]

export const isEmptySet = (values: ValueSet): boolean =>
  "min" in values ? values.min > values.max : "of" in values && values.of.length === 0

const listDifference = (
  a: ReadonlyArray<ChoiceValue>,
  b: ReadonlyArray<ChoiceValue>
): ReadonlyArray<ChoiceValue> => a.filter((value) => !b.includes(value))

const emptySet: ListedValues = { of: [] }

/** The values in both; of one fact, so that a stretch only ever meets a stretch. */
export const intersectValues = (a: ValueSet, b: ValueSet): ValueSet => {
  if ("min" in a) return "min" in b ? { min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) } : emptySet
  if ("min" in b) return emptySet
  if ("of" in a) return { of: a.of.filter((value) => includes(b, value)) }
  return "of" in b ? intersectValues(b, a) : { not: [...a.not, ...listDifference(b.not, a.not)] }
}

/** The values of `a` that `b` lacks, as sets apart from each other. */
const subtractValues = (a: ValueSet, b: ValueSet): ReadonlyArray<ValueSet> => {
  const rest: ReadonlyArray<ValueSet> =
    "min" in b
      ? [
          { min: 0, max: b.min - 1 },
          { min: b.max + 1, max: Number.MAX_SAFE_INTEGER }
        ]
      : ["of" in b ? { not: b.of } : { of: b.not }]
  return rest.map((values) => intersectValues(a, values)).filter((values) => !isEmptySet(values))
}

export const includes = (values: ValueSet, value: ChoiceValue | number): boolean => {
  if ("min" in values) return typeof value === "number" && value >= values.min && value <= values.max
  if (typeof value === "number") return false
  return "of" in values ? values.of.includes(value) : !values.not.includes(value)
}

/** Whether any value is in both; without making the set of them. */
export const overlaps = (a: ValueSet, b: ValueSet): boolean => {
  if ("min" in a) return "min" in b && a.min <= b.max && b.min <= a.max && a.min <= a.max && b.min <= b.max
  if ("min" in b) return false
  if ("of" in a) return a.of.some((value) => includes(b, value))
  return "not" in b || b.of.some((value) => includes(a, value))
}

const intervalOf = ({ operator, value }: Comparison): Interval => {
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

const textSetOf = ({ operator, value }: Choice): ValueSet => {
  const named = [...new Set([value].flat())]
  return operator === "equal" || operator === "in" ? { of: named } : { not: named }
}

/** The values of its fact for which a question holds. */
export const valuesWhereTrue = (atom: ConditionAtom): ValueSet => {
  const all = allValuesOf(atom.fact)
  if (isComparison(atom)) return intersectValues(all, intervalOf(atom))
  return "of" in all ? { of: all.of.filter((value) => choiceHolds(atom, value)) } : textSetOf(atom)
}

/** Those for which it does not: one set, because a question looks one way only. */
export const valuesWhereFalse = (atom: ConditionAtom): ValueSet =>
  subtractValues(allValuesOf(atom.fact), valuesWhereTrue(atom))[0] ??
  ("min" in allValuesOf(atom.fact) ? { min: 1, max: 0 } : emptySet)

const plainText = "other.read"

/** The quietest value in the set, which is not empty: the least, the first, or a text that is not excepted. */
export const mildestValue = (values: ValueSet): ChoiceValue | number => {
  if ("min" in values) return values.min
  if ("of" in values) return values.of[0] ?? ""
  let text = plainText
  while (values.not.includes(text)) text = `other_${text}`
  return text
}

/**
 * A box: of each fact what it may be, independently of the others. A condition of the dialect is a union of boxes.
 * A fact that is not named may be anything. Invariant: no fact is left without a value; where none is left there is no box.
 */
export type Box = { readonly [N in FactName]?: ValueSet }

/** Where everything may be anything. */
export const wholeSpace: Box = {}

export const valuesIn = (box: Box, fact: FactName): ValueSet => box[fact] ?? allValuesOf(fact)

/** The part of the box in which the fact is one of `values`. */
export const narrow = (box: Box, fact: FactName, values: ValueSet): Box | null => {
  const left = intersectValues(valuesIn(box, fact), values)
  return isEmptySet(left) ? null : { ...box, [fact]: left }
}

const constrainedFacts = (box: Box): ReadonlyArray<FactName> => Object.keys(box) as ReadonlyArray<FactName>

export const intersectBoxes = (a: Box, b: Box): Box | null =>
  constrainedFacts(b).reduce<Box | null>(
    (box, fact) => (box === null ? null : narrow(box, fact, valuesIn(b, fact))),
    a
  )

/** The part of `a` outside `b`, as boxes that do not overlap. */
export const subtractBox = (a: Box, b: Box): ReadonlyArray<Box> => {
  const outside: Array<Box> = []
  let inside: Box | null = a
  for (const fact of constrainedFacts(b)) {
    if (inside === null) break
    for (const values of subtractValues(valuesIn(inside, fact), valuesIn(b, fact))) {
      outside.push({ ...inside, [fact]: values })
    }
    inside = narrow(inside, fact, valuesIn(b, fact))
  }
  return inside === null ? [a] : outside
}

export const contains = (box: Box, facts: Facts): boolean =>
  constrainedFacts(box).every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** The box of exactly these facts. */
export const pointOf = (facts: Partial<Facts>): Box =>
  Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [
      fact,
      typeof value === "number" ? { min: value, max: value } : { of: [value] }
    ])
  )

/** A point of the box: of every fact the quietest value that it may have. */
export const mildestPoint = (box: Box): Facts =>
  // The type says that each fact gets a value of its own kind, which is what its set holds.
  Object.fromEntries(names.map((fact) => [fact, mildestValue(valuesIn(box, fact))])) as unknown as Facts

/** The stretch of whole numbers that a box leaves to a count or a rank. */
export const intervalIn = (box: Box, fact: FactName): Interval => {
  const values = valuesIn(box, fact)
  return "min" in values ? values : { min: 0, max: 0 }
}
