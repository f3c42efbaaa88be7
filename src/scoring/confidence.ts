/** Confidence: how sure the level of a score is. */

import type { Numbers } from "./Numbers.ts"
import { actionRiskLevelOf } from "./opinion.ts"

interface Grounds {
  readonly score: number
  readonly range: { readonly low: number; readonly high: number }
  readonly contradictions: number
  readonly complete: boolean
  /** The verb is unknown, or the command was not understood. */
  readonly unread: boolean
}

const hundred = 100

/**
 * Whole percent, rounded down: all where no plausible completion changes the level, else the share of the plausible range that
 * lies on the level, less for every contradiction, and capped for what was not read or not evaluated.
 */
export const confidencePercentOf = (
  { complete, contradictions, range, score, unread }: Grounds,
  numbers: Numbers
): number => {
  const { contradictionPercent, incompletePercentMax, percentMin, unreadPercentMax } = numbers.confidence
  const own = actionRiskLevelOf(score, numbers)
  let on = 0
  for (let at = range.low; at <= range.high; at++) if (actionRiskLevelOf(at, numbers) === own) on++
  let percent = Math.max(percentMin, Math.floor((hundred * on) / (range.high - range.low + 1)))
  for (let i = 0; i < contradictions; i++) percent = Math.floor((percent * contradictionPercent) / hundred)
  if (unread) percent = Math.min(percent, unreadPercentMax)
  if (!complete) percent = Math.min(percent, incompletePercentMax)
  return Math.max(1, percent)
}
