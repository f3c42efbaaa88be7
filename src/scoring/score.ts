/** The score: a pure function of the action, its organization's history, a rule release and a policy set. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import { allFieldsAt, type MissableField, oneFieldAt } from "./FieldBounds.ts"
import type { Model, Numbers, PolicySet } from "./Model.ts"
import { toPoints } from "./arithmetic.ts"
import { neutralBehaviorFacts, toBehavioralContext } from "./behavior.ts"
import { recommendControl } from "./control.ts"
import {
  converse,
  type Deliberation,
  evaluate,
  type Evaluation,
  floorOf,
  prepareAction,
  type PreparedAction
} from "./evaluate.ts"
import { contradictionFacts } from "./gatherFacts.ts"
import type { ActionWords } from "./lexicon/normalize.ts"
import { assumptionsOf, missingFields } from "./missingFields.ts"
import { actionRiskLevelOf, levelOf, listRecommendations, listRiskFactors, summarize } from "./opinion.ts"

/** Synchronous and deterministic; equal arguments give equal opinions on every machine. */
export const score = (action: Action, behavior: Behavior, model: Model, policies: PolicySet): Opinion =>
  converse(deliberate(action, behavior, model), (facts) => ({
    rules: model.match(facts),
    policies: policies.match(facts)
  }))

/**
 * The whole pipeline of one opinion, from the caller's words to the report.
 * `words`: of the action under the model's lexicon, for callers that have read them already.
 */
export function* deliberate(
  action: Action,
  behavior: Behavior,
  model: Model,
  words?: ActionWords
): Deliberation<Opinion> {
  const it = prepareAction(action, behavior, model, words)
  const settled = yield* scoreWithRange(it)
  const missingInformation = yield* missingInformationOf(settled, it)
  return toOpinion(it, settled, missingInformation)
}

/** Settles what an opinion comes to before a word of it is told: score, range, confidence, and the matches behind them. */
const allAtReference = allFieldsAt("reference")

interface ScoredAction {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  /** What the score cannot fall below whatever is stated: the minimum of an incomplete opinion. */
  readonly floor: number
  readonly range: ScoreRange
  readonly confidencePercent: number
  /** The reference evaluation, with the facts and matches that the report shows. */
  readonly evaluation: Evaluation
  readonly missing: ReadonlyArray<MissableField>
}

