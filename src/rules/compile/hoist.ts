/** Finds what the rules of one ladder all ask, so that it is asked once. */

import type { Condition } from "../Condition.ts"
import { implies } from "./implies.ts"

const termsOf = (condition: Condition): ReadonlyArray<Condition> =>
  "all" in condition ? condition.all : [condition]

/** Terms without which none of the conditions can hold; the weakest of each kind. */
export const hoist = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> => {
  const needed = conditions
    .flatMap(termsOf)
    .filter((term) => conditions.every((condition) => termsOf(condition).some((own) => implies(own, term))))
  return needed.filter((term, i) => !needed.some((earlier, j) => j < i && implies(earlier, term)))
}

/** The condition for where `known` is already seen to hold. */
export const without = (condition: Condition, known: ReadonlyArray<Condition>): Condition => ({
  all: termsOf(condition).filter((term) => !known.some((one) => implies(one, term)))
})
