/** Whether there are no facts that a score can ask for which a condition holds. */

import type { Numbers } from "../../scoring/Model.ts"
import type { Condition } from "../Condition.ts"
import type { Answer } from "./Answer.ts"
import { findFacts } from "./findFacts.ts"
import { possible } from "./possible.ts"
import { all, type Term, termOf } from "./Term.ts"

/** The example is where the term does hold. */
export const nowhere = (term: Term, numbers: Numbers): Answer => {
  const found = findFacts(all(term, possible(numbers)))
  if (found === "none") return { is: "yes" }
  return found === "undecided" ? { is: "undecided" } : { is: "no", example: found }
}

export const neverHolds = (condition: Condition, numbers: Numbers): Answer =>
  nowhere(termOf(condition), numbers)
