/** Builds a history with the wanted facts: a few daily routines, a few busy hours, and the last hour. */

import { type Environment, environments } from "../../domain/Action.ts"
import { dayMs, hourMs } from "../../domain/Day.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import { type Box, includes, type Interval, intervalIn, valuesIn } from "../analysis/Box.ts"
import type { Situation } from "../cases/Situation.ts"
import { anotherAction } from "./spellings.ts"
import type { SituationRequest } from "./statements.ts"
import type { RiskModel } from "../../scoring/Model.ts"
import { Struct } from "effect"

type History = NonNullable<Situation["history"]>
type HistoryEntries = History["earlier"]

/** The destination in every witness, and a lookalike of it. */
export const witnessDestination = "partner.example"
export const lookalikeDestination = "partner.exarnple"

const otherAgent = "agent-1"
const otherActionType = "report.get"
/** More than half of the baseline's units, even with the days added for a destination and a sum. */
const routineDays = 7

interface TargetAction {
  readonly request: SituationRequest
  /** The reference facts of the request without history. */
  readonly facts: Facts
}

/** Undefined if the facts need no history. Null if no history under this plan has these facts. */
export const buildHistory = (
  box: Box,
  target: TargetAction,
  plan: HistoryPlan,
  model: RiskModel
): History | null | undefined => {
  const before = routine(target, plan, model)
  const usual = usualDays(box, target, before, model)
  const today = sameDay(box, target, model)
  const velocity = velocityHistory(box, before, model.numbers)
  if (usual === null || today === null || velocity === null) return null
  // A baseline consists only of days before today.
  const past = [...usual, ...destinationDays(target, plan, before, model), ...velocity.before]
  const routines = past.length === 0 && plan.baseline ? [{ at: daysAgo(7, 13), request: before }] : past
  if (routines.length > 0 !== plan.baseline) return null
  const earlier = [...routines, ...today, ...lastHourEntries(target, velocity.lastHour)]
  return earlier.length === 0 ? undefined : { now: instantBefore(0), earlier }
}

/** The environment that counts and in which the request has its history. */
const environmentOf = (facts: Facts): Environment =>
  environments.find((one) => one === facts.environment) ?? "production"

const usd = (cents: number) => ({ financialValue: cents / centsPerUsd, currency: "USD" })

/** The earlier action: with the request's agent and action type or with others, depending on the plan. */
const routine = (
  { facts, request }: TargetAction,
  { agentSeen, typeSeen }: HistoryPlan,
  { lexicon }: RiskModel
): SituationRequest => {
  const another = anotherAction(lexicon, facts.action_class, facts.normalized_action_type) ?? otherActionType
  return {
    actionType: typeSeen ? request.actionType : another,
    // The target affects what a name means.
    ...(typeSeen ? Struct.pick(request, ["targetResource", "targetSystem"]) : {}),
    environment: environmentOf(facts),
    ...(agentSeen ? Struct.pick(request, ["agentId"]) : { agentId: otherAgent })
  }
}

/** Days with usual amounts, chosen so that the request's amounts are the wanted multiples of them. */
const usualDays = (
  box: Box,
  { facts }: TargetAction,
  before: SituationRequest,
  { numbers }: RiskModel
): HistoryEntries | null => {
  const entities = intervalIn(box, "entity_volume_multiplier_x100")
  const value = intervalIn(box, "financial_value_multiplier_x100")
  const usualEntities = entities.min > 0 ? usualValueFor(facts.entities_affected, entities) : undefined
  const usualCents =
    value.min > 0 ? usualValueFor(facts.financial_value_usd_cents, value, centsPerUsd) : undefined
  if (usualEntities === null || usualCents === null) return null
  if (usualEntities === undefined && usualCents === undefined) return []
  return [
    {
      at: daysAgo(15, 9),
      request: {
        ...before,
        ...(usualEntities === undefined ? {} : { entitiesAffected: usualEntities }),
        ...(usualCents === undefined ? {} : usd(usualCents))
      },
      repeat: { times: Math.max(routineDays, numbers.behavior.baselineUnitsMin), every: "1d" }
    }
  ]
}

