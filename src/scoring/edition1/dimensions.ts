/** The six dimensions of a completed action, and the blast radius that combines them. Basis points in and out. */

import { type Dimensions, impactDimensions } from "../../domain/Opinion.ts"
import { interpolate, noisyOr, sortDescending, timesBp } from "../arithmetic.ts"
import { centsPerUsd } from "../money.ts"
import type { Numbers } from "./Model.ts"
import type { DimensionInput } from "./StatedAction.ts"
import type { ResolvedAction } from "./missingFields.ts"

export const measureDimensions = (
  stated: DimensionInput,
  resolved: ResolvedAction,
  numbers: Numbers
): Dimensions => ({
  financialImpact: financialImpact(resolved, numbers),
  entityImpact: entityImpact(stated, resolved, numbers),
  dataImpact: dataImpact(stated, resolved, numbers),
  operationalImpact: operationalImpact(stated, resolved, numbers),
  privilegeImpact: privilegeImpact(stated, resolved, numbers),
  reversibility: reversibility(resolved, numbers)
})

const financialImpact = (resolved: ResolvedAction, numbers: Numbers): number =>
  interpolate(numbers.anchors.usd, resolved.usdCents, centsPerUsd)

/** The number of entities in reach, times what the class can do to each of them. */
const entityImpact = (stated: DimensionInput, resolved: ResolvedAction, numbers: Numbers): number => {
  const { entityEffectBp, sensitivityLiftsEntityEffect } = stated.class
  const { sensitivityBp } = numbers.dataClassification[resolved.dataClassification]
  const effect = sensitivityLiftsEntityEffect ? Math.max(entityEffectBp, sensitivityBp) : entityEffectBp
  return timesBp(interpolate(numbers.anchors.entities, resolved.entities), effect)
}

/**
 * How sensitive the data is, how much of it there is, and whether it leaves.
 * base ⊕ share · volume · sensitivity ⊕ share · sensitivity if data leaves, times the class effect.
 */
const dataImpact = (stated: DimensionInput, resolved: ResolvedAction, numbers: Numbers): number => {
  const { baseBp, sensitivityBp } = numbers.dataClassification[resolved.dataClassification]
  const volume = interpolate(numbers.anchors.records, resolved.records)
  const held = noisyOr(baseBp, timesBp(timesBp(numbers.dataVolumeBp, volume), sensitivityBp))
  const exposed = stated.class.dataLeaves ? noisyOr(held, timesBp(numbers.dataLeavesBp, sensitivityBp)) : held
  return timesBp(exposed, stated.class.dataEffectBp)
}

/** How much of the running system the action could disturb: by the environment, the class, and live dependencies. */
const operationalImpact = (stated: DimensionInput, resolved: ResolvedAction, numbers: Numbers): number => {
  const { baseBp, classFactorBp } = numbers.environment[stated.environment]
  const disturbed = noisyOr(baseBp, timesBp(stated.class.operationalWeightBp, classFactorBp))
  return resolved.productionImpact ? noisyOr(disturbed, numbers.productionImpactBp) : disturbed
}

/** How far permissions, roles or credentials shift, and for how many. */
const privilegeImpact = (stated: DimensionInput, resolved: ResolvedAction, numbers: Numbers): number => {
  const { changedBp, changedInProductionBp, entityShareBp, unchangedBp } = numbers.privilege
  if (!resolved.privilegeChange) return unchangedBp
  const changed = noisyOr(
    stated.production ? changedInProductionBp : changedBp,
    stated.class.addedPrivilegeBp
  )
  return noisyOr(changed, timesBp(entityShareBp, interpolate(numbers.anchors.entities, resolved.entities)))
}

/** How hard the action is to undo. This amplifies the impacts and is not an impact itself. */
const reversibility = (resolved: ResolvedAction, numbers: Numbers): number =>
  numbers.reversibility[resolved.reversibility]

/**
 * The blast radius of six dimensions: the largest impact, the others by a share, amplified by reversibility.
 * `I = M ⊕ share · D` over the impact dimensions, M the largest and D each other; then `B = I ⊕ share · R · I`.
 */
export const combineDimensions = (dimensions: Dimensions, numbers: Numbers): number => {
  const { otherDimensionsBp, reversibilityBp } = numbers.blastRadius
  // The fold starts with the largest, which keeps the result monotone: a dimension that rises only raises places of the
  // sorted row, and the fold is monotone in each place. Without sorting, rounding could lose a point when two trade places.
  const impacts = sortDescending(impactDimensions.map((name) => dimensions[name]))
  const impact = impacts.reduce((sum, other) => noisyOr(sum, timesBp(otherDimensionsBp, other)))
  return noisyOr(impact, timesBp(timesBp(reversibilityBp, dimensions.reversibility), impact))
}
