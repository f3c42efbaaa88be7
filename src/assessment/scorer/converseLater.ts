/** The conversation of `Deliberation.ts` with an engine that answers asynchronously. */

import type { Deliberation } from "../../scoring/Deliberation.ts"
import type { Matches } from "../../scoring/Evaluation.ts"
import type { Facts } from "../../scoring/Facts.ts"

export const converseLater = async <A>(
  deliberation: Deliberation<A>,
  answer: (facts: Facts) => Promise<Matches>
): Promise<A> => {
  let step = deliberation.next()
  while (step.done !== true) step = deliberation.next(await answer(step.value))
  return step.value
}
