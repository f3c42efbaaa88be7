/** The score: a pure function of the action, its organization's history, a rule release and a policy set. Read `score` first. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { MissingInformation, Opinion } from "../../domain/Opinion.ts"
import type { Facts } from "../Facts.ts"
import type { PolicySet } from "../Model.ts"
import { toPoints } from "../arithmetic.ts"
import { allFieldsAt, type FieldBounds, type MissableField, oneFieldAt, unstatedBits } from "./FieldBounds.ts"
import type { Model } from "./Model.ts"
import { type StatedAction, toStatedAction } from "./StatedAction.ts"
import { combineRisk, type Evaluation, floorOf, type Matches, policyFloor, ruleFloor } from "./actionRisk.ts"
import { neutralBehaviorFacts, toBehavioralContext } from "./behavior.ts"
import { recommendControl } from "./control.ts"
import { combineDimensions, measureDimensions } from "./dimensions.ts"
import { contradictionFacts, gatherFacts } from "./gatherFacts.ts"
import { normalizeAction } from "./lexicon/normalize.ts"
import { assumptionsOf, complete, type Completions, completionsOf, missingFields } from "./missingFields.ts"
import {
  actionRiskLevelOf,
  listRecommendations,
  listRiskFactors,
  reportBlastRadius,
  summarize
} from "./opinion.ts"
import { confidencePercentOf, gate, rangeOf, type ScoreRange } from "./range.ts"

/**
 * The opinion on one action. Synchronous and deterministic: equal arguments give equal opinions on every machine.
 * `words`: what the model's lexicon reads in the action, for callers that know it already.
 */
export const score = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words = normalizeAction(action, model.lexicon)
): Opinion => {
  const { numbers } = model
  const prepared = prepareAction(action, behavior, model, policies, words)
  const scored = scoreWithRange(prepared)
  const { completions, stated } = prepared
  const { confidencePercent, evaluation, missing, range } = scored
  const level = actionRiskLevelOf(scored.score, numbers)
  const riskFactors = listRiskFactors(evaluation)
  const recommendedControl = recommendControl({
    complete: scored.complete,
    level,
    confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: riskFactors,
    evaluation
  })
  const opinion = {
    complete: scored.complete,
    normalizedActionType: stated.normalized.type,
    actionCategory: stated.class.category,
    actionRisk: {
      score: scored.score,
      level,
      confidence: confidencePercent / 100,
      range: { low: range.low, high: Math.max(range.high, scored.score) }
    },
    blastRadius: reportBlastRadius(evaluation, numbers),
    riskFactors,
    recommendedControl,
    recommendations: listRecommendations(evaluation, recommendedControl.type),
    behavioralContext: toBehavioralContext(behavior, stated, evaluation.resolved, numbers),
    policyContext: evaluation.matches.policies.matched.map(({ effect, note, policy, rule }) => ({
      policy,
      rule,
      effect,
      ...(note === undefined ? {} : { note })
    })),
    assumptions: assumptionsOf(completions, model, missing),
    missingInformation: missingInformationOf(scored, prepared)
  }
  return { ...opinion, summary: summarize(opinion, stated) }
}

/** Everything that is the same in all evaluations of one action. */
export interface PreparedAction {
  readonly stated: StatedAction
  readonly completions: Completions
  readonly behavior: Behavior
  readonly model: Model
  readonly policies: PolicySet
  /** Bits of the fields whose bound makes a difference. */
  readonly unstated: number
  /** The evaluations made so far, by the bits of their bounds that make a difference. */
  readonly evaluations: Map<number, Evaluation>
}

export const prepareAction = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words = normalizeAction(action, model.lexicon)
): PreparedAction => {
  const stated = toStatedAction(action, model, words)
  return {
    stated,
    completions: completionsOf(stated, model),
    behavior,
    model,
    policies,
    unstated: unstatedBits(stated, behavior),
    evaluations: new Map()
  }
}

/**
 * The score of an action whose missing fields are taken at `bounds`, before any gate.
 * Bounds that differ only in stated fields share one evaluation. With one field missing, many bounds do.
 */
export const evaluate = (prepared: PreparedAction, bounds: FieldBounds): Evaluation => {
  const { behavior, completions, evaluations, model, stated, unstated } = prepared
  const bits = bounds.bits & unstated
  const memoized = evaluations.get(bits)
  if (memoized !== undefined) return memoized

  const { numbers } = model
  const resolved = complete(stated, completions, bounds)
  const dimensions = measureDimensions(stated, resolved, numbers)
  const facts = gatherFacts(stated, resolved, behavior, numbers, bounds)
  const matches = matchesOf(facts, prepared)
  const blastRadius = combineDimensions(dimensions, numbers)
  const hazards = matches.rules.factors.map(({ hazardBp }) => hazardBp)
  const risk = toPoints(combineRisk(blastRadius, hazards, numbers))
  const ownScore = Math.max(numbers.actionRisk.scoreMin, risk, ruleFloor(matches.rules, numbers))
  const evaluation = {
    resolved,
    facts,
    matches,
    dimensions,
    blastRadius,
    ownScore,
    score: Math.max(ownScore, policyFloor(matches.policies, numbers))
  }
  evaluations.set(bits, evaluation)
  return evaluation
}

