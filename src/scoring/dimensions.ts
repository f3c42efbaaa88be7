/** The six dimensions of a completed call, and the blast radius that combines them. All in basis points. */

import type { DataClassification, Environment } from "../domain/Action.ts"
import type { Dimensions } from "../domain/Opinion.ts"
import type { FactorMatch } from "./Model.ts"
import type { ClassNumbers, Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { interpolate, noisyOr, sortDescending, timesBp, wholeBp } from "./arithmetic.ts"
import type { ResolvedCall } from "./completeCall.ts"
import { centsPerUsd } from "./money.ts"
import type { ObjectKind } from "./reading/Vocabulary.ts"

/** The parts of a stated call that affect the dimensions. */
export type DimensionInput = Pick<StatedCall, "class" | "environment" | "production"> & {
  readonly reading: Pick<StatedCall["reading"], "impact" | "anywhere" | "kind" | "remote" | "weakens">
}

/** The environment that counts. An act that is equally grave everywhere gets no discount for its environment. */
const placeOf = ({ environment, reading }: DimensionInput): Environment =>
  reading.anywhere ? "production" : environment

/** How much a kind of object adds to every act on it. An object that claims money adds as much as money itself. */
export const kindFigureOf = (kind: ObjectKind, { kindBp }: Numbers): number =>
  kindBp[kind === "claim" ? "money" : kind]

/** How much of an amount counts. Writing or sending an invoice asks for money but moves none. */
export const moneyEffectOf = (own: ClassNumbers, kind: ObjectKind): number =>
  (kind === "claim" ? own.askedMoneyEffectBp : undefined) ?? own.moneyEffectBp

/** Returns a function that measures completed forms of one call, in basis points. Whatever all forms share is computed only once. */
export const dimensionsOf = (
  call: DimensionInput,
  numbers: Numbers
): ((resolved: ResolvedCall) => Dimensions) => {
  const { class: own } = call
  const { dataBp, factorBp, moneyBp } = numbers.environment[placeOf(call)]
  const undone = operationalImpact(call, undoneWeightOf(own, call.reading), numbers, false)
  const undisturbed = operationalImpact(call, own.weightBp[call.reading.impact], numbers, false)
  const disturbed = operationalImpact(call, own.weightBp[call.reading.impact], numbers, true)
  const shift = privilegeShift(call, numbers)
  const moneyEffect = moneyEffectOf(own, call.reading.kind)
  const { anchors, undoneEntitiesMax } = numbers
  // Most forms of a call differ from the previous one in one field, so remembering the last result saves work.
  const reachOf = ofLast((entities) => interpolate(anchors.entities, entities))
  const volumeOf = ofLast((records) => interpolate(anchors.records, records))
  const moneyOf = ofLast((usdCents) => interpolate(anchors.usd, usdCents, centsPerUsd))
  return ({
    dataClassification,
    entities,
    privilegeChange,
    productionImpact,
    records,
    reversibility,
    usdCents
  }) => {
    const reach = reachOf(entities)
    return {
      // The amount on its scale. Money in a test environment is mostly play money.
      financialImpact: timesBp(timesBp(moneyOf(usdCents), moneyEffect), moneyBp),
      // The number of affected entities on its scale, times the effect of the class on each.
      entityImpact: timesBp(timesBp(reach, own.entityEffectBp), factorBp),
      dataImpact: timesBp(dataImpact(own, dataClassification, volumeOf(records), numbers), dataBp),
      operationalImpact: productionImpact
        ? disturbed
        : reversibility === "fully_reversible" && entities <= undoneEntitiesMax
          ? undone
          : undisturbed,
      // How far permissions, roles or credentials shift, and for how many entities.
      privilegeImpact: privilegeChange ? noisyOr(shift, timesBp(numbers.privilege.entityShareBp, reach)) : 0,
      reversibility: numbers.reversibility[reversibility]
    }
  }
}

/** Wraps a function so that it remembers its last result. */
const ofLast = (of: (figure: number) => number): ((figure: number) => number) => {
  let last = Number.NaN
  let answer = 0
  return (figure) => {
    if (figure !== last) {
      last = figure
      answer = of(figure)
    }
    return answer
  }
}

/**
 * How sensitive the data is, how much of it is affected, and whether it leaves: base ⊕ share · volume · sensitivity ⊕ share · sensitivity
 * if data leaves, times the effect of the class.
 */
const dataImpact = (
  own: ClassNumbers,
  dataClassification: DataClassification,
  volume: number,
  numbers: Numbers
): number => {
  const { baseBp, sensitivityBp } = numbers.dataClassification[dataClassification]
  const held = noisyOr(baseBp, timesBp(timesBp(numbers.dataVolumeBp, volume), sensitivityBp))
  const exposed = own.dataLeaves ? noisyOr(held, timesBp(numbers.dataLeavesBp, sensitivityBp)) : held
  return timesBp(exposed, own.dataEffectBp)
}

/**
 * The weight of an act that can be undone fully and disturbs nothing. An act that weakens a safeguard keeps its full weight, because the
 * system is unprotected until the act is undone.
 */
export const undoneWeightOf = (
  own: ClassNumbers,
  reading: Pick<DimensionInput["reading"], "impact" | "weakens">
): number => ((reading.weakens ? undefined : own.undoneWeightBp) ?? own.weightBp)[reading.impact]

/** How much of the running system the act could disturb: through the act itself, its environment, and whatever depends on its target. */
const operationalImpact = (
  call: DimensionInput,
  weightBp: number,
  numbers: Numbers,
  productionImpact: boolean
): number => {
  const { baseBp } = numbers.environment[call.environment]
  const place = placeOf(call)
  const own = call.class.factorBp?.[place] ?? numbers.environment[place].factorBp
  const factorBp = Math.max(
    own,
    call.reading.weakens ? numbers.weakenedFactorBp[place] : 0,
    call.reading.remote ? numbers.remoteFactorBp : 0
  )
  const touched = noisyOr(weightBp, kindFigureOf(call.reading.kind, numbers))
  const disturbed = noisyOr(baseBp, timesBp(touched, factorBp))
  return productionImpact && !call.class.harmless
    ? noisyOr(disturbed, timesBp(numbers.productionImpactBp, factorBp))
    : disturbed
}

/** How far a change of permissions, roles or credentials reaches, regardless of the number of entities. */
const privilegeShift = (call: DimensionInput, numbers: Numbers): number => {
  const { changedBp, changedInProductionBp } = numbers.privilege
  const own = timesBp(
    call.class.privilegeBp[call.reading.impact],
    numbers.environment[placeOf(call)].factorBp
  )
  const stated = call.class.alwaysChangesPrivilege ? 0 : call.production ? changedInProductionBp : changedBp
  return noisyOr(own, stated)
}

/**
 * Combines six dimensions into the blast radius: the largest impact, plus a share of each other one, amplified by reversibility. `I = M ⊕
 * share · D` over the impact dimensions, where M is the largest and D each other one; then `B = I ⊕ share · R · I`.
 */
export const combineDimensions = (dimensions: Dimensions, numbers: Numbers): number => {
  const { dataImpact, entityImpact, financialImpact, operationalImpact, privilegeImpact } = dimensions
  const { otherDimensionsBp, reversibilityBp } = numbers.blastRadius
  // Sorting keeps the result monotone: a dimension that rises only raises positions of the sorted row, and the fold is monotone in each
  // position. Unsorted, rounding could lose a point when two dimensions change order.
  const impacts = sortDescending([
    financialImpact,
    entityImpact,
    dataImpact,
    operationalImpact,
    privilegeImpact
  ])
  let [impact = 0] = impacts
  for (let at = 1; at < impacts.length; at++)
    impact = noisyOr(impact, timesBp(otherDimensionsBp, impacts[at] ?? 0))
  return noisyOr(impact, timesBp(timesBp(reversibilityBp, dimensions.reversibility), impact))
}

/**
 * Action risk from blast radius and hazard: how bad the outcome would be, raised by the likelihood that the action is wrong. `A = B ⊕ H ·
 * (base + share · B)`, where H is the noisy-or of the hazards. All in basis points. The hazard is scaled by the blast radius, so that
 * novelty adds little to a trivial action.
 */
export const combineRisk = (
  blastRadius: number,
  factors: ReadonlyArray<Pick<FactorMatch, "hazardBp">>,
  { actionRisk: { hazardBaseBp, hazardBlastRadiusBp } }: Numbers
): number => {
  const hazards: Array<number> = []
  for (const { hazardBp } of factors) if (hazardBp > 0) hazards.push(hazardBp)
  // The largest comes first, as in `combineDimensions`, so that rounding does not depend on the order of the rules.
  let hazard = 0
  for (const one of sortDescending(hazards)) hazard = noisyOr(hazard, one)
  const reach = Math.min(wholeBp, hazardBaseBp + timesBp(hazardBlastRadiusBp, blastRadius))
  return noisyOr(blastRadius, timesBp(hazard, reach))
}
