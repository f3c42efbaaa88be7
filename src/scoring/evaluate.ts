/** One evaluation of the model: a call with a value for every field, its dimensions, its facts, what the rules say, and its score. */

import type { Behavior } from "../domain/Behavior.ts"
import type { Dimensions } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicyMatches, PolicySet, RuleMatches, SharedParts } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { toPoints } from "./arithmetic.ts"
import { type Fields, resolve, type ResolvedCall } from "./completeCall.ts"
import { combineDimensions, combineRisk, measureDimensions } from "./dimensions.ts"
import { gatherFacts } from "./gatherFacts.ts"
import type { Lexicon } from "./reading/readCall.ts"

/** The second edition of the risk model as data: every number, word and rule that the pure score uses. */
export interface RiskModel extends SharedParts {
  /** Version of the rule release. */
  readonly version: string
  readonly numbers: Numbers
  readonly lexicon: Lexicon
}

/** What rules and policies match in one record of facts. */
export interface Matches {
  readonly rules: RuleMatches
  readonly policies: PolicyMatches
}

export interface Evaluation {
  readonly resolved: ResolvedCall
  readonly facts: Facts
  readonly matches: Matches
  /** Basis points. */
  readonly dimensions: Dimensions
  /** Basis points. */
  readonly blastRadius: number
  /** Integer 1-100, with the floors of factors, typologies and policies. */
  readonly score: number
}

/** Everything that is the same in all evaluations of one call. */
export interface Circumstances {
  readonly behavior: Behavior
  readonly model: RiskModel
  readonly policies: PolicySet
  /** Of the call: what no missing field can change. */
  readonly standing: Facts
}

export const evaluate = (
  stated: StatedCall,
  fields: Fields,
  { behavior, model, policies, standing }: Circumstances
): Evaluation => {
  const { numbers } = model
  const resolved = resolve(stated, fields)
  const dimensions = measureDimensions(stated, resolved, numbers)
  const facts = gatherFacts(standing, stated, resolved, behavior, numbers)
  const matches = { rules: model.match(facts), policies: policies.match(facts) }
  const blastRadius = combineDimensions(dimensions, numbers)
  const hazards = matches.rules.factors.map(({ hazardBp }) => hazardBp)
  const risk = toPoints(combineRisk(blastRadius, hazards, numbers))
  return {
    resolved,
    facts,
    matches,
    dimensions,
    blastRadius,
    score: Math.max(numbers.actionRisk.scoreMin, risk, floorOf(matches, numbers))
  }
}

/** The highest floor that factors, typologies and policies put under the score. Invariant: floors only raise. */
export const floorOf = ({ policies, rules }: Matches, { severityFloors }: Numbers): number => {
  let floor = 0
  for (const { severity } of rules.factors) floor = Math.max(floor, severityFloors[severity])
  for (const typology of rules.typologies) floor = Math.max(floor, typology.floor)
  for (const policy of policies.matched) {
    floor = Math.max(floor, policy.floor ?? 0)
    if (policy.factor !== undefined) floor = Math.max(floor, severityFloors[policy.factor.severity])
  }
  return floor
}
