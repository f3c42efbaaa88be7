/** The range: the scores that everything missing could lead to together, at its least and at its ceiling. */

import type { Deliberation } from "./Deliberation.ts"
import { readAll } from "./Reading.ts"
import { type Case, weigh, type Weighed } from "./weigh.ts"

export interface Range {
  readonly low: number
  readonly high: number
  /** How far apart the model's own scores lie: no floor of a policy makes missing information known. */
  readonly ownWidth: number
}

const least = readAll("least")
// Invariant: no completion may exceed the high end, nor a request that states only some of what is missing.
const open = readAll("open")

/** low ≤ score ≤ high, before any gate (theorem T2). */
export function* measureRange(weighed: Weighed, anythingMissing: boolean, it: Case): Deliberation<Range> {
  if (!anythingMissing) return { low: weighed.score, high: weighed.score, ownWidth: 0 }
  const low = yield* weigh(it, least)
  const high = yield* weigh(it, open)
  return {
    low: low.score,
    high: Math.max(high.score, weighed.score),
    ownWidth: Math.max(high.ownScore, weighed.ownScore) - low.ownScore
  }
}