const matchesOf = (facts: Facts, { model, policies }: PreparedAction): Matches => ({
  rules: model.match(facts),
  policies: policies.match(facts)
})

const allAtReference = allFieldsAt("reference")
const allAtLeast = allFieldsAt("least")
// Invariant: no completed action scores above the high end, nor does a request that states only some of the missing fields.
const allOpen = allFieldsAt("open")

export interface ScoredAction {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  /** The score is at least this, whatever is stated: the minimum of an incomplete opinion, else 0. */
  readonly floor: number
  readonly range: ScoreRange
  readonly confidencePercent: number
  /** The evaluation at the reference, with the facts and matches of the last match, which the opinion reports. */
  readonly evaluation: Evaluation
  readonly missing: ReadonlyArray<MissableField>
}

/** The score with its range and confidence, and without any text for people. */
export const scoreWithRange = (prepared: PreparedAction): ScoredAction => {
  const { behavior, completions, stated } = prepared
  const { numbers } = prepared.model
  const missing = missingFields(stated, completions)

  const reference = evaluate(prepared, allAtReference)
  const range =
    missing.length === 0
      ? rangeOf(reference, reference, reference)
      : rangeOf(evaluate(prepared, allAtLeast), reference, evaluate(prepared, allOpen))
  const gated = gate(reference.score, range.high, stated.production, numbers)
  const ownGated = gate(reference.ownScore, range.own.high, stated.production, numbers)

  const policiesComplete = !reference.matches.policies.incomplete
  const complete = behavior !== "unavailable" && policiesComplete
  const contradictions = contradictionFacts.filter((name) => reference.facts[name]).length
  const confidencePercent = confidencePercentOf(range.own, contradictions, complete, numbers)

  // The opinion reports this last match, so it must not claim what was only assumed because history could not be read.
  const facts: Facts = {
    ...(behavior === "unavailable" ? { ...reference.facts, ...neutralBehaviorFacts } : reference.facts),
    confidence_percent_missing: 100 - confidencePercent,
    // Both gates count: a policy's floor above the gate must not hide that information is missing.
    gate_applied: gated > reference.score || ownGated > reference.ownScore,
    assessment_degraded: !complete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const matches = matchesOf(facts, prepared)

  const floor = complete ? 0 : numbers.incompleteScoreMin
  return {
    complete,
    score: Math.max(gated, floorOf(matches, numbers), floor),
    floor,
    range,
    confidencePercent,
    evaluation: { ...reference, facts, matches },
    missing
  }
}

const statedAtCeiling = oneFieldAt(allAtReference, "ceiling")
const statedAtLeast = oneFieldAt(allAtReference, "least")
const restOpen = oneFieldAt(allOpen, "least")

/** The scores that the opinion would report if the caller stated `field` at its ceiling or at its least, and nothing else. */
const influenceOf = (
  field: MissableField,
  { floor, range: { high }, score }: ScoredAction,
  prepared: PreparedAction
): MissingInformation => {
  const { model, stated } = prepared
  const reported = (evaluated: number, highEnd: number) =>
    Math.max(floor, gate(evaluated, highEnd, stated.production, model.numbers))
  const worst = evaluate(prepared, statedAtCeiling[field])
  const best = evaluate(prepared, statedAtLeast[field])
  const lifted = reported(best.score, high) > best.score
  // A field that is stated at its least also lowers the high end, and a gate that lifted the score may no longer do so.
  const highEnd = lifted ? evaluate(prepared, restOpen[field]) : best
  return {
    field,
    couldRaiseTo: Math.max(score, reported(worst.score, high)),
    couldLowerTo: Math.min(score, reported(best.score, highEnd.score))
  }
}

/** Most influential first: the largest rise, then the deepest fall, then the name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

const missingInformationOf = (
  scored: ScoredAction,
  prepared: PreparedAction
): ReadonlyArray<MissingInformation> =>
  scored.missing.map((field) => influenceOf(field, scored, prepared)).toSorted(byInfluence)

/** The version of the scoring code. It rises whenever the same request, history and rules could score differently. */
export const engineVersion = "1.0.0"