export function* scoreWithRange(it: PreparedAction): Deliberation<ScoredAction> {
  const { behavior, claims, completions } = it
  const { numbers } = it.model
  const missing = missingFields(claims, completions)

  const weighed = yield* evaluate(it, allAtReference)
  const range = yield* measureRange(weighed, missing.length > 0, it)
  const lift = (score: number, high: number) => gate(score, high, claims.production, numbers)
  const gated = lift(weighed.score, range.high)

  const policiesComplete = !weighed.matches.policies.incomplete
  const complete = behavior !== "unavailable" && policiesComplete
  const contradictions = contradictionFacts.filter((name) => weighed.facts[name]).length
  const confidence = confidencePercent(range.own, contradictions, complete, numbers)

  // The last question is the one that the report shows: what was only assumed of unread history is not claimed there.
  const facts: Facts = {
    ...(behavior === "unavailable" ? { ...weighed.facts, ...neutralBehaviorFacts } : weighed.facts),
    confidence_percent_missing: 100 - confidence,
    // A policy's floor above the gate does not hide that information is missing.
    gate_applied: gated > weighed.score || lift(weighed.ownScore, range.own.high) > weighed.ownScore,
    assessment_degraded: !complete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const matches = yield facts

  const floor = complete ? 0 : numbers.incompleteScoreMin
  return {
    complete,
    score: Math.max(gated, floorOf(matches, numbers), floor),
    floor,
    range,
    confidencePercent: confidence,
    evaluation: { ...weighed, facts, matches },
    missing
  }
}

/** The range: the scores that everything missing could lead to together, at its least and at its ceiling. */
interface ScoreRange {
  readonly low: number
  readonly high: number
  /** The model's own ends: no floor of a policy makes missing information known. */
  readonly own: { readonly low: number; readonly high: number }
}

const allAtLeast = allFieldsAt("least")
// Invariant: no completion may exceed the high end, nor a request that states only some of what is missing.
const allOpen = allFieldsAt("open")

/** low ≤ score ≤ high, before any gate (theorem T2). */
function* measureRange(
  weighed: Evaluation,
  anythingMissing: boolean,
  it: PreparedAction
): Deliberation<ScoreRange> {
  if (!anythingMissing) {
    const { ownScore, score } = weighed
    return { low: score, high: score, own: { low: ownScore, high: ownScore } }
  }
  const low = yield* evaluate(it, allAtLeast)
  const high = yield* evaluate(it, allOpen)
  return {
    low: low.score,
    high: Math.max(high.score, weighed.score),
    own: { low: low.ownScore, high: Math.max(high.ownScore, weighed.ownScore) }
  }
}

/**
 * The gate: what missing information could still lead to puts a floor under the score (theorem T3).
 * `high` is the score with everything missing at its ceiling. A reported `low` then means that no completion is `high`.
 */
export const gate = (score: number, high: number, production: boolean, numbers: Numbers): number =>
  numbers.gates.reduce(
    (lifted, { floor, highFrom, productionOnly }) =>
      high >= highFrom && (production || !productionOnly) ? Math.max(lifted, floor) : lifted,
    score
  )

/**
 * Confidence: how little the missing information could still change the answer.
 * Whole percent, rounded down: the range's width against the scale, less for every contradiction, capped when incomplete.
 */
const confidencePercent = (
  range: { readonly low: number; readonly high: number },
  contradictions: number,
  complete: boolean,
  { confidence }: Numbers
): number => {
  const certain = 100 - (range.high - range.low)
  let percent = Math.min(confidence.percentMax, Math.max(confidence.percentMin, certain))
  // One division at the end: rounding after each contradiction would cost a percent too many.
  let scale = 1
  for (let i = 0; i < contradictions; i++) {
    percent *= confidence.contradictionPercent
    scale *= 100
  }
  const held = Math.max(1, Math.floor(percent / scale))
  return complete ? held : Math.min(held, confidence.incompletePercentMax)
}

/** Tells which missing information could move the reported score, and how far. */
const statedAtCeiling = oneFieldAt(allFieldsAt("reference"), "ceiling")
const statedAtLeast = oneFieldAt(allFieldsAt("reference"), "least")
const restOpen = oneFieldAt(allFieldsAt("open"), "least")

/** The scores that would be reported with `field` stated at its ceiling and at its least, everything else as it is. */
function* influenceOf(
  field: MissableField,
  { floor, range: { high }, score }: ScoredAction,
  it: PreparedAction
): Deliberation<MissingInformation> {
  const { claims, model } = it
  const gated = (evaluated: number, then: number) =>
    Math.max(floor, gate(evaluated, then, claims.production, model.numbers))
  const worst = yield* evaluate(it, statedAtCeiling[field])
  const best = yield* evaluate(it, statedAtLeast[field])
  const lifted = gated(best.score, high) > best.score
  // Stating the field at its least also lowers what the rest could lead to, and so may open a gate that lifts.
  const highThen = lifted ? yield* evaluate(it, restOpen[field]) : best
  return {
    field,
    couldRaiseTo: Math.max(score, gated(worst.score, high)),
    couldLowerTo: Math.min(score, gated(best.score, highThen.score))
  }
}

/** Most influential first: by how far the first figure lies above the score, then the second below it, then by name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

function* missingInformationOf(
  settled: ScoredAction,
  it: PreparedAction
): Deliberation<ReadonlyArray<MissingInformation>> {
  const information: Array<MissingInformation> = []
  for (const field of settled.missing) information.push(yield* influenceOf(field, settled, it))
  return information.toSorted(byInfluence)
}

/** The opinion as it is told: figures rounded, factors rendered, the control chosen, a paragraph for people. */
const toOpinion = (
  { behavior, claims, completions, model }: PreparedAction,
  { complete, confidencePercent, missing, range, score, evaluation: weighed }: ScoredAction,
  missingInformation: ReadonlyArray<MissingInformation>
): Opinion => {
  const { numbers } = model
  const { dimensions, matches } = weighed
  const level = actionRiskLevelOf(score, numbers)
  const blastRadius = toPoints(weighed.blastRadius)
  const riskFactors = listRiskFactors(weighed)
  const recommendedControl = recommendControl({
    complete,
    level,
    confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: riskFactors,
    evaluation: weighed
  })
  const opinion = {
    complete,
    normalizedActionType: claims.normalized.type,
    actionCategory: claims.class.category,
    actionRisk: {
      score,
      level,
      confidence: confidencePercent / 100,
      range: { low: range.low, high: Math.max(range.high, score) }
    },
    blastRadius: {
      score: blastRadius,
      level: levelOf(blastRadius, numbers),
      dimensions: {
        financialImpact: toPoints(dimensions.financialImpact),
        entityImpact: toPoints(dimensions.entityImpact),
        dataImpact: toPoints(dimensions.dataImpact),
        operationalImpact: toPoints(dimensions.operationalImpact),
        privilegeImpact: toPoints(dimensions.privilegeImpact),
        reversibility: toPoints(dimensions.reversibility)
      }
    },
    riskFactors,
    recommendedControl,
    recommendations: listRecommendations(weighed, recommendedControl.type),
    behavioralContext: toBehavioralContext(behavior, claims, weighed.completed, numbers),
    policyContext: matches.policies.matched.map(({ effect, note, policy, rule }) => ({
      policy,
      rule,
      effect,
      ...(note === undefined ? {} : { note })
    })),
    assumptions: assumptionsOf(completions, model, missing),
    missingInformation
  }
  return { ...opinion, summary: summarize(opinion, claims) }
}

/** The version of the scoring code: raised whenever the same request, history and rules could score differently. */
export const engineVersion = "1.0.0"
