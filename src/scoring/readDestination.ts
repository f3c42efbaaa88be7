/** What history says of the destination: novel, not yet established, stepped up, imitating another. */

import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Claims } from "./Claims.ts"
import type { Completed } from "./complete.ts"
import type { Numbers } from "./Model.ts"
import { atCeiling, type Readings } from "./Reading.ts"

export interface DestinationHistory {
  readonly novel: boolean
  readonly unestablished: boolean
  readonly stepUp: boolean
  readonly lookalike: boolean
}

const centsPerUsd = 100

/** Nothing speaks against it, or there is none. */
export const untold: DestinationHistory = {
  novel: false,
  unestablished: false,
  stepUp: false,
  lookalike: false
}

export const worstDestination: DestinationHistory = {
  novel: true,
  unestablished: true,
  stepUp: true,
  lookalike: true
}

type Largest = Pick<NonNullable<BehaviorSnapshot["destination"]>, "largestEntities" | "largestUsdCents">

const nothingSeen: Largest = { largestEntities: 0, largestUsdCents: 0 }

/** Many times the largest seen there, and not small. */
const stepsUp = (completed: Completed, largest: Largest, behavior: Numbers["behavior"]): boolean => {
  const { entities, usdCents } = completed
  const { stepUpEntitiesMin, stepUpMultiple, stepUpUsdMin } = behavior
  return (
    (entities >= stepUpEntitiesMin && entities >= stepUpMultiple * largest.largestEntities) ||
    (usdCents >= stepUpUsdMin * centsPerUsd && usdCents >= stepUpMultiple * largest.largestUsdCents)
  )
}

export const readDestination = (
  snapshot: BehaviorSnapshot,
  claims: Claims,
  completed: Completed,
  { behavior }: Numbers,
  readings: Readings
): DestinationHistory => {
  const history = snapshot.destination
  if (claims.destination === undefined || history === null) {
    if (!claims.class.egress || !atCeiling(readings.destination)) return untold
    // Worse than any one destination: as if never seen, and as if seen only with next to nothing.
    return { ...untold, novel: true, stepUp: stepsUp(completed, nothingSeen, behavior) }
  }
  const { lookalike } = history
  if (history.days === 0) return { ...untold, novel: true, lookalike }
  const { establishedDaysMin, establishedHoursMin } = behavior
  return {
    novel: false,
    unestablished: history.days < establishedDaysMin || history.firstSeenHours < establishedHoursMin,
    stepUp: stepsUp(completed, history, behavior),
    lookalike
  }
}
