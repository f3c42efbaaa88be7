/** Section 6: the history of a completed call. */

import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import type { Counted } from "./counted.ts"
import type { Question } from "./Question.ts"
import { numbers } from "./files.ts"
import { ownRowOf, statedOf, type Taken } from "./taken.ts"

export const silent = {
  baseline_missing: false,
  action_type_unfamiliar: false,
  agent_unfamiliar: false,
  destination_novel: false,
  destination_unestablished: false,
  destination_step_up: false,
  destination_lookalike: false,
  entity_volume_multiplier_x100: 0,
  financial_value_multiplier_x100: 0,
  velocity_multiplier_x100: 0,
  velocity_last_hour: 0,
  cumulative_entities_step: 0,
  cumulative_value_step: 0
}
export type History = typeof silent

const limits = numbers.behavior
const steps = numbers.cumulative_steps

/** More than any threshold. */
const huge = Number.MAX_SAFE_INTEGER

const worst = (question: Question): History => {
  const goes = statedOf(question).destination || ownRowOf(question).egress
  return {
    baseline_missing: true,
    action_type_unfamiliar: true,
    agent_unfamiliar: true,
    destination_novel: goes,
    destination_unestablished: goes,
    destination_step_up: goes,
    destination_lookalike: goes,
    entity_volume_multiplier_x100: huge,
    financial_value_multiplier_x100: huge,
    velocity_multiplier_x100: huge,
    velocity_last_hour: huge,
    cumulative_entities_step: steps.entities.length,
    cumulative_value_step: steps.usd.length
  }
}

/** Hundredths of `figure / usual`, half up, in whole numbers; a figure above ten thousand milliards counts as that. */
const over = (figure: number, usual: number): number => {
  const [a, b] = [BigInt(Math.min(figure, 1e13)), BigInt(usual)]
  return Number((200n * a + b) / (2n * b))
}

/** Null if there is too little to compare with. */
export const multipliersOf = (behavior: BehaviorSnapshot, entities: number, usdCents: number) => {
  const { entityVolume, financialValue, velocity } = behavior
  const { baseline_units_min, velocity_days_min, velocity_hours_min } = limits
  const usual = (units: number, median: number | null, least: number): number | null =>
    median === null || units < baseline_units_min ? null : Math.max(least, median)
  const usualEntities = usual(entityVolume.units, entityVolume.median, 1)
  const usualCents = usual(financialValue.units, financialValue.medianUsdCents, 100)
  const known = velocity.days >= velocity_days_min && velocity.hours >= velocity_hours_min
  const usualHour = known && velocity.p95PerHour !== null ? Math.max(1, velocity.p95PerHour) : null
  return {
    entities: usualEntities === null ? null : over(entities, usualEntities),
    value: usualCents === null ? null : over(usdCents, usualCents),
    velocity: usualHour === null ? null : over(velocity.lastHour, usualHour)
  }
}

const stepOf = (figure: number, thresholds: ReadonlyArray<number>, unit: number): number =>
  thresholds.filter((threshold) => figure >= threshold * unit).length

const sumStep = (own: number, earlier: number, thresholds: ReadonlyArray<number>, unit: number): number => {
  // Zero is not a slice of anything.
  if (own === 0) return 0
  const together = stepOf(own + earlier, thresholds, unit)
  return together > stepOf(own, thresholds, unit) ? together : 0
}

/** One figure in every sum that the action adds to, each with its usual daily amount. */
const worstSum = (
  { last24Hours, otherSums, usualDay }: BehaviorSnapshot,
  supposed: Taken["destination"],
  own: number,
  figure: (of: { readonly entities: number; readonly usdCents: number }) => number,
  thresholds: ReadonlyArray<number>,
  unit: number,
  whole: boolean
): number => {
  const sums = [{ earlier: figure(last24Hours), usual: 0, shared: false }]
  // An assumed destination may be the one that received everything today.
  const there =
    supposed === "new and alike" || supposed === "tried and alike"
      ? otherSums.organization
      : otherSums.destination
  if (there) sums.push({ earlier: figure(there), usual: 0, shared: !whole })
  const known = usualDay.days >= limits.velocity_days_min
  sums.push({ earlier: figure(otherSums.organization), usual: known ? figure(usualDay) : 0, shared: true })
  const steps = sums
    .filter(({ earlier, usual }) => earlier + own >= usual * limits.usual_day_multiple)
    .map(({ earlier, shared }) => {
      // Less than a hundredth of a step is not a slice of it.
      const near = thresholds.filter(
        (threshold) => !shared || BigInt(own) * 100n >= BigInt(limits.slice_percent_min * threshold * unit)
      )
      return sumStep(own, earlier, near, unit)
    })
  return Math.max(0, ...steps)
}