/** Days on which the destination was used, with amounts like the request's, unless the request must be a step-up. */
const destinationDays = (
  { facts }: TargetAction,
  plan: HistoryPlan,
  before: SituationRequest,
  { numbers }: RiskModel
): HistoryEntries => {
  const { establishedDaysMin, stepUpEntitiesMin, stepUpUsdMin } = numbers.behavior
  const { entities_affected: entities, financial_value_usd_cents: cents } = facts
  const sizes = {
    ...(entities >= stepUpEntitiesMin ? { entitiesAffected: entities } : {}),
    ...(cents >= stepUpUsdMin * centsPerUsd ? usd(cents) : {})
  }
  const known = plan.destination === "established" || plan.destination === "seen"
  const days = { times: establishedDaysMin, every: "1d" }
  return [
    ...(known
      ? [
          {
            at: daysAgo(20, 10),
            request: { ...before, destination: witnessDestination, ...(plan.stepUp ? {} : sizes) },
            ...(plan.destination === "established" ? { repeat: days } : {})
          }
        ]
      : []),
    ...(plan.lookalike
      ? [{ at: daysAgo(20, 11), request: { ...before, destination: lookalikeDestination }, repeat: days }]
      : [])
  ]
}

/** An earlier action on the same day that raises the day's sum to a cumulative step. */
const sameDay = (
  box: Box,
  { facts, request }: TargetAction,
  { numbers }: RiskModel
): HistoryEntries | null => {
  const { entities, usd: dollars } = numbers.cumulativeSteps
  const cents = dollars.map((start) => start * centsPerUsd)
  const count = amountToStep(facts.entities_affected, intervalIn(box, "cumulative_entities_step"), entities)
  const value = amountToStep(facts.financial_value_usd_cents, intervalIn(box, "cumulative_value_step"), cents)
  if (count === null || value === null) return null
  if (count === 0 && value === 0) return []
  const counts = { entitiesAffected: count, recordsAffected: count }
  const named = Struct.pick(request, ["actionType", "agentId", "targetResource", "targetSystem"])
  return [
    { at: hoursAgo(6), request: { ...named, environment: environmentOf(facts), ...counts, ...usd(value) } }
  ]
}

/** The facts that a history decides, except amounts and velocity. */
interface HistoryPlan {
  /** `none`: the request states no destination. `seen`: the destination was used before but is not established. */
  readonly destination: "none" | "novel" | "seen" | "established"
  readonly lookalike: boolean
  readonly stepUp: boolean
  readonly baseline: boolean
  readonly typeSeen: boolean
  readonly agentSeen: boolean
}

const factsOfPlan = (plan: HistoryPlan): Partial<Record<FactName, boolean>> => ({
  destination_missing: plan.destination === "none",
  destination_novel: plan.destination === "novel",
  destination_unestablished: plan.destination === "seen",
  destination_step_up: plan.stepUp,
  destination_lookalike: plan.lookalike,
  baseline_missing: !plan.baseline,
  action_type_unfamiliar: !plan.typeSeen,
  agent_unfamiliar: !plan.agentSeen
})

/** Whether a single history can satisfy the whole plan. */
const isConsistent = ({ destination, ...plan }: HistoryPlan): boolean => {
  const known = destination === "seen" || destination === "established"
  if (plan.stepUp && !known) return false
  if (plan.lookalike && destination === "none") return false
  return plan.baseline || (!known && !plan.lookalike && plan.typeSeen && plan.agentSeen)
}

/** Every combination; those that need the least history come first. */
const everyPlan = (destinations: ReadonlyArray<HistoryPlan["destination"]>): ReadonlyArray<HistoryPlan> =>
  destinations.flatMap((destination) =>
    Array.from({ length: 2 ** 5 }, (_, bits) => ({
      destination,
      lookalike: (bits & 16) > 0,
      stepUp: (bits & 8) > 0,
      baseline: (bits & 4) > 0,
      typeSeen: (bits & 2) === 0,
      agentSeen: (bits & 1) === 0
    })).filter(isConsistent)
  )

/** Simplest first: an egress action goes to an established destination, any other action to none. */
const egressPlans = everyPlan(["established", "none", "seen", "novel"])
const otherPlans = everyPlan(["none", "established", "seen", "novel"])

/** The plans that fit the box, simplest first. */
export const plansIn = (box: Box, egress: boolean): ReadonlyArray<HistoryPlan> =>
  (egress ? egressPlans : otherPlans).filter((plan) =>
    Object.entries(factsOfPlan(plan)).every(([fact, value]) =>
      includes(valuesIn(box, fact as FactName), value)
    )
  )

/** The maximum number of assessments in one entry: one per second, for less than an hour. */
const perEntryMax = 3_590
const perHourMax = 40_000
/** Every fourth hour has an assessment, so that some hours of other routines stay empty and the hours spread over many days. */
const hoursApart = 4
/** Two busy hours out of 24 are above the 95th percentile. Three leave room for the hours of other routines. */
const busyHoursWanted = 3

