/** The score: a pure function of the action, its organization's history, a rule release and a policy set. Read `score` first. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicySet } from "./Model.ts"
import { type StatedCall, toStatedCall } from "./StatedCall.ts"
import { complete, type Fields, type MissableField, missingFields, plausible } from "./completeCall.ts"
import { recommendControl } from "./control.ts"
import { type Circumstances, evaluate, type Evaluation, floorOf, type RiskModel } from "./evaluate.ts"
import { boundsOfField, type Supposed } from "./fieldBounds.ts"
import { contradictionFacts, standingFacts } from "./gatherFacts.ts"
import { neutralHistoryFacts, toBehavioralContext } from "./history.ts"
import {
  actionRiskLevelOf,
  assumptionsOf,
  confidencePercentOf,
  listRecommendations,
  reportBlastRadius,
  reportReading
} from "./opinion.ts"
import { readCall, type Reading } from "./reading/readCall.ts"
import { summarize } from "./telling/summary.ts"
import { countedFactors, isOrdinary, listRiskFactors, toldFactors } from "./telling/toldFactors.ts"
import { statedMoney, wordMessage } from "./telling/wording.ts"

/**
 * The opinion on one action. Synchronous and deterministic: equal arguments give equal opinions on every machine.
 * `reading`: what the model's lexicon reads in the action, for callers that know it already.
 */
export const score = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  policies: PolicySet,
  reading: Reading = readCall(action, model.lexicon)
): Opinion => {
  const { numbers } = model
  const stated = toStatedCall(action, reading, numbers, model.currencies)
  const circumstances = { behavior, model, policies, standing: standingFacts(stated) }
  const scored = scoreCall(stated, circumstances)
  const level = actionRiskLevelOf(scored.score, numbers)
  const missingInformation = missingInformationOf(scored, stated, circumstances)
  const { facts } = scored.evaluation
  const money = statedMoney(action, model.currencies, facts.financial_value_usd_cents)
  const counted = countedFactors(scored, isOrdinary(stated))
  const riskFactors = listRiskFactors(toldFactors(counted), facts, money)
  const recommendedControl = recommendControl({
    complete: scored.complete,
    level,
    confidencePercent: scored.confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: counted,
    told: riskFactors,
    typologies: scored.evaluation.matches.rules.typologies.map(({ message }) =>
      wordMessage(message, facts, money)
    ),
    matches: scored.evaluation.matches
  })
  const opinion = {
    complete: scored.complete,
    normalizedActionType: reading.type,
    reading: reportReading(reading),
    actionCategory: stated.class.category,
    actionRisk: {
      score: scored.score,
      level,
      confidence: scored.confidencePercent / 100,
      range: scored.range
    },
    blastRadius: reportBlastRadius(scored.evaluation, numbers),
    riskFactors,
    recommendedControl,
    recommendations: listRecommendations(scored.evaluation, counted, recommendedControl.type),
    behavioralContext: toBehavioralContext(behavior, stated, scored.evaluation.resolved, numbers),
    policyContext: scored.evaluation.matches.policies.matched.map(({ effect, note, policy, rule }) => ({
      policy,
      rule,
      effect,
      ...(note === undefined ? {} : { note })
    })),
    assumptions: assumptionsOf(scored.fields, model.currencies.dearest, stated, scored.missing),
    missingInformation
  }
  return { ...opinion, summary: summarize(opinion, action, numbers) }
}

export interface ScoredCall {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  /** The score is at least this whatever is stated: the minimum of an incomplete opinion, else 0. */
  readonly floor: number
  /** The scores of the mildest and the worst plausible completion; low ≤ score ≤ high (theorem T2). */
  readonly range: { readonly low: number; readonly high: number }
  readonly confidencePercent: number
  readonly missing: ReadonlyArray<MissableField>
  /** Every missing field at its reference (theorem T1: stating it gives the same score). */
  readonly fields: Fields
  /** With the facts and matches that the opinion reports. */
  readonly evaluation: Evaluation
  /** Every missing field at its reference, before anything is known of the outcome. */
  readonly reference: Evaluation
  /** Every missing field at its mildest plausible value. */
  readonly mildest: Evaluation
}

/** The score with its range and confidence, and without any text for people. */
export const scoreCall = (stated: StatedCall, circumstances: Circumstances): ScoredCall => {
  const { behavior, model } = circumstances
  const { numbers } = model
  const fields = complete(stated, numbers, model.currencies)
  const missing = missingFields(stated)
  const reference = evaluate(stated, fields, circumstances)
  const at = (towards: -1 | 1): Evaluation =>
    missing.length === 0
      ? reference
      : evaluate(stated, plausible(stated, fields, towards, numbers), circumstances)
  const mildest = at(-1)
  const policiesComplete = !reference.matches.policies.incomplete
  const isComplete = behavior !== "unavailable" && policiesComplete
  const floor = isComplete ? 0 : numbers.incompleteScoreMin
  const range = {
    low: Math.max(floor, Math.min(mildest.score, reference.score)),
    high: Math.max(floor, at(1).score, reference.score)
  }
  const known = Math.max(floor, reference.score)
  const confidencePercent = confidencePercentOf(
    {
      score: known,
      range,
      contradictions: contradictionFacts.filter((name) => reference.facts[name]).length,
      complete: isComplete,
      unread: stated.reading.class === "unknown" || stated.reading.unread
    },
    numbers
  )
  // The opinion reports this last match, so it must not claim what was only assumed because history could not be read.
  const facts: Facts = {
    ...(behavior === "unavailable" ? { ...reference.facts, ...neutralHistoryFacts } : reference.facts),
    // A low level is told without a word on what it lacks: nobody has to supply it.
    confidence_percent_missing: actionRiskLevelOf(known, numbers) === "low" ? 0 : 100 - confidencePercent,
    assessment_degraded: !isComplete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const matches = { rules: model.match(facts), policies: circumstances.policies.match(facts) }
  const reported = Math.max(reference.score, floorOf(matches, numbers), floor)
  return {
    complete: isComplete,
    score: reported,
    floor,
    range: { low: range.low, high: Math.max(range.high, reported) },
    confidencePercent,
    missing,
    fields,
    evaluation: { ...reference, facts, matches },
    reference,
    mildest
  }
}

/** Most influential first: the largest rise, then the deepest fall, then the name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

const missingInformationOf = (
  { fields: reference, floor, missing, score: own }: ScoredCall,
  stated: StatedCall,
  circumstances: Circumstances
): ReadonlyArray<MissingInformation> => {
  const { currencies, numbers } = circumstances.model
  const scoreOf = ({ agent, destination, stated: supposed }: Supposed): number => {
    const fields = complete(supposed, numbers, currencies)
    const known = {
      ...fields,
      destination: destination ?? fields.destination,
      agent: agent ?? fields.agent
    }
    return Math.max(floor, evaluate(supposed, known, circumstances).score)
  }
  return missing
    .map((field) => boundsOfField(field, stated, reference, currencies, own, numbers.levels, scoreOf))
    .toSorted(byInfluence)
}

/** The version of the scoring code. It rises whenever the same request, history and rules could score differently. */
export const engineVersion = "2.0.0"
