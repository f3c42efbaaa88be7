/** Questions about the meaning of conditions; facts that answered one are tried on the next, since they mostly answer it too. */

import type { Facts } from "../../../scoring/Facts.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import { alwaysHolds } from "../../analysis/alwaysHolds.ts"
import type { Answer } from "../../analysis/Answer.ts"
import { implies } from "../../analysis/implies.ts"
import { neverDecides } from "../../analysis/neverDecides.ts"
import { neverHolds } from "../../analysis/neverHolds.ts"
import { type Condition, conditionHolds } from "../../Condition.ts"
import type { FactorRule } from "../../Rule.ts"

/** Each true only where it is certain; what could not be decided within the bounds of the analysis is not. */
export interface Inquiry {
  readonly never: (condition: Condition) => boolean
  readonly always: (condition: Condition) => boolean
  readonly implies: (narrow: Condition, wide: Condition) => boolean
  /** Among the other rules of its factor. */
  readonly neverDecides: (rule: FactorRule, others: ReadonlyArray<FactorRule>) => boolean
}

export const inquire = (numbers: Numbers): Inquiry => {
  const examples: Array<Facts> = []
  const learn = (answer: Answer): boolean => {
    if (answer.is === "no") examples.push(answer.example)
    return answer.is === "yes"
  }
  const refuted = (refutes: (facts: Facts) => boolean): boolean => examples.some(refutes)
  return {
    never: (condition) =>
      !refuted((facts) => conditionHolds(condition, facts)) && learn(neverHolds(condition, numbers)),
    always: (condition) =>
      !refuted((facts) => !conditionHolds(condition, facts)) && learn(alwaysHolds(condition, numbers)),
    implies: (narrow, wide) =>
      !refuted((facts) => conditionHolds(narrow, facts) && !conditionHolds(wide, facts)) &&
      learn(implies(narrow, wide, numbers)),
    neverDecides: (rule, others) => learn(neverDecides(rule, others, numbers))
  }
}
