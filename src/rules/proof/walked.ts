/** A walk to its end, or to the steps and the findings that it may take. */

import { proofLowerMax, proofStepsMax } from "../../Limits.ts"
import type { Comparison } from "./Comparison.ts"
import { type Lower, walk } from "./walk.ts"

export interface Walked {
  readonly lower: ReadonlyArray<Lower>
  readonly ended: boolean
}

export const walked = (comparison: Comparison): Walked => {
  const lower: Array<Lower> = []
  let steps = 0
  for (const found of walk(comparison)) {
    if (found !== null) lower.push(found)
    if (++steps > proofStepsMax || lower.length >= proofLowerMax) return { lower, ended: false }
  }
  return { lower, ended: true }
}
