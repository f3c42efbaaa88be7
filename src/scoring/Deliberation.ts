/** A conversation with a rule engine: yields facts, is answered with what they match, ends in a value. */

import type { Matches } from "./Evaluation.ts"
import type { Facts } from "./Facts.ts"

/** Pure; whichever engine answers, and whether at once or later, the value is the same. */
export type Deliberation<A> = Generator<Facts, A, Matches>

export const converse = <A>(deliberation: Deliberation<A>, answer: (facts: Facts) => Matches): A => {
  let step = deliberation.next()
  while (step.done !== true) step = deliberation.next(answer(step.value))
  return step.value
}
