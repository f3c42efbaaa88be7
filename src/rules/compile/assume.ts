/** Evaluates as much of a condition as some known facts settle. */

import type { Facts } from "../../scoring/Facts.ts"
import { type Condition, holds } from "../Condition.ts"

/** What is left to ask, or the answer. Exact: for facts that agree with `known`, the rest means what the whole meant. */
export const assume = (condition: Condition, known: Partial<Facts>): Condition | boolean => {
  if ("all" in condition) {
    const rest = condition.all.map((term) => assume(term, known)).filter((term) => term !== true)
    if (rest.includes(false)) return false
    const open = rest.filter((term) => typeof term === "object")
    return open.length === 0 ? true : { all: open }
  }
  if ("any" in condition) {
    const rest = condition.any.map((term) => assume(term, known)).filter((term) => term !== false)
    if (rest.includes(true)) return true
    const open = rest.filter((term) => typeof term === "object")
    return open.length === 0 ? false : { any: open }
  }
  const actual = known[condition.fact]
  return actual === undefined ? condition : holds(condition, actual)
}
