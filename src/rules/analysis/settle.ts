/** Settles as much of a term as a box decides. */

import { type Box, valuesIn } from "./Box.ts"
import type { Term } from "./Term.ts"
import { overlaps } from "./Values.ts"

/** Whether the term holds everywhere in the box, nowhere in it, or else what is left to ask there. */
export const settle = (term: Term, box: Box): Term | boolean => {
  if ("all" in term) {
    const rest: Array<Term> = []
    for (const part of term.all) {
      const left = settle(part, box)
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
      const left = settle(part, box)
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
