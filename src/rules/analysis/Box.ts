/** A box: of each fact what it may be, independently of the others. A condition of the dialect is a union of boxes. */

import { type FactName, type Facts, facts as factKinds } from "../../scoring/Facts.ts"
import { everyValue, includes, isNone, meet, pickValue, type Values, without } from "./Values.ts"

/** A fact that is not named may be anything. Invariant: no fact is left without a value; where none is left there is no box. */
export type Box = { readonly [N in FactName]?: Values }

/** Where everything may be anything. */
export const anywhere: Box = {}

export const valuesIn = (box: Box, fact: FactName): Values => box[fact] ?? everyValue(fact)

/** The part of the box in which the fact is one of `values`. */
export const narrow = (box: Box, fact: FactName, values: Values): Box | null => {
  const left = meet(valuesIn(box, fact), values)
  return isNone(left) ? null : { ...box, [fact]: left }
}

export const factsNamed = (box: Box): ReadonlyArray<FactName> => Object.keys(box) as ReadonlyArray<FactName>

export const intersect = (a: Box, b: Box): Box | null =>
  factsNamed(b).reduce<Box | null>(
    (box, fact) => (box === null ? null : narrow(box, fact, valuesIn(b, fact))),
    a
  )

/** The part of `a` outside `b`, as boxes that do not overlap. */
export const subtract = (a: Box, b: Box): ReadonlyArray<Box> => {
  const outside: Array<Box> = []
  let inside: Box | null = a
  for (const fact of factsNamed(b)) {
    if (inside === null) break
    for (const values of without(valuesIn(inside, fact), valuesIn(b, fact))) {
      outside.push({ ...inside, [fact]: values })
    }
    inside = narrow(inside, fact, valuesIn(b, fact))
  }
  return inside === null ? [a] : outside
}

export const contains = (box: Box, facts: Facts): boolean =>
  factsNamed(box).every((fact) => includes(valuesIn(box, fact), facts[fact]))

const names = Object.keys(factKinds) as ReadonlyArray<FactName>

/** The box of exactly these facts. */
export const pointOf = (facts: Partial<Facts>): Box =>
  Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [
      fact,
      typeof value === "number" ? { min: value, max: value } : { of: [value] }
    ])
  )

/** A point of the box: of every fact the quietest value that it may have. */
export const pick = (box: Box): Facts =>
  // The type says that each fact gets a value of its own kind, which is what its set holds.
  Object.fromEntries(names.map((fact) => [fact, pickValue(valuesIn(box, fact))])) as unknown as Facts
