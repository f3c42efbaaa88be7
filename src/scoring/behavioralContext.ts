/** What an opinion reports of the history behind it (specification 2.3). */

import type { Behavior, BehavioralContext } from "../domain/Behavior.ts"
import type { Claims } from "./Claims.ts"
import type { Completed } from "./complete.ts"
import type { Numbers } from "./Model.ts"
import { multiplier } from "./multiplier.ts"

/** Hundredths as the number that JSON shows. */
const decimal = (hundredths: number | null): number | null => (hundredths === null ? null : hundredths / 100)

const nothingRead = (windowDays: number): BehavioralContext => ({
  historicalComparisonAvailable: false,
  baselineScope: "organization",
  sampleSize: 0,
  windowDays,
  entityVolumeMultiplier: null,
  financialValueMultiplier: null,
  velocityMultiplier: null,
  destinationSeenBefore: false,
  actionTypeSeenBefore: false
})

export const reportBehavior = (
  behavior: Behavior,
  claims: Claims,
  completed: Completed,
  numbers: Numbers
): BehavioralContext => {
  // Spec 2.3: without a baseline the three multipliers are null.
  if (behavior === "unavailable" || behavior.sampleSize === 0) return nothingRead(numbers.behavior.windowDays)
  const { entities, usdCents } = completed
  return {
    historicalComparisonAvailable: true,
    baselineScope: "organization",
    sampleSize: behavior.sampleSize,
    windowDays: behavior.windowDays,
    entityVolumeMultiplier:
      claims.entities === undefined ? null : decimal(multiplier.entityVolume(behavior, entities, numbers)),
    financialValueMultiplier:
      claims.value === undefined ? null : decimal(multiplier.financialValue(behavior, usdCents, numbers)),
    velocityMultiplier: decimal(multiplier.velocity(behavior, numbers)),
    destinationSeenBefore: (behavior.destination?.days ?? 0) > 0,
    actionTypeSeenBefore: behavior.actionTypeSeen
  }
}
