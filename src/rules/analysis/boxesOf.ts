/** A condition as boxes: where it holds, without overlaps. */

import { analysisStepsMax } from "../../Limits.ts"
import type { Condition } from "../Condition.ts"
import type { Box } from "./Box.ts"
import { regions } from "./regions.ts"
import { termOf } from "./Term.ts"

/** Null where there are too many to list. */
export const boxesOf = (condition: Condition): ReadonlyArray<Box> | null => {
  const boxes: Array<Box> = []
  let steps = 0
  for (const box of regions(termOf(condition))) {
    if (++steps > analysisStepsMax) return null
    if (box !== null) boxes.push(box)
  }
  return boxes
}
