/** The range: the scores that everything missing could lead to together, at its least and at its ceiling. */

import type { Deliberation } from "./Deliberation.ts"
import type { Evaluation } from "./Evaluation.ts"
import { readAll } from "./Reading.ts"
import { type Case, weigh } from "./weigh.ts"

export interface Range {
  readonly low: number
  readonly high: number
  /** The model's own ends: no floor of a policy makes missing information known. */
  readonly own: { readonly low: number; readonly high: number }
}

const least = readAll("least")
// Invariant: no completion may exceed the high end, nor a request that states only some of what is missing.
const open = readAll("open")

/** low ≤ score ≤ high, before any gate (theorem T2). */
export function* measureRange(weighed: Evaluation, anythingMissing: boolean, it: Case): Deliberation<Range> {
  if (!anythingMissing) {
    const { ownScore, score } = weighed
    return { low: score, high: score, own: { low: ownScore, high: ownScore } }
  }
  const low = yield* weigh(it, least)
  const high = yield* weigh(it, open)
  return {
    low: low.score,
    high: Math.max(high.score, weighed.score),
    own: { low: low.ownScore, high: Math.max(high.ownScore, weighed.ownScore) }
  }
}
