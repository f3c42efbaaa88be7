/** One evaluation of the model: a call with a value for every field, its dimensions, its facts, the rules that match, and its score. */

import type { Behavior } from "../domain/Behavior.ts"
import { type Dimensions, severities } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicyMatches, PolicySet, RiskModel, RuleMatches } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import { asDeed, type StatedCall, type StatedDeed } from "./StatedCall.ts"
import { toPoints } from "./arithmetic.ts"
import { type CompletedCall, resolve, type ResolvedCall } from "./completeCall.ts"
import { combineDimensions, combineRisk, dimensionsOf } from "./dimensions.ts"
import { type FactsInHand, gatherFacts, moveFacts, standingFacts } from "./gatherFacts.ts"

/** The rules and policies that match one record of facts. */
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
  /** Integer 1-100, after applying the floors of factors, typologies and policies. */
  readonly score: number
}

/** A call that does several things, each evaluated separately. */
export interface CallEvaluation {
  readonly whole: Evaluation
  readonly deeds: ReadonlyArray<Evaluation>
}

/** Everything that all evaluations of one deed share. */
interface DeedInHand {
  /** Undefined if the call has only one deed. */
  readonly deed: StatedDeed | undefined
  readonly measure: (resolved: ResolvedCall) => Dimensions
  /**
   * The facts that no missing field changes. The other facts in the record are scratch: each of the about 30 trial evaluations of an
   * opinion overwrites them.
   */
  readonly inHand: FactsInHand
}

/** Everything that all evaluations of one call share. */
export interface Circumstances {
  readonly behavior: Behavior
  readonly model: RiskModel
  readonly policies: PolicySet
  readonly deeds: ReadonlyArray<DeedInHand>
  /** Matches only the rules that affect the score. */
  readonly weigh: (facts: Facts) => RuleMatches
}

/** `expired`: the organization's catalogue has an entry for the call, but its date has passed. */
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
  deeds: stated.deeds.map((deed) => {
    const isOnly = stated.deeds.length === 1
    const one = isOnly ? stated : asDeed(stated, deed)
    return {
      deed: isOnly ? undefined : deed,
      measure: dimensionsOf(one, model.numbers),
      inHand: standingFacts(one, behavior, model.numbers, expired)
    }
  }),
  weigh: model.match.weighing ?? model.match
})

const scoreFrom = (blastRadius: number, matches: Matches, numbers: Numbers): number =>
  Math.max(
    numbers.actionRisk.scoreMin,
    toPoints(combineRisk(blastRadius, matches.rules.factors, numbers)),
    floorOf(matches, numbers)
  )

const evaluateDeed = (
  { fields, stated: call }: CompletedCall,
  { deed, inHand, measure }: DeedInHand,
  { behavior, model, policies }: Circumstances
): Evaluation => {
  const stated = deed === undefined ? call : asDeed(call, deed)
  const { numbers } = model
  const resolved = resolve(call, fields, stated.class.egress)
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

export const evaluate = (call: CompletedCall, circumstances: Circumstances): CallEvaluation => {
  const deeds = circumstances.deeds.map((deed) => evaluateDeed(call, deed, circumstances))
  return { whole: wholeOf(deeds), deeds }
}

/** For each name, the strongest entry. Ascending by name. */
const most = <A>(
  all: ReadonlyArray<A>,
  nameOf: (one: A) => string,
  saysMore: (one: A, other: A) => boolean
): ReadonlyArray<A> => {
  const byName = new Map<string, A>()
  for (const one of all) {
    const known = byName.get(nameOf(one))
    if (known === undefined || saysMore(one, known)) byName.set(nameOf(one), one)
  }
  return [...byName.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const together = (all: ReadonlyArray<Matches>): Matches => ({
  rules: {
    factors: most(
      all.flatMap(({ rules }) => rules.factors),
      ({ code }) => code,
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) > 0 ||
        (a.severity === b.severity && a.hazardBp > b.hazardBp)
    ),
    typologies: most(
      all.flatMap(({ rules }) => rules.typologies),
      ({ name }) => name,
      (a, b) => a.floor > b.floor
    )
  },
  policies: {
    matched: most(
      all.flatMap(({ policies }) => policies.matched),
      ({ rule }) => rule,
      () => false
    ),
    incomplete: all.some(({ policies }) => policies.incomplete)
  }
})

/**
 * Combines the evaluations of the deeds of one call. The facts are those of the deed with the worst score (the first, if several are
 * equal). A rule that matches one deed matches the call, and each figure is the largest among the deeds.
 */
export const wholeOf = (deeds: ReadonlyArray<Evaluation>): Evaluation => {
  const [first, ...others] = deeds
  if (first === undefined) throw new Error("a call does at least one thing")
  if (others.length === 0) return first
  const worst = others.reduce((one, other) => (other.score > one.score ? other : one), first)
  const largest = (dimension: keyof Dimensions): number =>
    Math.max(...deeds.map(({ dimensions }) => dimensions[dimension]))
  return {
    ...worst,
    matches: together(deeds.map(({ matches }) => matches)),
    dimensions: {
      financialImpact: largest("financialImpact"),
      entityImpact: largest("entityImpact"),
      dataImpact: largest("dataImpact"),
      operationalImpact: largest("operationalImpact"),
      privilegeImpact: largest("privilegeImpact"),
      reversibility: largest("reversibility")
    },
    blastRadius: Math.max(...deeds.map(({ blastRadius }) => blastRadius))
  }
}

const scoreOfDeed = (
  { fields, stated: call }: CompletedCall,
  { deed, inHand, measure }: DeedInHand,
  { behavior, model, policies, weigh }: Circumstances
): number => {
  const stated = deed === undefined ? call : asDeed(call, deed)
  const { numbers } = model
  const resolved = resolve(call, fields, stated.class.egress)
  moveFacts(inHand, stated, resolved, behavior, numbers)
  const matches = { rules: weigh(inHand), policies: policies.match(inHand) }
  return scoreFrom(combineDimensions(measure(resolved), numbers), matches, numbers)
}

/** The score that `evaluate` would give, without the rest. Overwrites the scratch facts. */
export const scoreOf = (call: CompletedCall, circumstances: Circumstances): number => {
  let worst = 0
  for (const deed of circumstances.deeds) worst = Math.max(worst, scoreOfDeed(call, deed, circumstances))
  return worst
}

/** The highest floor that factors, typologies and policies set for the score. Invariant: floors only raise. */
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
