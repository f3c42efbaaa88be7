/** Builds a history that gives the wanted facts: a few daily routines, one busy hour, and the asked hour itself. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Model, Numbers } from "../../scoring/Model.ts"
import { type Box, includes, type Interval, intervalIn, valuesIn } from "../analysis/Box.ts"
import type { Situation } from "../cases/Situation.ts"
import { anotherAction } from "./spellings.ts"
import type { SituationRequest } from "./statements.ts"
import { centsPerUsd } from "../../scoring/money.ts"

type History = NonNullable<Situation["history"]>
type Entries = History["earlier"]

/** The destination of every witness, and a name that passes for it. */
export const witnessDestination = "partner.example"
const lookalikeDestination = "partner.exarnple"

const otherAgent = "agent-1"
const otherActionType = "report.get"
/** More than half of the units even beside those that a destination and a sum bring in. */
const routineDays = 7

interface TargetAction {
  readonly request: SituationRequest
  /** What the score asks of it without history. */
  readonly facts: Facts
}

const usd = (cents: number) => ({ financialValue: cents / centsPerUsd, currency: "USD" })

/** What somebody did before: as like the asked action as the plan wants it. */
const routine = (
  { facts, request }: TargetAction,
  plan: HistoryPlan,
  { lexicon }: Model
): SituationRequest => {
  const another = anotherAction(lexicon, facts.action_class, facts.normalized_action_type) ?? otherActionType
  const agentId = plan.agentSeen ? request.agentId : otherAgent
  return {
    actionType: plan.typeSeen ? request.actionType : another,
    environment: request.environment,
    ...(agentId === undefined ? {} : { agentId })
  }
}

