/** The six dimensions of a completed action, and the blast radius that combines them. Basis points in and out. */

import { type Dimensions, impactDimensions } from "../domain/Opinion.ts"
import type { Numbers } from "./Model.ts"
import type { DimensionInput } from "./StatedAction.ts"
import { interpolate, noisyOr, sortDescending, timesBp } from "./arithmetic.ts"
import type { ResolvedAction } from "./missingFields.ts"
import { centsPerUsd } from "./money.ts"

export const measureDimensions = (
  claims: DimensionInput,
  completed: ResolvedAction,
  numbers: Numbers
): Dimensions => ({
  financialImpact: financialImpact(completed, numbers),
  entityImpact: entityImpact(claims, completed, numbers),
  dataImpact: dataImpact(claims, completed, numbers),
  operationalImpact: operationalImpact(claims, completed, numbers),
  privilegeImpact: privilegeImpact(claims, completed, numbers),
  reversibility: reversibility(completed, numbers)
})

const financialImpact = (completed: ResolvedAction, numbers: Numbers): number =>
  interpolate(numbers.anchors.usd, completed.usdCents, centsPerUsd)

/** How many distinct entities are in reach, times what the class can do to each. */
const entityImpact = (claims: DimensionInput, completed: ResolvedAction, numbers: Numbers): number => {
  const { entityEffectBp, sensitivityLiftsEntityEffect } = claims.class
  const { sensitivityBp } = numbers.dataClassification[completed.dataClassification]
  const effect = sensitivityLiftsEntityEffect ? Math.max(entityEffectBp, sensitivityBp) : entityEffectBp
  return timesBp(interpolate(numbers.anchors.entities, completed.entities), effect)
}

/**
 * How sensitive the data is, how much of it there is, and whether it leaves.
 * base ⊕ share · volume · sensitivity ⊕ share · sensitivity if data leaves, times the class effect.
 */
const dataImpact = (claims: DimensionInput, completed: ResolvedAction, numbers: Numbers): number => {
  const { baseBp, sensitivityBp } = numbers.dataClassification[completed.dataClassification]
  const volume = interpolate(numbers.anchors.records, completed.records)
  const held = noisyOr(baseBp, timesBp(timesBp(numbers.dataVolumeBp, volume), sensitivityBp))
  const exposed = claims.class.dataLeaves ? noisyOr(held, timesBp(numbers.dataLeavesBp, sensitivityBp)) : held
  return timesBp(exposed, claims.class.dataEffectBp)
}

/** How much of what runs could be disturbed: by the environment, the class, and live dependencies. */
const operationalImpact = (claims: DimensionInput, completed: ResolvedAction, numbers: Numbers): number => {
  const { baseBp, classFactorBp } = numbers.environment[claims.environment]
  const disturbed = noisyOr(baseBp, timesBp(claims.class.operationalWeightBp, classFactorBp))
  return completed.productionImpact ? noisyOr(disturbed, numbers.productionImpactBp) : disturbed
}

/** How far permissions, roles or credentials shift, and for how many. */
const privilegeImpact = (claims: DimensionInput, completed: ResolvedAction, numbers: Numbers): number => {
  const { changedBp, changedInProductionBp, entityShareBp, unchangedBp } = numbers.privilege
  if (!completed.privilegeChange) return unchangedBp
  const changed = noisyOr(
    claims.production ? changedInProductionBp : changedBp,
    claims.class.addedPrivilegeBp
  )
  return noisyOr(changed, timesBp(entityShareBp, interpolate(numbers.anchors.entities, completed.entities)))
}

/** How hard the action is to undo; it amplifies the impacts and is none by itself. */
const reversibility = (completed: ResolvedAction, numbers: Numbers): number =>
  numbers.reversibility[completed.reversibility]

/**
 * The blast radius of six dimensions: the largest impact, the others by a share, amplified by reversibility.
 * `I = M ⊕ share · D` over the impact dimensions, M the largest and D each other; then `B = I ⊕ share · R · I`.
 * Basis points in and out.
 */
export const combineDimensions = (dimensions: Dimensions, numbers: Numbers): number => {
  const { otherDimensionsBp, reversibilityBp } = numbers.blastRadius
  // Folding from the largest down keeps the result monotone: raising one dimension only raises places of the sorted
  // row, and each place enters a monotone fold. Unsorted, rounding could lose a point where two dimensions trade places.
  const impacts = sortDescending(impactDimensions.map((name) => dimensions[name]))
  const impact = impacts.reduce((sum, other) => noisyOr(sum, timesBp(otherDimensionsBp, other)))
  return noisyOr(impact, timesBp(timesBp(reversibilityBp, dimensions.reversibility), impact))
}
