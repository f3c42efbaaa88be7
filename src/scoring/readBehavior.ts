/** What history says of a completed action, as facts; where it could not be read, the worst that it could say. */

import type { Behavior, BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Claims } from "./Claims.ts"
import type { Completed } from "./complete.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Model.ts"
import { multiplier } from "./multiplier.ts"
import { readDestination, untold, worstDestination } from "./readDestination.ts"
import { atCeiling, type Readings } from "./Reading.ts"

export type BehaviorFacts = Pick<
  Facts,
  | "baseline_missing"
  | "action_type_unfamiliar"
  | "agent_unfamiliar"
  | "destination_novel"
  | "destination_unestablished"
  | "destination_step_up"
  | "destination_lookalike"
  | "entity_volume_multiplier_x100"
  | "financial_value_multiplier_x100"
  | "velocity_multiplier_x100"
  | "velocity_last_hour"
  | "cumulative_entities_step"
  | "cumulative_value_step"
>

const centsPerUsd = 100

/** How many of the ascending steps a figure has reached. */
const stepOf = (figure: number, steps: ReadonlyArray<number>, unit: number): number => {
  let reached = 0
  for (const step of steps) if (figure >= step * unit) reached++
  return reached
}

/** The step that a sum of small actions has reached, where it is above the action's own. */
const cumulativeStep = (own: number, others: number, steps: ReadonlyArray<number>, unit: number): number => {
  const reached = stepOf(own + others, steps, unit)
  return reached > stepOf(own, steps, unit) ? reached : 0
}

const readSnapshot = (
  snapshot: BehaviorSnapshot,
  claims: Claims,
  completed: Completed,
  numbers: Numbers,
  readings: Readings
): BehaviorFacts => {
  const baseline = snapshot.sampleSize >= 1
  const destination = readDestination(snapshot, claims, completed, numbers, readings)
  const { entities, usd } = numbers.cumulativeSteps
  const reads = claims.normalized.class === "read"
  return {
    baseline_missing: !baseline,
    action_type_unfamiliar: baseline && !snapshot.actionTypeSeen,
    agent_unfamiliar:
      baseline && (claims.agentId === undefined ? atCeiling(readings.agent_id) : !snapshot.agentSeen),
    destination_novel: destination.novel,
    destination_unestablished: destination.unestablished,
    destination_step_up: destination.stepUp,
    destination_lookalike: destination.lookalike,
    entity_volume_multiplier_x100: multiplier.entityVolume(snapshot, completed.entities, numbers) ?? 0,
    financial_value_multiplier_x100: multiplier.financialValue(snapshot, completed.usdCents, numbers) ?? 0,
    velocity_multiplier_x100: multiplier.velocity(snapshot, numbers) ?? 0,
    velocity_last_hour: snapshot.velocity.lastHour,
    cumulative_entities_step: reads
      ? 0
      : cumulativeStep(completed.entities, snapshot.last24Hours.entities, entities, 1),
    cumulative_value_step: reads
      ? 0
      : cumulativeStep(completed.usdCents, snapshot.last24Hours.usdCents, usd, centsPerUsd)
  }
}

/** Every check on history at its worst at once: no history that could have been read says more. */
const worstOf = (claims: Claims, numbers: Numbers): BehaviorFacts => {
  const destination = claims.destination !== undefined || claims.class.egress ? worstDestination : untold
  return {
    baseline_missing: true,
    action_type_unfamiliar: true,
    agent_unfamiliar: true,
    destination_novel: destination.novel,
    destination_unestablished: destination.unestablished,
    destination_step_up: destination.stepUp,
    destination_lookalike: destination.lookalike,
    entity_volume_multiplier_x100: Number.MAX_SAFE_INTEGER,
    financial_value_multiplier_x100: Number.MAX_SAFE_INTEGER,
    velocity_multiplier_x100: Number.MAX_SAFE_INTEGER,
    velocity_last_hour: Number.MAX_SAFE_INTEGER,
    cumulative_entities_step: numbers.cumulativeSteps.entities.length,
    cumulative_value_step: numbers.cumulativeSteps.usd.length
  }
}

export const readBehavior = (
  behavior: Behavior,
  claims: Claims,
  completed: Completed,
  numbers: Numbers,
  readings: Readings
): BehaviorFacts =>
  behavior === "unavailable"
    ? worstOf(claims, numbers)
    : readSnapshot(behavior, claims, completed, numbers, readings)

/** History that says nothing, for reports of an opinion whose history could not be read. */
export const silentHistory = {
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
} as const satisfies Partial<BehaviorFacts>
