/** The range of scores that missing information leaves open, and what follows from it: the gate and the confidence. */

import type { Numbers } from "./Model.ts"
import type { Evaluation } from "./actionRisk.ts"

interface Range {
  readonly low: number
  readonly high: number
}

/** The scores that the missing fields could lead to together, from their least to their ceiling. */
export interface ScoreRange extends Range {
  /** The range without the floors of policies: a policy does not make missing information known. */
  readonly own: Range
}

/**
 * low ≤ score ≤ high, before any gate (theorem T2).
 * `low` and `high` are the evaluations with all missing fields at their least and open up to their ceiling.
 */
export const rangeOf = (low: Evaluation, reference: Evaluation, high: Evaluation): ScoreRange => ({
  low: low.score,
  high: Math.max(high.score, reference.score),
  own: { low: low.ownScore, high: Math.max(high.ownScore, reference.ownScore) }
})

/**
 * The gate: the high end of the range puts a floor under the score (theorem T3).
 * A reported level of `low` therefore means that no completed action is `high`.
 */
export const gate = (score: number, high: number, production: boolean, numbers: Numbers): number =>
  numbers.gates.reduce(
    (lifted, { floor, highFrom, productionOnly }) =>
      high >= highFrom && (production || !productionOnly) ? Math.max(lifted, floor) : lifted,
    score
  )

/**
 * Confidence: how little the missing information could still change the score.
 * Whole percent, rounded down: 100 less the width of the range, less for every contradiction, capped when incomplete.
 */
export const confidencePercentOf = (
  range: Range,
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