/** Days on which usual figures were stated, so that the asked ones are so many times as large. */
const usualDays = (
  box: Box,
  { facts }: TargetAction,
  before: SituationRequest,
  { numbers }: Model
): Entries | null => {
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

/** Days on which the destination was used: with figures like the asked ones, unless these are to step up. */
const destinationDays = (
  { facts }: TargetAction,
  plan: HistoryPlan,
  before: SituationRequest,
  { numbers }: Model
): Entries => {
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

/** An action of the same agent this morning that brings the sum of the day to a step. */
const sameDay = (
  box: Box,
  { facts }: TargetAction,
  before: SituationRequest,
  { numbers }: Model
): Entries | null => {
  const { entities, usd: dollars } = numbers.cumulativeSteps
  const cents = dollars.map((start) => start * centsPerUsd)
  const more = amountToStep(facts.entities_affected, intervalIn(box, "cumulative_entities_step"), entities)
  const worth = amountToStep(facts.financial_value_usd_cents, intervalIn(box, "cumulative_value_step"), cents)
  if (more === null || worth === null) return null
  if (more === 0 && worth === 0) return []
  const counts = { entitiesAffected: more, recordsAffected: more }
  return [{ at: hoursAgo(6), request: { ...before, ...counts, ...usd(worth) } }]
}

/** Undefined where it takes none; null where no history of this plan says it. */
export const buildHistory = (
  box: Box,
  asked: TargetAction,
  plan: HistoryPlan,
  model: Model
): History | null | undefined => {
  const before = routine(asked, plan, model)
  const usual = usualDays(box, asked, before, model)
  const today = sameDay(box, asked, before, model)
  const rush = velocityHistory(box, before, model.numbers)
  if (usual === null || today === null || rush === null) return null
  const past = [...usual, ...destinationDays(asked, plan, before, model), ...rush.before, ...today]
  const routines = past.length === 0 && plan.baseline ? [{ at: daysAgo(7, 13), request: before }] : past
  if (routines.length > 0 !== plan.baseline) return null
  const earlier = [...routines, ...lastHourEntries(asked.request, rush.lastHour)]
  return earlier.length === 0 ? undefined : { now: witnessNow, earlier }
}

/** What a history is to say, one word for each thing it can say: every plan that a box leaves open, plainest first. */
interface HistoryPlan {
  /** - `none`: no destination is stated; `seen`: used before, but not established. */
  readonly destination: "none" | "novel" | "seen" | "established"
  readonly lookalike: boolean
  readonly stepUp: boolean
  readonly baseline: boolean
  readonly typeSeen: boolean
  readonly agentSeen: boolean
}

const falseFirst = [false, true]
const trueFirst = [true, false]

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

/** No history can say these together. */
const isConsistent = ({
  agentSeen,
  baseline,
  destination,
  lookalike,
  stepUp,
  typeSeen
}: HistoryPlan): boolean => {
  const known = destination === "seen" || destination === "established"
  if (stepUp && !known) return false
  if (lookalike && destination === "none") return false
  return baseline || (!known && !lookalike && typeSeen && agentSeen)
}

const everyPlan = (destinations: ReadonlyArray<HistoryPlan["destination"]>): ReadonlyArray<HistoryPlan> =>
  destinations.flatMap((destination) =>
    falseFirst.flatMap((lookalike) =>
      falseFirst.flatMap((stepUp) =>
        falseFirst.flatMap((baseline) =>
          trueFirst.flatMap((typeSeen) =>
            trueFirst.flatMap((agentSeen) => {
              const plan = { destination, lookalike, stepUp, baseline, typeSeen, agentSeen }
              return isConsistent(plan) ? [plan] : []
            })
          )
        )
      )
    )
  )

/** Something that leaves goes to a place that is known; anything else goes nowhere. */
const egressPlans = everyPlan(["established", "none", "seen", "novel"])
const otherPlans = everyPlan(["none", "established", "seen", "novel"])

export const plansIn = (box: Box, egress: boolean): ReadonlyArray<HistoryPlan> =>
  (egress ? egressPlans : otherPlans).filter((plan) =>
    Object.entries(factsOfPlan(plan)).every(([fact, value]) =>
      includes(valuesIn(box, fact as FactName), value)
    )
  )

/** The pace of a history: how many assessments a usual busy hour saw, and how many the last one. */
type VelocityEntries = NonNullable<Situation["history"]>["earlier"]

interface VelocityHistory {
  /** Assessments in the last hour, the asked one included. */
  readonly lastHour: number
  readonly before: VelocityEntries
}

/** One assessment a second fills an hour. */
const perEntryMax = 3_590
const perHourMax = 40_000
/** Every fourth hour is asked in, so that other routines keep hours of their own and many days are touched. */
const hoursApart = 4
/** Above the 95th percentile lie two of the usual 24 hours; three leave room for the hours of other routines. */
const busyHoursWanted = 3

const burst = (request: SituationRequest, at: string, times: number): VelocityEntries =>
  Array.from({ length: Math.ceil(times / perEntryMax) }, (_, i) => ({
    at,
    request,
    repeat: { times: Math.min(perEntryMax, times - i * perEntryMax), every: "1s" }
  }))

/** The fewest assessments in the last hour for which some usual hour gives the wanted multiplier. */
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

/** Null where no pace has the wanted figures. */
const velocityHistory = (box: Box, before: SituationRequest, numbers: Numbers): VelocityHistory | null => {
  const { max, min } = intervalIn(box, "velocity_last_hour")
  const quiet = Math.max(1, min)
  if (intervalIn(box, "velocity_multiplier_x100").min === 0) {
    return quiet > Math.min(max, perHourMax) ? null : { lastHour: quiet, before: [] }
  }
  const pace = velocityFor(box)
  if (pace === null || pace.lastHour > perHourMax || pace.usual > perHourMax) return null
  const { velocityDaysMin, velocityHoursMin } = numbers.behavior
  const times = Math.max(velocityHoursMin, (velocityDaysMin * 24) / hoursApart)
  const busy = Array.from({ length: pace.usual > 1 ? busyHoursWanted : 0 }, (_, i) =>
    burst(before, daysAgo(28, hoursApart * i), pace.usual - 1)
  )
  return {
    lastHour: pace.lastHour,
    before: [
      { at: daysAgo(28, 0), request: before, repeat: { times, every: `${hoursApart}h` } },
      ...busy.flat()
    ]
  }
}

/** The asked action itself, asked again and again within the hour: it counts towards the pace and nothing else. */
const lastHourEntries = (asked: SituationRequest, assessments: number): VelocityEntries =>
  assessments > 1 ? burst(asked, hoursAgo(1, 1), assessments - 1) : []

/** Solves for the figures of a history that bring a multiplier or a sum where it is wanted. */
const unbounded = Number.MAX_SAFE_INTEGER
/** Figures above this count as this much. */
const countedMax = 1e13

/** The roundest whole number in a stretch: 500 rather than 487. */
const roundestIn = (min: number, max: number): number => {
  for (let unit = 10 ** Math.floor(Math.log10(Math.max(1, max))); unit > 1; unit /= 10) {
    const rounded = Math.ceil(min / unit) * unit
    if (rounded <= max) return rounded
  }
  return min
}

/**
 * A divisor by which `figure` comes to so many hundredths, rounded half up: `over` in scoring/multiplier.ts solved for what is
 * usual. Null where no whole number does, `wanted` being above zero.
 */
const usualValueFor = (figure: number, { max, min }: Interval, least = 1): number | null => {
  const counted = Math.min(figure, countedMax)
  const most = Math.min(Math.floor((200 * counted) / (2 * min - 1)), unbounded)
  const fewest =
    max >= unbounded / 4 ? least : Math.max(least, Math.floor((200 * counted) / (2 * max + 1)) + 1)
  return most < fewest ? null : roundestIn(fewest, most)
}

/** What others must add so that the sum reaches a step in `wanted` above the figure's own; null where it cannot. */
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

/** The fixed instants of witnesses: noon of a Monday, and before it. */
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const noon = Date.parse("2026-11-16T12:00:00Z")

const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z")

const witnessNow = instant(noon)

/** `days` before today, at a full hour. */
const daysAgo = (days: number, hour: number): string => instant(noon - days * dayMs + (hour - 12) * hourMs)

const hoursAgo = (hours: number, seconds = 0): string => instant(noon - hours * hourMs + seconds * 1_000)