const burst = (request: SituationRequest, at: string, times: number): HistoryEntries =>
  Array.from({ length: Math.ceil(times / perEntryMax) }, (_, i) => ({
    at,
    request,
    repeat: { times: Math.min(perEntryMax, times - i * perEntryMax), every: "1s" }
  }))

/** The smallest number of assessments in the last hour for which some usual hourly number gives the wanted multiplier. */
const velocityFor = (box: Box): { readonly lastHour: number; readonly usual: number } | null => {
  const multiplier = intervalIn(box, "velocity_multiplier_x100")
  const { max, min } = intervalIn(box, "velocity_last_hour")
  const least = Math.max(1, min, Math.floor(multiplier.min / 100))
  for (let lastHour = least; lastHour <= Math.min(max, least + perHourMax); lastHour++) {
    const usual = usualValueFor(lastHour, multiplier)
    if (usual !== null) return { lastHour, usual }
  }
  return null
}

/** `lastHour`: assessments in the last hour, including the request. Null if no number of assessments gives the wanted facts. */
const velocityHistory = (box: Box, before: SituationRequest, numbers: Numbers) => {
  const { max, min } = intervalIn(box, "velocity_last_hour")
  const quiet = Math.max(1, min)
  if (intervalIn(box, "velocity_multiplier_x100").min === 0) {
    return quiet > Math.min(max, perHourMax) ? null : { lastHour: quiet, before: [] }
  }
  const velocity = velocityFor(box)
  if (velocity === null || velocity.lastHour > perHourMax || velocity.usual > perHourMax) return null
  const { velocityDaysMin, velocityHoursMin } = numbers.behavior
  const times = Math.max(velocityHoursMin, (velocityDaysMin * 24) / hoursApart)
  const busy = Array.from({ length: velocity.usual > 1 ? busyHoursWanted : 0 }, (_, i) =>
    burst(before, daysAgo(28, hoursApart * i), velocity.usual - 1)
  )
  return {
    lastHour: velocity.lastHour,
    before: [
      { at: daysAgo(28, 0), request: before, repeat: { times, every: `${hoursApart}h` } },
      ...busy.flat()
    ]
  }
}

/** Entries in the last hour that affect velocity and no other fact: the same action, affecting nothing. */
const lastHourEntries = ({ facts, request }: TargetAction, assessments: number): HistoryEntries => {
  if (assessments <= 1) return []
  const environment = environmentOf(facts)
  const earlier = { ...request, environment, entitiesAffected: 0, recordsAffected: 0, ...usd(0) }
  return burst(earlier, hoursAgo(1, 1), assessments - 1)
}

const unbounded = Number.MAX_SAFE_INTEGER
/** Larger amounts are capped to this. */
const countedMax = 1e13

/** The roundest whole number in an interval: 500 rather than 487. */
const roundestIn = (min: number, max: number): number => {
  for (let unit = 10 ** Math.floor(Math.log10(Math.max(1, max))); unit > 1; unit /= 10) {
    const rounded = Math.ceil(min / unit) * unit
    if (rounded <= max) return rounded
  }
  return min
}

/**
 * The usual amount of which `figure` is the wanted multiple, in hundredths and rounded half up: the multiplier formula of
 * scoring/history.ts solved for the usual amount. Null if no whole number gives it. Invariant: `min` is above zero.
 */
const usualValueFor = (figure: number, { max, min }: Interval, least = 1): number | null => {
  const counted = Math.min(figure, countedMax)
  const most = Math.min(Math.floor((200 * counted) / (2 * min - 1)), unbounded)
  const fewest =
    max >= unbounded / 4 ? least : Math.max(least, Math.floor((200 * counted) / (2 * max + 1)) + 1)
  return most < fewest ? null : roundestIn(fewest, most)
}

/** The amount that raises the sum to a wanted step above the step of `figure` itself; null if there is no such step. */
const amountToStep = (
  figure: number,
  { max, min }: Interval,
  starts: ReadonlyArray<number>
): number | null => {
  if (min <= 0) return 0
  const own = starts.filter((start) => figure >= start).length
  const step = Math.max(min, own + 1)
  const start = starts[step - 1]
  return start === undefined || step > max ? null : start - figure
}

/** Every witness takes place at noon on this Monday. */
const noon = Date.parse("2026-11-16T12:00:00Z")
export const instantBefore = (ms: number): string => new Date(noon - ms).toISOString().replace(".000Z", "Z")

/** `days` before today, on the hour. */
const daysAgo = (days: number, hour: number): string => instantBefore(days * dayMs - (hour - 12) * hourMs)
const hoursAgo = (hours: number, seconds = 0): string => instantBefore(hours * hourMs - seconds * 1_000)
