/** Whether a rule of a ladder says nothing that stronger rules of it have not said: it is shadowed. */

import type { Numbers } from "../../scoring/Model.ts"
import { bySeverity } from "../bySeverity.ts"
import type { FactorRule } from "../Rule.ts"
import type { Answer } from "./Answer.ts"
import { nowhere } from "./neverHolds.ts"
import { all, not, termOf } from "./Term.ts"

/** `others`: the other rules of the same factor. The example is where it is the one that decides. */
export const neverDecides = (
  rule: FactorRule,
  others: ReadonlyArray<FactorRule>,
  numbers: Numbers
): Answer => {
  const stronger = others.filter(({ match }) => bySeverity(match, rule.match) <= 0)
  const elsewhere = stronger.map(({ condition }) => not(termOf(condition)))
  return nowhere(all(termOf(rule.condition), ...elsewhere), numbers)
}