const destinationOf = (behavior: BehaviorSnapshot, question: Question, taken: Taken, counted: Counted) => {
  const seen = behavior.destination
  const isLargeBeside = (largestEntities: number, largestCents: number): boolean => {
    const { step_up_entities_min, step_up_multiple, step_up_usd_min } = limits
    const byEntities =
      counted.entities >= step_up_entities_min && counted.entities >= step_up_multiple * largestEntities
    const byMoney =
      counted.usdCents >= step_up_usd_min * 100 && counted.usdCents >= step_up_multiple * largestCents
    return byEntities || byMoney
  }
  const known = { novel: false, unestablished: false, stepUp: false, lookalike: false }
  // Without a history no destination is known, so none can be imitated.
  if (statedOf(question).destination && taken.destination !== "history" && behavior.sampleSize === 0)
    return { ...known, novel: true }
  switch (taken.destination) {
    case "spotless":
      return known
    case "new":
      return { ...known, novel: true }
    case "new and alike":
      return { ...known, novel: true, lookalike: true }
    case "tried and alike":
      return { novel: false, unestablished: true, stepUp: isLargeBeside(0, 0), lookalike: true }
    default:
      if (!statedOf(question).destination || seen === null) return known
      if (seen.days === 0) return { ...known, novel: true, lookalike: seen.lookalike }
      return {
        novel: false,
        unestablished:
          seen.days < limits.established_days_min || seen.firstSeenHours < limits.established_hours_min,
        stepUp: isLargeBeside(seen.largestEntities, seen.largestUsdCents),
        lookalike: seen.lookalike
      }
  }
}

export const historyOf = (question: Question, taken: Taken, counted: Counted): History => {
  const { behavior } = question
  if (behavior === "unavailable") return worst(question)
  const baseline = behavior.sampleSize > 0
  const destination = destinationOf(behavior, question, taken, counted)
  const multipliers = multipliersOf(behavior, counted.entities, counted.usdCents)
  const strange =
    taken.agent === "history" ? statedOf(question).agent && !behavior.agentSeen : taken.agent === "strange"
  const summed = !ownRowOf(question).harmless
  // Everything sent to unknown payees counts together, once there is a history.
  const whole =
    baseline &&
    (destination.novel || destination.unestablished) &&
    counted.usdCents >= 100 * limits.new_payee_usd_min
  return {
    baseline_missing: !baseline,
    action_type_unfamiliar: baseline && !behavior.actionTypeSeen,
    agent_unfamiliar: baseline && strange,
    destination_novel: destination.novel,
    destination_unestablished: destination.unestablished,
    destination_step_up: destination.stepUp,
    destination_lookalike: destination.lookalike,
    entity_volume_multiplier_x100: multipliers.entities ?? 0,
    financial_value_multiplier_x100: multipliers.value ?? 0,
    velocity_multiplier_x100: multipliers.velocity ?? 0,
    velocity_last_hour: behavior.velocity.lastHour,
    cumulative_entities_step: summed
      ? worstSum(
          behavior,
          taken.destination,
          counted.entities,
          ({ entities }) => entities,
          steps.entities,
          1,
          false
        )
      : 0,
    cumulative_value_step: summed
      ? worstSum(
          behavior,
          taken.destination,
          counted.usdCents,
          ({ usdCents }) => usdCents,
          steps.usd,
          100,
          whole
        )
      : 0
  }
}
