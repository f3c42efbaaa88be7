/** The six dimensions of a completed call, and the blast radius that combines them. Basis points in and out. */

import type { Environment } from "../domain/Action.ts"
import { type Dimensions, impactDimensions } from "../domain/Opinion.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { interpolate, noisyOr, sortDescending, timesBp, wholeBp } from "./arithmetic.ts"
import type { ResolvedCall } from "./completeCall.ts"
import { centsPerUsd } from "./money.ts"

/** The part of a stated call that the dimensions depend on. */
export type DimensionInput = Pick<StatedCall, "class" | "environment" | "production"> & {
  readonly reading: Pick<StatedCall["reading"], "impact" | "anywhere" | "kind" | "weakens">
}

/** An act that is as grave from anywhere takes no discount for where it happens. */
const placeOf = ({ environment, reading }: DimensionInput): Environment =>
  reading.anywhere ? "production" : environment

export const measureDimensions = (
  call: DimensionInput,
  resolved: ResolvedCall,
  numbers: Numbers
): Dimensions => ({
  financialImpact: financialImpact(call, resolved, numbers),
  entityImpact: entityImpact(call, resolved, numbers),
  dataImpact: dataImpact(call, resolved, numbers),
  operationalImpact: operationalImpact(call, resolved, numbers),
  privilegeImpact: privilegeImpact(call, resolved, numbers),
  reversibility: numbers.reversibility[resolved.reversibility]
})

/** The amount on its scale. Money of a test environment is mostly play money. */
const financialImpact = (call: DimensionInput, { usdCents }: ResolvedCall, numbers: Numbers): number =>
  timesBp(
    timesBp(interpolate(numbers.anchors.usd, usdCents, centsPerUsd), call.class.moneyEffectBp),
    numbers.environment[placeOf(call)].moneyBp
  )

/** The number of entities in reach, times what the class can do to each of them. */
const entityImpact = (call: DimensionInput, { entities }: ResolvedCall, numbers: Numbers): number => {
  const reach = timesBp(interpolate(numbers.anchors.entities, entities), call.class.entityEffectBp)
  return timesBp(reach, numbers.environment[placeOf(call)].factorBp)
}

/**
 * How sensitive the data is, how much of it there is, and whether it leaves.
 * base ⊕ share · volume · sensitivity ⊕ share · sensitivity if data leaves, times the class effect.
 */
const dataImpact = (call: DimensionInput, resolved: ResolvedCall, numbers: Numbers): number => {
  const { baseBp, sensitivityBp } = numbers.dataClassification[resolved.dataClassification]
  const volume = interpolate(numbers.anchors.records, resolved.records)
  const held = noisyOr(baseBp, timesBp(timesBp(numbers.dataVolumeBp, volume), sensitivityBp))
  const exposed = call.class.dataLeaves ? noisyOr(held, timesBp(numbers.dataLeavesBp, sensitivityBp)) : held
  return timesBp(timesBp(exposed, call.class.dataEffectBp), numbers.environment[placeOf(call)].dataBp)
}

/** How much of the running system the act could disturb: by itself, by where it happens, and by what depends on its target. */
const operationalImpact = (call: DimensionInput, resolved: ResolvedCall, numbers: Numbers): number => {
  const { baseBp } = numbers.environment[call.environment]
  const place = placeOf(call)
  const own = call.class.factorBp?.[place] ?? numbers.environment[place].factorBp
  const factorBp = call.reading.weakens ? Math.max(own, numbers.weakenedFactorBp[place]) : own
  const touched = noisyOr(call.class.weightBp[call.reading.impact], numbers.kindBp[call.reading.kind])
  const disturbed = noisyOr(baseBp, timesBp(touched, factorBp))
  return resolved.productionImpact && !call.class.harmless
    ? noisyOr(disturbed, timesBp(numbers.productionImpactBp, factorBp))
    : disturbed
}

/** How far permissions, roles or credentials shift, and for how many. */
const privilegeImpact = (call: DimensionInput, resolved: ResolvedCall, numbers: Numbers): number => {
  if (!resolved.privilegeChange) return 0
  const { changedBp, changedInProductionBp, entityShareBp } = numbers.privilege
  const own = timesBp(
    call.class.privilegeBp[call.reading.impact],
    numbers.environment[placeOf(call)].factorBp
  )
  const stated = call.class.alwaysChangesPrivilege ? 0 : call.production ? changedInProductionBp : changedBp
  return noisyOr(
    noisyOr(own, stated),
    timesBp(entityShareBp, interpolate(numbers.anchors.entities, resolved.entities))
  )
}

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

/**
 * Action risk from blast radius and hazard: how bad it would be, raised by how likely it is to be wrong.
 * `A = B ⊕ H · (base + share · B)`, H the noisy-or of the hazards. Basis points in and out.
 * The blast radius scales the hazard, so that novelty adds little to a trivial action.
 */
export const combineRisk = (
  blastRadius: number,
  hazards: ReadonlyArray<number>,
  { actionRisk: { hazardBaseBp, hazardBlastRadiusBp } }: Numbers
): number => {
  // Rounding must not depend on the order of the rules, so the sum starts with the largest, as in `combineDimensions`.
  const hazard = sortDescending([...hazards]).reduce((sum, one) => noisyOr(sum, one), 0)
  const reach = Math.min(wholeBp, hazardBaseBp + timesBp(hazardBlastRadiusBp, blastRadius))
  return noisyOr(blastRadius, timesBp(hazard, reach))
}
