/** The history of a completed call: its facts for the rules, and the behavioral context for the opinion. */

import type { Behavior, BehavioralContext, BehaviorSnapshot, Sum } from "../domain/Behavior.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import type { ResolvedCall } from "./completeCall.ts"
import { centsPerUsd } from "./money.ts"

/** The facts that come only from history. */
type HistoryFacts = Pick<Facts, keyof typeof neutralHistoryFacts>

/** How many of the ascending steps a figure has reached. */
const stepOf = (figure: number, steps: ReadonlyArray<number>, unit: number): number => {
  let reached = 0
  for (const step of steps) if (figure >= step * unit) reached++
  return reached
}

/** The step that an action reaches together with earlier ones; 0 if the action reaches it on its own. */
const cumulativeStep = (own: number, others: number, steps: ReadonlyArray<number>, unit: number): number => {
  if (others === 0) return 0
  const reached = stepOf(own + others, steps, unit)
  return reached > stepOf(own, steps, unit) ? reached : 0
}

/** One figure of an action, with the sums that it belongs to and the organization's usual day. */
interface Summed {
  readonly own: number
  readonly of: (sum: Sum) => number
  readonly steps: ReadonlyArray<number>
  readonly unit: number
  /** From this size on, the action counts towards every step of its destination's sum. */
  readonly wholeFrom: number
}

const entitiesOf = ({ entities }: Sum): number => entities
const usdCentsOf = ({ usdCents }: Sum): number => usdCents

/**
 * The step reached by a sum that agents share. An action counts towards a step only if it is at least a small share of that step: a message
 * is not grave because another agent paid a lot today.
 */
const sharedStep = (others: Sum, { of, own, steps, unit }: Summed, percentMin: number): number => {
  const alone = stepOf(own, steps, unit)
  const takesPart = (step: number): boolean => own * 100 >= percentMin * step * unit
  return steps.reduce(
    (highest, step, at) =>
      at >= alone && own + of(others) >= step * unit && takesPart(step) ? at + 1 : highest,
    0
  )
}

/**
 * The size from which all payments to a new payee are summed, whichever agents make them. Without any history every payee is new, so
 * novelty says nothing.
 */
const wholeFromCents = (
  { sampleSize }: BehaviorSnapshot,
  { novel, unestablished }: DestinationHistory,
  { behavior: { newPayeeUsdMin } }: Numbers
): number => (sampleSize >= 1 && (novel || unestablished) ? newPayeeUsdMin * centsPerUsd : Infinity)

/** The highest step that any sum reaches: that of the agent, of the destination, or, on an unusual day, of the organization. */
const highestStep = (
  { last24Hours, otherSums, usualDay }: BehaviorSnapshot,
  { destination: known }: Pick<ResolvedCall, "destination">,
  summed: Summed,
  { behavior }: Numbers
): number => {
  const { slicePercentMin, usualDayMultiple, velocityDaysMin } = behavior
  const { of, own, steps, unit, wholeFrom } = summed
  // An action that moves nothing does not count towards the agent's sum.
  const ofAgent = own === 0 ? 0 : cumulativeStep(own, of(last24Hours), steps, unit)
  const { organization } = otherSums
  // At worst, everything that moved today went to this one destination, whether it is new or was just tried.
  const all = known === "worst" || known === "tried"
  const destination = all ? organization : otherSums.destination
  // Before there are enough days, nothing counts as usual and only the steps matter.
  const usual = usualDay.days < velocityDaysMin ? 0 : of(usualDay)
  const isUsual = own + of(organization) < usualDayMultiple * usual
  return Math.max(
    ofAgent,
    destination === null ? 0 : sharedStep(destination, summed, own >= wholeFrom ? 0 : slicePercentMin),
    isUsual ? 0 : sharedStep(organization, summed, slicePercentMin)
  )
}

const agentUnfamiliar = (
  { agentSeen }: BehaviorSnapshot,
  stated: StatedCall,
  { agent }: ResolvedCall
): boolean => {
  if (agent !== "history") return agent === "worst"
  return stated.agentId !== undefined && !agentSeen
}

