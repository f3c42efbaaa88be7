/** Whether a condition holds for all facts that a score can ask. */

import type { Numbers } from "../../scoring/Model.ts"
import type { Condition } from "../Condition.ts"
import type { Answer } from "./Answer.ts"
import { nowhere } from "./neverHolds.ts"
import { not, termOf } from "./Term.ts"

/** The example is where it does not. */
export const alwaysHolds = (condition: Condition, numbers: Numbers): Answer =>
  nowhere(not(termOf(condition)), numbers)
