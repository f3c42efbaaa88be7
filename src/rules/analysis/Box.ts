/** Sets of values for one fact, and boxes: for each fact the set of values that it can have, independent of the other facts. */

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

/** The values of a count or a rank from `min` to `max`, both included. */
export interface Interval {
  readonly min: number
  readonly max: number
}

/** A list of names, flags or texts, each once. */
interface ListedValues {
  readonly of: ReadonlyArray<ChoiceValue>
}

/** Every text except these. There are too many texts to list. */
interface AllExcept {
  readonly not: ReadonlyArray<ChoiceValue>
}

export type ValueSet = Interval | ListedValues | AllExcept

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
      // Every list of names begins with the mildest one.
      return { of: kind.names }
    case "text":
      return { not: [] }
  }
}

const names = Object.keys(factKinds) as ReadonlyArray<FactName>
const domains = Object.fromEntries(names.map((fact) => [fact, domainOf(fact)])) as Record<FactName, ValueSet>

/** Every value that the fact can have. */
export const allValuesOf = (fact: FactName): ValueSet => domains[fact]

export const isEmptySet = (values: ValueSet): boolean =>
  "min" in values ? values.min > values.max : "of" in values && values.of.length === 0

const listDifference = (
  a: ReadonlyArray<ChoiceValue>,
  b: ReadonlyArray<ChoiceValue>
): ReadonlyArray<ChoiceValue> => a.filter((value) => !b.includes(value))

const emptySet: ListedValues = { of: [] }

/** The values in both sets. Both must belong to one fact, so an interval only ever meets an interval. */
export const intersectValues = (a: ValueSet, b: ValueSet): ValueSet => {
  if ("min" in a) return "min" in b ? { min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) } : emptySet
  if ("min" in b) return emptySet
  if ("of" in a) return { of: a.of.filter((value) => includes(b, value)) }
  return "of" in b ? intersectValues(b, a) : { not: [...a.not, ...listDifference(b.not, a.not)] }
}

export const includes = (values: ValueSet, value: ChoiceValue | number): boolean => {
  if ("min" in values) return typeof value === "number" && value >= values.min && value <= values.max
  if (typeof value === "number") return false
  return "of" in values ? values.of.includes(value) : !values.not.includes(value)
}

/** Whether any value is in both sets. Faster than `intersectValues`, because it makes no set. */
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

/** The values of its fact for which the atom is true. */
export const valuesWhereTrue = (atom: ConditionAtom): ValueSet => {
  const all = allValuesOf(atom.fact)
  if (isComparison(atom)) return intersectValues(all, intervalOf(atom))
  return "of" in all ? { of: all.of.filter((value) => choiceHolds(atom, value)) } : textSetOf(atom)
}

/** The values of its fact for which the atom is false. */
export const valuesWhereFalse = (atom: ConditionAtom): ValueSet => {
  const [all, yes] = [allValuesOf(atom.fact), valuesWhereTrue(atom)]
  if ("min" in yes) {
    const { max } = "min" in all ? all : yes
    // An interval of true values starts at 0 or is unbounded, so the rest is a single interval.
    return yes.min > 0 ? { min: 0, max: Math.min(max, yes.min - 1) } : { min: yes.max + 1, max }
  }
  return intersectValues(all, "of" in yes ? { not: yes.of } : { of: yes.not })
}

/** Whether a set that contains a value of the fact also contains every higher one. */
export const isUpwardClosed = (fact: FactName, values: ValueSet): boolean => {
  if (isEmptySet(values)) return true
  const possible = allValuesOf(fact)
  return "min" in values
    ? "min" in possible && values.max === possible.max
    : !isEmptySet(intersectValues(values, { of: [true] }))
}

const plainText = "other.read"

/** The mildest value of a nonempty set: the smallest number, the first name in the list, or any text that is not excluded. */
export const mildestValue = (values: ValueSet): ChoiceValue | number => {
  if ("min" in values) return values.min
  if ("of" in values) return values.of[0] ?? ""
  let text = plainText
  while (values.not.includes(text)) text = `other_${text}`
  return text
}

/**
 * A box gives each fact a set of values, independent of the other facts. Every condition of the dialect is a union of boxes.
 * A fact that the box does not name can have any value. Invariant: no set is empty; instead of an empty box there is null.
 */
export type Box = { readonly [N in FactName]?: ValueSet }

/** The box that contains all records of facts. */
export const wholeSpace: Box = {}

export const valuesIn = (box: Box, fact: FactName): ValueSet => box[fact] ?? allValuesOf(fact)

/** The part of the box in which the fact has one of `values`; null if it is empty. */
export const narrow = (box: Box, fact: FactName, values: ValueSet): Box | null => {
  const remaining = intersectValues(valuesIn(box, fact), values)
  return isEmptySet(remaining) ? null : { ...box, [fact]: remaining }
}

const constrainedFacts = (box: Box): ReadonlyArray<FactName> => Object.keys(box) as ReadonlyArray<FactName>

export const contains = (box: Box, facts: Facts): boolean =>
  constrainedFacts(box).every((fact) => includes(valuesIn(box, fact), facts[fact]))

/** The box in which the given facts have exactly these values and all others are unrestricted. */
export const pointOf = (
  facts: Partial<Facts>,
  named: ReadonlyArray<FactName> = Object.keys(facts) as ReadonlyArray<FactName>
): Box =>
  Object.fromEntries(
    named.map((fact) => {
      const value = facts[fact]
      return [fact, typeof value === "number" ? { min: value, max: value } : { of: [value] }]
    })
  )

/** The facts record in the box with the mildest value of each fact. */
export const mildestPoint = (box: Box): Facts =>
  // The cast is safe: the set of a fact contains only values of that fact's kind.
  Object.fromEntries(names.map((fact) => [fact, mildestValue(valuesIn(box, fact))])) as unknown as Facts

/** The interval of a count or a rank in the box. */
export const intervalIn = (box: Box, fact: FactName): Interval => {
  const values = valuesIn(box, fact)
  return "min" in values ? values : { min: 0, max: 0 }
}
