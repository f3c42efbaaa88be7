/** One evaluation of the model: a completed action with its dimensions, its rules matched, and its score. */

import type { Dimensions } from "../domain/BlastRadius.ts"
import { combineRisk } from "./actionRisk.ts"
import { toPoints } from "./basisPoints.ts"
import { combineDimensions } from "./blastRadius.ts"
import type { Claims } from "./Claims.ts"
import type { Completed } from "./complete.ts"
import { measureDimensions } from "./dimensions.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers, PolicyMatches, RuleMatches } from "./Model.ts"

/** What rules and policies say of one record of facts. */
export interface Matches {
  readonly rules: RuleMatches
  readonly policies: PolicyMatches
}

export interface Evaluation {
  readonly completed: Completed
  readonly facts: Facts
  readonly matches: Matches
  /** Basis points. */
  readonly dimensions: Dimensions
  /** Basis points. */
  readonly blastRadius: number
  /** Integer 1-100: action risk with the floors of factors and typologies, before any gate. */
  readonly ownScore: number
  /** The same with the floors of policies. */
  readonly score: number
}

const ruleFloor = ({ factors, typologies }: RuleMatches, numbers: Numbers): number => {
  let floor = 0
  for (const { severity } of factors) floor = Math.max(floor, numbers.severityFloors[severity])
  for (const typology of typologies) floor = Math.max(floor, typology.floor)
  return floor
}

const policyFloor = ({ matched }: PolicyMatches, numbers: Numbers): number => {
  let floor = 0
  for (const policy of matched) {
    floor = Math.max(floor, policy.floor ?? 0)
    if (policy.factor !== undefined) floor = Math.max(floor, numbers.severityFloors[policy.factor.severity])
  }
  return floor
}

/** The highest floor that factors, typologies or policies put under the score. Invariant: floors only raise. */
export const floorOf = ({ policies, rules }: Matches, numbers: Numbers): number =>
  Math.max(ruleFloor(rules, numbers), policyFloor(policies, numbers))

export const evaluate = (
  claims: Claims,
  completed: Completed,
  facts: Facts,
  matches: Matches,
  numbers: Numbers
): Evaluation => {
  const dimensions = measureDimensions(claims, completed, numbers)
  const blastRadius = combineDimensions(dimensions, numbers)
  const hazards = matches.rules.factors.map((factor) => factor.hazardBp)
  const risk = toPoints(combineRisk(blastRadius, hazards, numbers))
  const ownScore = Math.max(numbers.actionRisk.scoreMin, risk, ruleFloor(matches.rules, numbers))
  return {
    completed,
    facts,
    matches,
    dimensions,
    blastRadius,
    ownScore,
    score: Math.max(ownScore, policyFloor(matches.policies, numbers))
  }
}
