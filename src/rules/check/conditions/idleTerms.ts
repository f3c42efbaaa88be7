/** Terms that could be taken out of a condition without changing what it says, and why each is idle. */

import type { Condition } from "../../Condition.ts"
import { describeCondition } from "../../describeCondition.ts"
import type { Problem } from "../../Problem.ts"
import type { Inquiry } from "./Inquiry.ts"
import { type Term, termsOf } from "./termsOf.ts"

const idle = (whole: Condition, { group, without }: Term, { implies }: Inquiry): boolean => {
  if (without === null) return false
  return group === "all" ? implies(without, whole) : implies(whole, without)
}

const explain = ({ alone, group, path, term }: Term, { always, never }: Inquiry): Problem => {
  const said = describeCondition(term)
  if (group === "any") {
    return never(alone)
      ? { rule: "never-matches", path, message: `this branch can hold for no request: ${said}` }
      : { rule: "shadowed", path, message: `another branch holds whenever this one does: ${said}` }
  }
  return always(term)
    ? { rule: "always-matches", path, message: `this holds for every request and asks nothing: ${said}` }
    : { rule: "duplicate-condition", path, message: `what stands beside it asks this already: ${said}` }
}

/** Outer terms first, later ones before earlier ones: of two that say the same, the later is the idle one. */
const inOrder = (condition: Condition): ReadonlyArray<Term> =>
  termsOf(condition)
    .toReversed()
    .toSorted((a, b) => a.path.length - b.path.length)

/** One at a time, each found in what is left without the others. */
export const idleTerms = (condition: Condition, inquiry: Inquiry): ReadonlyArray<Problem> => {
  const found = inOrder(condition).find((term) => idle(condition, term, inquiry))
  return found?.without == null ? [] : [explain(found, inquiry), ...idleTerms(found.without, inquiry)]
}
