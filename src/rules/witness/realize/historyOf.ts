/** Builds the history that says what a plan and a box want of it, from a few daily routines and one busy hour. */

import type { Facts } from "../../../scoring/Facts.ts"
import type { Model } from "../../../scoring/Model.ts"
import type { Box } from "../../analysis/Box.ts"
import type { Situation } from "../../cases.ts"
import { daysAgo, hoursAgo, now } from "./calendar.ts"
import { missingTo, usualFor } from "./figures.ts"
import type { Plan } from "./plans.ts"
import { busyHours, lastHour } from "./rush.ts"
import { spanIn } from "./spanIn.ts"
import { anotherAction } from "./spellings.ts"
import type { Request } from "./statements.ts"

type History = NonNullable<Situation["history"]>
type Entries = History["earlier"]

/** The destination of every witness, and a name that passes for it. */
export const destination = "partner.example"
const lookalike = "partner.exarnple"

const someoneElse = "agent-1"
const elsewhere = "report.get"
const centsPerUsd = 100
/** More than half of the units even beside those that a destination and a sum bring in. */
const routineDays = 7

export interface Asked {
  readonly request: Request
  /** What the score asks of it without history. */
  readonly facts: Facts
}

const usd = (cents: number) => ({ financialValue: cents / centsPerUsd, currency: "USD" })

/** What somebody did before: as like the asked action as the plan wants it. */
const routine = ({ facts, request }: Asked, plan: Plan, { lexicon }: Model): Request => {
  const another = anotherAction(lexicon, facts.action_class, facts.normalized_action_type) ?? elsewhere
  const agentId = plan.agentSeen ? request.agentId : someoneElse
  return {
    actionType: plan.typeSeen ? request.actionType : another,
    environment: request.environment,
    ...(agentId === undefined ? {} : { agentId })
  }
}

/** Days on which usual figures were stated, so that the asked ones are so many times as large. */
const usualDays = (box: Box, { facts }: Asked, before: Request, { numbers }: Model): Entries | null => {
  const entities = spanIn(box, "entity_volume_multiplier_x100")
  const value = spanIn(box, "financial_value_multiplier_x100")
  const usualEntities = entities.min > 0 ? usualFor(facts.entities_affected, entities) : undefined
  const usualCents = value.min > 0 ? usualFor(facts.financial_value_usd_cents, value, centsPerUsd) : undefined
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
const destinationDays = ({ facts }: Asked, plan: Plan, before: Request, { numbers }: Model): Entries => {
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
            request: { ...before, destination, ...(plan.stepUp ? {} : sizes) },
            ...(plan.destination === "established" ? { repeat: days } : {})
          }
        ]
      : []),
    ...(plan.lookalike
      ? [{ at: daysAgo(20, 11), request: { ...before, destination: lookalike }, repeat: days }]
      : [])
  ]
}

/** An action of the same agent this morning that brings the sum of the day to a step. */
const sameDay = (box: Box, { facts }: Asked, before: Request, { numbers }: Model): Entries | null => {
  const { entities, usd: dollars } = numbers.cumulativeSteps
  const cents = dollars.map((start) => start * centsPerUsd)
  const more = missingTo(facts.entities_affected, spanIn(box, "cumulative_entities_step"), entities)
  const worth = missingTo(facts.financial_value_usd_cents, spanIn(box, "cumulative_value_step"), cents)
  if (more === null || worth === null) return null
  if (more === 0 && worth === 0) return []
  const counts = { entitiesAffected: more, recordsAffected: more }
  return [{ at: hoursAgo(6), request: { ...before, ...counts, ...usd(worth) } }]
}

/** Undefined where it takes none; null where no history of this plan says it. */
export const historyOf = (box: Box, asked: Asked, plan: Plan, model: Model): History | null | undefined => {
  const before = routine(asked, plan, model)
  const usual = usualDays(box, asked, before, model)
  const today = sameDay(box, asked, before, model)
  const rush = busyHours(box, before, model.numbers)
  if (usual === null || today === null || rush === null) return null
  const past = [...usual, ...destinationDays(asked, plan, before, model), ...rush.before, ...today]
  const routines = past.length === 0 && plan.baseline ? [{ at: daysAgo(7, 13), request: before }] : past
  if (routines.length > 0 !== plan.baseline) return null
  const earlier = [...routines, ...lastHour(asked.request, rush.lastHour)]
  return earlier.length === 0 ? undefined : { now, earlier }
}