/** Writes the history facts that depend on figures, on the destination or on the agent into a facts record. */
export const moveHistoryFacts = (
  facts: { -readonly [Fact in keyof HistoryFacts]: HistoryFacts[Fact] },
  snapshot: BehaviorSnapshot,
  stated: StatedCall,
  resolved: ResolvedCall,
  numbers: Numbers
): void => {
  const destination = destinationHistory(snapshot, stated, resolved, numbers)
  facts.agent_unfamiliar = snapshot.sampleSize >= 1 && agentUnfamiliar(snapshot, stated, resolved)
  facts.destination_novel = destination.novel
  facts.destination_unestablished = destination.unestablished
  facts.destination_step_up = destination.stepUp
  facts.destination_lookalike = destination.lookalike
  facts.entity_volume_multiplier_x100 = multiplier.entityVolume(snapshot, resolved.entities, numbers) ?? 0
  facts.financial_value_multiplier_x100 = multiplier.financialValue(snapshot, resolved.usdCents, numbers) ?? 0
  if (stated.class.harmless) {
    facts.cumulative_entities_step = 0
    facts.cumulative_value_step = 0
    return
  }
  const { entities, usd } = numbers.cumulativeSteps
  const wholeFrom = wholeFromCents(snapshot, destination, numbers)
  facts.cumulative_entities_step = highestStep(
    snapshot,
    resolved,
    { own: resolved.entities, of: entitiesOf, steps: entities, unit: 1, wholeFrom: Infinity },
    numbers
  )
  facts.cumulative_value_step = highestStep(
    snapshot,
    resolved,
    { own: resolved.usdCents, of: usdCentsOf, steps: usd, unit: centsPerUsd, wholeFrom },
    numbers
  )
}

/** All history facts at their worst at once. No real history is worse. */
const worstFacts = (stated: StatedCall, { cumulativeSteps }: Numbers): HistoryFacts => {
  const destination = stated.destination !== undefined || stated.class.egress
  return {
    baseline_missing: true,
    action_type_unfamiliar: true,
    agent_unfamiliar: true,
    destination_novel: destination,
    destination_unestablished: destination,
    destination_step_up: destination,
    destination_lookalike: destination,
    entity_volume_multiplier_x100: Number.MAX_SAFE_INTEGER,
    financial_value_multiplier_x100: Number.MAX_SAFE_INTEGER,
    velocity_multiplier_x100: Number.MAX_SAFE_INTEGER,
    velocity_last_hour: Number.MAX_SAFE_INTEGER,
    cumulative_entities_step: cumulativeSteps.entities.length,
    cumulative_value_step: cumulativeSteps.usd.length
  }
}

/**
 * The history facts that no missing field can change, with neutral values for the others. If history could not be read, all of them are at
 * their worst.
 */
export const standingHistoryFacts = (
  behavior: Behavior,
  stated: StatedCall,
  numbers: Numbers
): HistoryFacts => {
  if (behavior === "unavailable") return worstFacts(stated, numbers)
  const baseline = behavior.sampleSize >= 1
  return {
    ...neutralHistoryFacts,
    baseline_missing: !baseline,
    action_type_unfamiliar: baseline && !behavior.actionTypeSeen,
    velocity_multiplier_x100: multiplier.velocity(behavior, numbers) ?? 0,
    velocity_last_hour: behavior.velocity.lastHour
  }
}

/** The facts of a history without any sign of risk. An opinion reports these if history could not be read. */
export const neutralHistoryFacts = {
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
} satisfies Partial<Facts>

interface DestinationHistory {
  readonly novel: boolean
  readonly unestablished: boolean
  readonly stepUp: boolean
  readonly lookalike: boolean
}

/** A destination without any sign of risk. Also used for an action without a destination. */
const unsuspicious: DestinationHistory = {
  novel: false,
  unestablished: false,
  stepUp: false,
  lookalike: false
}

type Largest = Pick<NonNullable<BehaviorSnapshot["destination"]>, "largestEntities" | "largestUsdCents">

/** Whether an action is not small and many times the largest one seen at its destination. */
const stepsUp = (resolved: ResolvedCall, largest: Largest, { behavior }: Numbers): boolean => {
  const { entities, usdCents } = resolved
  const { stepUpEntitiesMin, stepUpMultiple, stepUpUsdMin } = behavior
  return (
    (entities >= stepUpEntitiesMin && entities >= stepUpMultiple * largest.largestEntities) ||
    (usdCents >= stepUpUsdMin * centsPerUsd && usdCents >= stepUpMultiple * largest.largestUsdCents)
  )
}

