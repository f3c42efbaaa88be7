/** A condition as boxes that do not overlap; null if there are too many boxes to list. */

import { analysisStepsMax } from "../../../src/limits.ts"
import type { Box } from "../../../src/rules/analysis/Box.ts"
import { termOf } from "../../../src/rules/analysis/Term.ts"
import { boxesWhere } from "../../../src/rules/analysis/satisfiability.ts"
import type { Condition } from "../../../src/rules/language/Rule.ts"

export const boxesOfCondition = (condition: Condition): ReadonlyArray<Box> | null => {
  const boxes: Array<Box> = []
  let steps = 0
  for (const box of boxesWhere(termOf(condition))) {
    if (++steps > analysisStepsMax) return null
    if (box !== null) boxes.push(box)
  }
  return boxes
}
