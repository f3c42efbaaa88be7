/** One evaluation of the model: a call with a value for every field, its dimensions, its facts, what the rules say, and its score. */

import type { Behavior } from "../domain/Behavior.ts"
import type { Dimensions } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicyMatches, PolicySet, RuleMatches, Weighs } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import type { RiskModel } from "./RiskModel.ts"
import type { StatedCall } from "./StatedCall.ts"
import { toPoints } from "./arithmetic.ts"
import { type CompletedCall, resolve, type ResolvedCall } from "./completeCall.ts"
import { combineDimensions, combineRisk, dimensionsOf } from "./dimensions.ts"
import { type FactsInHand, gatherFacts, moveFacts, standingFacts } from "./gatherFacts.ts"

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

const weighing = new WeakMap<RiskModel, (facts: Facts) => RuleMatches>()

/**
 * Matches for the score alone, once for each model. Most factors only inform: their severity puts no floor under the score, and they
 * are no hazard.
 */
const weighingOf = (model: RiskModel): ((facts: Facts) => RuleMatches) => {
  const known = weighing.get(model)
  if (known !== undefined) return known
  const { actionRisk, severityFloors } = model.numbers
  const weighs: Weighs = ({ hazardBp, severity }) =>
    hazardBp > 0 || severityFloors[severity] > actionRisk.scoreMin
  const match = model.match.weighing?.(weighs) ?? model.match
  weighing.set(model, match)
  return match
}

/** Everything that is the same in all evaluations of one call. */
export interface Circumstances {
  readonly behavior: Behavior
  readonly model: RiskModel
  readonly policies: PolicySet
  readonly measure: (resolved: ResolvedCall) => Dimensions
  /**
   * The facts of the call and its history that no missing field changes. The other facts are scratch: each of the some thirty trial
   * evaluations of an opinion overwrites them.
   */
  readonly inHand: FactsInHand
  /** Matches the rules on which the score depends. */
  readonly weigh: (facts: Facts) => RuleMatches
}

/** `expired`: an entry of the organization's catalogue knew the call until its date. */
export const circumstancesOf = (
  stated: StatedCall,
  behavior: Behavior,
  model: RiskModel,
  policies: PolicySet,
  expired = false
): Circumstances => ({
  behavior,
  model,
  policies,
  measure: dimensionsOf(stated, model.numbers),
  inHand: standingFacts(stated, behavior, model.numbers, expired),
  weigh: weighingOf(model)
})

const scoreFrom = (blastRadius: number, matches: Matches, numbers: Numbers): number =>
  Math.max(
    numbers.actionRisk.scoreMin,
    toPoints(combineRisk(blastRadius, matches.rules.factors, numbers)),
    floorOf(matches, numbers)
  )

export const evaluate = (
  { fields, stated }: CompletedCall,
  { behavior, inHand, measure, model, policies }: Circumstances
): Evaluation => {
  const { numbers } = model
  const resolved = resolve(stated, fields)
  const dimensions = measure(resolved)
  const facts = gatherFacts(inHand, stated, resolved, behavior, numbers)
  const matches = { rules: model.match(facts), policies: policies.match(facts) }
  const blastRadius = combineDimensions(dimensions, numbers)
  return {
    resolved,
    facts,
    matches,
    dimensions,
    blastRadius,
    score: scoreFrom(blastRadius, matches, numbers)
  }
}

/** The score that `evaluate` gives, and nothing else. Overwrites `inHand`. */
export const scoreOf = (
  { fields, stated }: CompletedCall,
  { behavior, inHand, measure, model, policies, weigh }: Circumstances
): number => {
  const { numbers } = model
  const resolved = resolve(stated, fields)
  moveFacts(inHand, stated, resolved, behavior, numbers)
  const matches = { rules: weigh(inHand), policies: policies.match(inHand) }
  return scoreFrom(combineDimensions(measure(resolved), numbers), matches, numbers)
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