/** The history of the destination. For an egress class, a missing destination counts as never seen. */
const destinationHistory = (
  snapshot: BehaviorSnapshot,
  stated: StatedCall,
  resolved: ResolvedCall,
  numbers: Numbers
): DestinationHistory => {
  const known = resolved.destination
  // An organization without history has seen neither this destination nor one that it could imitate.
  const isNew = known !== "history" && stated.destination !== undefined && snapshot.sampleSize === 0
  if (known === "novel" || isNew) return { ...unsuspicious, novel: true }
  if (known === "best") return unsuspicious
  if (known === "worst") return { ...unsuspicious, novel: true, lookalike: true }
  if (known === "tried")
    return {
      novel: false,
      unestablished: true,
      stepUp: stepsUp(resolved, nothingSeen, numbers),
      lookalike: true
    }
  const { destination: history } = snapshot
  if (stated.destination === undefined || history === null) return unsuspicious
  const { lookalike } = history
  if (history.days === 0) return { ...unsuspicious, novel: true, lookalike }
  const { establishedDaysMin, establishedHoursMin } = numbers.behavior
  return {
    novel: false,
    unestablished: history.days < establishedDaysMin || history.firstSeenHours < establishedHoursMin,
    stepUp: stepsUp(resolved, history, numbers),
    lookalike
  }
}

const nothingSeen: Largest = { largestEntities: 0, largestUsdCents: 0 }

/** Multipliers are integers in hundredths. */
const hundredths = 100
/** Larger figures are capped to this. It is above every threshold, and products with it stay below 2^53. */
const figureCap = 1e13

/** `figure / max(1, usual)` in hundredths, rounded half up. */
const ratioInHundredths = (figure: number, usual: number): number => {
  const divisor = Math.max(1, usual)
  return Math.floor((2 * hundredths * Math.min(figure, figureCap) + divisor) / (2 * divisor))
}

/** How many times the usual value a figure is, in hundredths rounded half up. Null if there is too little history. */
const multiplier = {
  entityVolume: (snapshot: BehaviorSnapshot, entities: number, { behavior }: Numbers): number | null => {
    const { median, units } = snapshot.entityVolume
    return units < behavior.baselineUnitsMin || median === null ? null : ratioInHundredths(entities, median)
  },

  financialValue: (snapshot: BehaviorSnapshot, usdCents: number, { behavior }: Numbers): number | null => {
    const { medianUsdCents, units } = snapshot.financialValue
    if (units < behavior.baselineUnitsMin || medianUsdCents === null) return null
    return ratioInHundredths(usdCents, Math.max(centsPerUsd, medianUsdCents))
  },

  velocity: (snapshot: BehaviorSnapshot, { behavior }: Numbers): number | null => {
    const { days, hours, lastHour, p95PerHour } = snapshot.velocity
    return days < behavior.velocityDaysMin || hours < behavior.velocityHoursMin || p95PerHour === null
      ? null
      : ratioInHundredths(lastHour, p95PerHour)
  }
}

const decimal = (ratio: number | null): number | null => (ratio === null ? null : ratio / hundredths)

const noBehavioralContext = (windowDays: number): BehavioralContext => ({
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

/** The behavioral context of an opinion (specification 2.3). */
export const toBehavioralContext = (
  behavior: Behavior,
  stated: StatedCall,
  { entities, usdCents }: ResolvedCall,
  numbers: Numbers
): BehavioralContext => {
  // Spec 2.3: without a baseline the three multipliers are null.
  if (behavior === "unavailable") return noBehavioralContext(numbers.behavior.windowDays)
  const { destination, sampleSize, today } = behavior
  const seen = sampleSize + today.units
  if (seen === 0) return noBehavioralContext(numbers.behavior.windowDays)
  return {
    historicalComparisonAvailable: true,
    baselineScope: "organization",
    sampleSize: seen,
    windowDays: behavior.windowDays,
    entityVolumeMultiplier:
      stated.entities === undefined ? null : decimal(multiplier.entityVolume(behavior, entities, numbers)),
    financialValueMultiplier:
      stated.value === undefined ? null : decimal(multiplier.financialValue(behavior, usdCents, numbers)),
    velocityMultiplier: decimal(multiplier.velocity(behavior, numbers)),
    destinationSeenBefore: (destination?.days ?? 0) > 0 || today.destinationSeen,
    actionTypeSeenBefore: behavior.actionTypeSeen || today.actionTypeSeen
  }
}
