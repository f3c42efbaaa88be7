/** Which facts can be together in a question that the score asks; a release's numbers decide some of it. */

import type { Numbers } from "../../scoring/Model.ts"
import { action } from "./possible/action.ts"
import { completion } from "./possible/completion.ts"
import { contradictions } from "./possible/contradictions.ts"
import { history } from "./possible/history.ts"
import { lastQuestion } from "./possible/lastQuestion.ts"
import { all, type Term } from "./Term.ts"

const work = (numbers: Numbers): Term =>
  all(
    ...action(numbers),
    ...completion(numbers),
    ...contradictions(numbers),
    ...history(numbers),
    ...lastQuestion(numbers)
  )

const worked = new WeakMap<Numbers, Term>()

/**
 * Invariant: holds for every record of facts that a score yields, with history read or not, missing fields read any way, in
 * the last question too. What it leaves out only costs precision; what it states too much would make a proof wrong.
 */
export const possible = (numbers: Numbers): Term => {
  const known = worked.get(numbers)
  if (known !== undefined) return known
  const term = work(numbers)
  worked.set(numbers, term)
  return term
}
