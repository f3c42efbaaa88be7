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
const unseen: DestinationHistory = { ...untold, novel: true }
export const worstDestination: DestinationHistory = {
  novel: true,
  unestablished: true,
  stepUp: true,
  lookalike: true
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
    return claims.class.egress && atCeiling(readings.destination) ? unseen : untold
  }
  const { lookalike } = history
  if (history.days === 0) return { ...unseen, lookalike }
  const { establishedDaysMin, establishedHoursMin, stepUpEntitiesMin, stepUpMultiple, stepUpUsdMin } =
    behavior
  const { entities, usdCents } = completed
  return {
    novel: false,
    unestablished: history.days < establishedDaysMin || history.firstSeenHours < establishedHoursMin,
    stepUp:
      (entities >= stepUpEntitiesMin && entities >= stepUpMultiple * history.largestEntities) ||
      (usdCents >= stepUpUsdMin * centsPerUsd && usdCents >= stepUpMultiple * history.largestUsdCents),
    lookalike
  }
}
