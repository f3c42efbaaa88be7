/** Action risk: what one evaluation of the model is, and how blast radius, hazards and floors make its score. */

import type { Dimensions } from "../../domain/Opinion.ts"
import type { Facts } from "../Facts.ts"
import type { PolicyMatches, RuleMatches } from "../Model.ts"
import { noisyOr, sortDescending, timesBp } from "../arithmetic.ts"
import type { Numbers } from "./Model.ts"
import type { ResolvedAction } from "./missingFields.ts"

/** What rules and policies match in one record of facts. */
export interface Matches {
  readonly rules: RuleMatches
  readonly policies: PolicyMatches
}

/** One evaluation of the model: an action with every missing field taken at one bound, and its score. */
export interface Evaluation {
  readonly resolved: ResolvedAction
  readonly facts: Facts
  readonly matches: Matches
  /** Basis points. */
  readonly dimensions: Dimensions
  /** Basis points. */
  readonly blastRadius: number
  /** Integer 1-100: action risk with the floors of factors and typologies, before any gate. */
  readonly ownScore: number
  /** `ownScore` with the floors of policies. */
  readonly score: number
}

/**
 * Action risk from blast radius and hazard: how bad it would be, raised by how likely it is to be wrong.
 * `A = share · B ⊕ H · (base + share · B)`, H the noisy-or of the hazards. Basis points in and out.
 * The blast radius scales the hazard, so that novelty adds little to a trivial action.
 */
export const combineRisk = (
  blastRadius: number,
  hazards: ReadonlyArray<number>,
  numbers: Numbers
): number => {
  const { blastRadiusBp, hazardBaseBp, hazardBlastRadiusBp } = numbers.actionRisk
  // Rounding must not depend on the order of the rules, so the sum starts with the largest, as in `combineDimensions`.
  const hazard = sortDescending([...hazards]).reduce((sum, hazardBp) => noisyOr(sum, hazardBp), 0)
  const reach = hazardBaseBp + timesBp(hazardBlastRadiusBp, blastRadius)
  return noisyOr(timesBp(blastRadiusBp, blastRadius), timesBp(hazard, reach))
}

/** The highest floor that factors and typologies put under the score. Invariant: floors only raise. */
export const ruleFloor = ({ factors, typologies }: RuleMatches, numbers: Numbers): number => {
  let floor = 0
  for (const { severity } of factors) floor = Math.max(floor, numbers.severityFloors[severity])
  for (const typology of typologies) floor = Math.max(floor, typology.floor)
  return floor
}

/** The highest floor that policies put under the score. */
export const policyFloor = ({ matched }: PolicyMatches, numbers: Numbers): number => {
  let floor = 0
  for (const policy of matched) {
    floor = Math.max(floor, policy.floor ?? 0)
    if (policy.factor !== undefined) floor = Math.max(floor, numbers.severityFloors[policy.factor.severity])
  }
  return floor
}

export const floorOf = ({ policies, rules }: Matches, numbers: Numbers): number =>
  Math.max(ruleFloor(rules, numbers), policyFloor(policies, numbers))
