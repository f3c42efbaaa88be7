/** Section 6: what history says of a reading; `unavailable` history says the worst of everything, or nothing at all. */

import { numbers } from "./numbers.ts"
import type { Question } from "./Question.ts"
import type { Reading } from "./read.ts"

const silent = {
  baselineMissing: false,
  typeUnfamiliar: false,
  agentUnfamiliar: false,
  novel: false,
  unestablished: false,
  stepUp: false,
  lookalike: false,
  entityMultiplier: 0,
  valueMultiplier: 0,
  velocityMultiplier: 0,
  lastHour: 0,
  entityStep: 0,
  valueStep: 0
}
export type History = typeof silent

/** Larger figures count as this one, so that hundredths of them stay exact. */
const figureMax = 1e13

/** Hundredths, half up. */
const over = (figure: number, usual: number): number => {
  const hundredfold = 100 * Math.min(figure, figureMax)
  return 2 * hundredfold < usual ? 0 : Math.floor((2 * hundredfold + usual) / (2 * usual))
}

const step = (steps: ReadonlyArray<number>, amount: number, unit: number): number =>
  steps.filter((from) => amount >= from * unit).length

const cumulative = (steps: ReadonlyArray<number>, own: number, earlier: number, unit: number): number => {
  const reached = step(steps, own + earlier, unit)
  return reached > step(steps, own, unit) ? reached : 0
}

const worst = (reading: Reading, aboutDestination: boolean): History => ({
  baselineMissing: true,
  typeUnfamiliar: true,
  agentUnfamiliar: true,
  novel: aboutDestination,
  unestablished: aboutDestination,
  stepUp: aboutDestination,
  lookalike: aboutDestination,
  entityMultiplier: 1_000_000,
  valueMultiplier: 1_000_000,
  velocityMultiplier: 1_000_000,
  lastHour: 1_000_000,
  entityStep: reading.class === "read" ? 0 : 3,
  valueStep: reading.class === "read" ? 0 : 3
})

export const multipliersOf = ({ behavior }: Question, entities: number, usdCents: number) => {
  if (behavior === "unavailable") return { entity: null, value: null, velocity: null }
  const { entityVolume, financialValue, velocity } = behavior
  const enough = (units: number): boolean => units >= numbers.behavior.baseline_units_min
  const usual = (median: number | null, least: number): number => Math.max(least, median ?? 0)
  const enoughVelocity =
    velocity.days >= numbers.behavior.velocity_days_min &&
    velocity.hours >= numbers.behavior.velocity_hours_min
  return {
    entity: enough(entityVolume.units) ? over(entities, usual(entityVolume.median, 1)) : null,
    value: enough(financialValue.units) ? over(usdCents, usual(financialValue.medianUsdCents, 100)) : null,
    velocity: enoughVelocity ? over(velocity.lastHour, usual(velocity.p95PerHour, 1)) : null
  }
}

export const historyOf = (question: Question, reading: Reading, shown: boolean): History => {
  const { action, behavior } = question
  const statesDestination = action.destination !== undefined
  if (behavior === "unavailable") {
    return shown ? silent : worst(reading, statesDestination || reading.isEgress)
  }

  const limits = numbers.behavior
  const baseline = behavior.sampleSize > 0
  const seen = behavior.destination !== null && behavior.destination.days > 0 ? behavior.destination : null
  const worstDestination =
    question.worstDestination ?? (reading.stage === "ceiling" && reading.isEgress && !statesDestination)
  const largest = worstDestination ? { largestEntities: 0, largestUsdCents: 0 } : seen
  const assumedAgent = reading.stage === "ceiling" && action.agentId === undefined
  const entities = reading.entities
  const multipliers = multipliersOf(question, entities, reading.usdCents)
  const isTimes = (amount: number, usual: number, least: number): boolean =>
    amount >= least && amount >= limits.step_up_multiple * usual

  return {
    baselineMissing: !baseline,
    typeUnfamiliar: baseline && !behavior.actionTypeSeen,
    agentUnfamiliar: baseline && (action.agentId !== undefined ? !behavior.agentSeen : assumedAgent),
    novel: worstDestination || (statesDestination && seen === null),
    unestablished:
      seen !== null &&
      (seen.days < limits.established_days_min || seen.firstSeenHours < limits.established_hours_min),
    stepUp:
      largest !== null &&
      (isTimes(entities, largest.largestEntities, limits.step_up_entities_min) ||
        isTimes(reading.usdCents, largest.largestUsdCents, 100 * limits.step_up_usd_min)),
    lookalike: behavior.destination?.lookalike ?? false,
    entityMultiplier: multipliers.entity ?? 0,
    valueMultiplier: multipliers.value ?? 0,
    velocityMultiplier: multipliers.velocity ?? 0,
    lastHour: behavior.velocity.lastHour,
    entityStep:
      reading.class === "read"
        ? 0
        : cumulative(numbers.cumulative_steps.entities, entities, behavior.last24Hours.entities, 1),
    valueStep:
      reading.class === "read"
        ? 0
        : cumulative(numbers.cumulative_steps.usd, reading.usdCents, behavior.last24Hours.usdCents, 100)
  }
}
