/** How many times the usual a figure is, in hundredths rounded half up; null where history is too thin to say. */

import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Numbers } from "./Model.ts"

const hundredths = 100
const centsPerUsd = 100
/** Figures above this are beyond every band; their products stay below 2^53. */
const figureCap = 1e13

/** `figure / max(1, usual)` in hundredths, half up. */
const over = (figure: number, usual: number): number => {
  const divisor = Math.max(1, usual)
  return Math.floor((2 * hundredths * Math.min(figure, figureCap) + divisor) / (2 * divisor))
}

export const multiplier = {
  entityVolume: (snapshot: BehaviorSnapshot, entities: number, numbers: Numbers): number | null => {
    const { median, units } = snapshot.entityVolume
    return units < numbers.behavior.baselineUnitsMin || median === null ? null : over(entities, median)
  },

  financialValue: (snapshot: BehaviorSnapshot, usdCents: number, numbers: Numbers): number | null => {
    const { medianUsdCents, units } = snapshot.financialValue
    if (units < numbers.behavior.baselineUnitsMin || medianUsdCents === null) return null
    return over(usdCents, Math.max(centsPerUsd, medianUsdCents))
  },

  velocity: (snapshot: BehaviorSnapshot, numbers: Numbers): number | null => {
    const { days, hours, lastHour, p95PerHour } = snapshot.velocity
    const { velocityDaysMin, velocityHoursMin } = numbers.behavior
    return days < velocityDaysMin || hours < velocityHoursMin || p95PerHour === null
      ? null
      : over(lastHour, p95PerHour)
  }
}
