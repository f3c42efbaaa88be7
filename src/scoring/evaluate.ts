/** One evaluation of the model: the action is completed, facts are gathered, rules are matched, and the score is computed. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Dimensions } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import { type FieldBounds, unstatedBits } from "./FieldBounds.ts"
import type { Model, Numbers, PolicyMatches, RuleMatches } from "./Model.ts"
import { type StatedAction, toStatedAction } from "./StatedAction.ts"
import { noisyOr, sortDescending, timesBp, toPoints } from "./arithmetic.ts"
import { combineDimensions, measureDimensions } from "./dimensions.ts"
import { gatherFacts } from "./gatherFacts.ts"
import type { ActionWords } from "./lexicon/normalize.ts"
import { complete, type Completions, completionsOf, type ResolvedAction } from "./missingFields.ts"

/** What stays the same while missing fields are read one way or another. */
export interface PreparedAction {
  readonly claims: StatedAction
  readonly completions: Completions
  readonly behavior: Behavior
  readonly model: Model
  /** Bits of the fields whose reading makes a difference. */
  readonly unstated: number
  /** Evaluations by those bits of their readings. */
  readonly evaluations: Map<number, Evaluation>
}

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const prepareAction = (
  action: Action,
  behavior: Behavior,
  model: Model,
  words?: ActionWords
): PreparedAction => {
  const claims = toStatedAction(action, model, words)
  return {
    claims,
    completions: completionsOf(claims, model),
    behavior,
    model,
    unstated: unstatedBits(claims, behavior),
    evaluations: new Map()
  }
}

/** Readings that differ only in what was stated are one evaluation, made once: with one field missing they often are. */
export function* evaluate(it: PreparedAction, readings: FieldBounds): Deliberation<Evaluation> {
  const { behavior, claims, completions, model, unstated, evaluations: weighed } = it
  const bits = readings.bits & unstated
  const known = weighed.get(bits)
  if (known !== undefined) return known
  const completed = complete(claims, completions, readings)
  const facts = gatherFacts(claims, completed, behavior, model.numbers, readings)
  const matches = yield facts
  const evaluation = scoreMatches(claims, completed, facts, matches, model.numbers)
  weighed.set(bits, evaluation)
  return evaluation
}

/**
 * One evaluation of the model: a completed action with its dimensions, its rules matched, and its score.
 * What rules and policies say of one record of facts.
 */
export interface Matches {
  readonly rules: RuleMatches
  readonly policies: PolicyMatches
}

export interface Evaluation {
  readonly completed: ResolvedAction
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

const scoreMatches = (
  claims: StatedAction,
  completed: ResolvedAction,
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

/**
 * Action risk from blast radius and hazard: how bad it would be, raised by how likely it is to be wrong.
 * `A = share · B ⊕ H · (base + share · B)`, H the noisy-or of the hazards. Basis points in and out.
 * Scaling hazard by the blast radius keeps novelty on a trivial action small.
 */
export const combineRisk = (
  blastRadius: number,
  hazards: ReadonlyArray<number>,
  numbers: Numbers
): number => {
  const { blastRadiusBp, hazardBaseBp, hazardBlastRadiusBp } = numbers.actionRisk
  // From the largest down, for the reason that the blast radius folds so: rounding must not depend on who came first.
  const hazard = sortDescending([...hazards]).reduce((sum, hazardBp) => noisyOr(sum, hazardBp), 0)
  const reach = hazardBaseBp + timesBp(hazardBlastRadiusBp, blastRadius)
  return noisyOr(timesBp(blastRadiusBp, blastRadius), timesBp(hazard, reach))
}

/**
 * A conversation with a rule engine: yields facts, is answered with what they match, ends in a value.
 * Pure; whichever engine answers, and whether at once or later, the value is the same.
 */
export type Deliberation<A> = Generator<Facts, A, Matches>

export const converse = <A>(deliberation: Deliberation<A>, answer: (facts: Facts) => Matches): A => {
  let step = deliberation.next()
  while (step.done !== true) step = deliberation.next(answer(step.value))
  return step.value
}
