/** Whether one condition only ever holds where another does too. */

import type { Numbers } from "../../scoring/Model.ts"
import type { Condition } from "../Condition.ts"
import type { Answer } from "./Answer.ts"
import { nowhere } from "./neverHolds.ts"
import { all, not, termOf } from "./Term.ts"

/** The example is where the first holds and the second does not. With `wide` a list: at least one of them. */
export const implies = (narrow: Condition, wide: Condition, numbers: Numbers): Answer =>
  nowhere(all(termOf(narrow), not(termOf(wide))), numbers)
