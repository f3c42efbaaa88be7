/** Confidence: how little the missing information could still change the answer. */

import type { Numbers } from "./Model.ts"

/** Whole percent, rounded down: the range's width against the scale, less for every contradiction, capped when incomplete. */
export const confidencePercent = (
  range: { readonly low: number; readonly high: number },
  contradictions: number,
  complete: boolean,
  { confidence }: Numbers
): number => {
  const certain = 100 - (range.high - range.low)
  let percent = Math.min(confidence.percentMax, Math.max(confidence.percentMin, certain))
  // One division at the end: rounding after each contradiction would cost a percent too many.
  let scale = 1
  for (let i = 0; i < contradictions; i++) {
    percent *= confidence.contradictionPercent
    scale *= 100
  }
  const held = Math.max(1, Math.floor(percent / scale))
  return complete ? held : Math.min(held, confidence.incompletePercentMax)
}
