/** The score: a pure function of the action, its organization's history, a rule release and a policy set. Read `score` first. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicySet } from "./Model.ts"
import type { StatedCall } from "./StatedCall.ts"
import { complete, type Fields, type MissableField, missingFields, plausible } from "./completeCall.ts"
import { recommendControl } from "./control.ts"
import { type Circumstances, evaluate, type Evaluation, floorOf, type RiskModel } from "./evaluate.ts"
import { boundsOfField, type Supposed, widenBounds } from "./fieldBounds.ts"
import { contradictionFacts, standingFacts } from "./gatherFacts.ts"
import { neutralHistoryFacts, toBehavioralContext } from "./history.ts"
import { type KnownCall, waysToKnow } from "./knowledge/knowCall.ts"
import {
  actionRiskLevelOf,
  assumptionsOf,
  confidencePercentOf,
  listRecommendations,
  listRiskFactors,
  reportBlastRadius,
  isOrdinary,
  reportReading,
  summarize,
  toldFactors
} from "./opinion.ts"
import { readCall, type Reading } from "./reading/readCall.ts"

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
  const waysOf = (one: Action) => waysToScore(one, reading, { behavior, model, policies })
  const { scored, way } = scoreKnown(waysOf(action))
  const { known } = way
  const { stated } = known
  const level = actionRiskLevelOf(scored.score, numbers)
  const named = () => (policies.catalogue?.agents ?? []).flatMap((agentId) => waysOf({ ...action, agentId }))
  const missingInformation = missingInformationOf(scored, way, named)
  const told = toldFactors(scored.evaluation.matches, scored.mildest, isOrdinary(stated))
  const riskFactors = listRiskFactors(told, scored.evaluation.facts)
  const recommendedControl = recommendControl({
    complete: scored.complete,
    level,
    confidencePercent: scored.confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: riskFactors,
    evaluation: scored.evaluation
  })
  const opinion = {
    complete: scored.complete,
    normalizedActionType: stated.reading.type,
    reading: reportReading(stated.reading, known.entry),
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
    recommendations: listRecommendations(scored.evaluation, riskFactors, recommendedControl.type),
    behavioralContext: toBehavioralContext(behavior, known.asStated, scored.evaluation.resolved, numbers),
    policyContext: scored.evaluation.matches.policies.matched.map(({ effect, note, policy, rule }) => ({
      policy,
      rule,
      effect,
      ...(note === undefined ? {} : { note })
    })),
    assumptions: [
      ...assumptionsOf(scored.fields, model.currencies.dearest, stated, scored.missing),
      ...known.fills
    ],
    missingInformation
  }
  return { ...opinion, summary: summarize(opinion, action) }
}

/** One way in which the organization's catalogue knows a call. */
interface WayToScore {
  readonly known: KnownCall
  readonly circumstances: Circumstances
}

export const waysToScore = (
  action: Action,
  reading: Reading | undefined,
  context: Omit<Circumstances, "standing">
): ReadonlyArray<WayToScore> => {
  const { behavior, model, policies } = context
  return waysToKnow(action, behavior, model, policies.catalogue, reading).map((known) => {
    const facts = standingFacts(known.stated)
    const standing = known.expired ? { ...facts, catalogue_entry_expired: true } : facts
    return { known, circumstances: { ...context, standing } }
  })
}

/** Of several ways to know a call the one with the highest score. */
export const scoreKnown = (
  ways: ReadonlyArray<WayToScore>
): { readonly way: WayToScore; readonly scored: ScoredCall } => {
  const [worst] = ways
    .map((way) => ({ way, scored: scoreCall(way.known.stated, way.circumstances) }))
    .toSorted((a, b) => b.scored.score - a.scored.score)
  if (worst === undefined) throw new Error("a call is known in at least one way")
  return worst
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
  const confidencePercent = confidencePercentOf(
    {
      score: Math.max(floor, reference.score),
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
    confidence_percent_missing: 100 - confidencePercent,
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
    mildest
  }
}

/** Most influential first: the largest rise, then the deepest fall, then the name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

/** The score of a call as if its destination and its agent were known so well. */
const scoreSupposed = (
  stated: StatedCall,
  { agent, destination }: Omit<Supposed, "stated">,
  circumstances: Circumstances
): number => {
  const { currencies, numbers } = circumstances.model
  const fields = complete(stated, numbers, currencies)
  const known = {
    ...fields,
    destination: destination ?? fields.destination,
    agent: agent ?? fields.agent
  }
  return evaluate(stated, known, circumstances).score
}

/** `named`: the call as it is known of each agent that the catalogue names. */
const missingInformationOf = (
  { fields: reference, floor, missing, score: own }: ScoredCall,
  { circumstances, known: { asStated, fill } }: WayToScore,
  named: () => ReadonlyArray<WayToScore>
): ReadonlyArray<MissingInformation> => {
  const { currencies, numbers } = circumstances.model
  const scoreOf = ({ stated, ...history }: Supposed): number =>
    Math.max(floor, scoreSupposed(fill(stated), history, circumstances))
  return missing
    .map((field) => {
      const bounds = boundsOfField(field, asStated, reference, currencies, own, numbers.levels, scoreOf)
      if (field !== "agent_id") return bounds
      const scores = named().flatMap(({ circumstances: theirs, known: { stated } }) =>
        (["best", "worst"] as const).map((agent) => Math.max(floor, scoreSupposed(stated, { agent }, theirs)))
      )
      return scores.length === 0 ? bounds : widenBounds(bounds, scores, own, numbers.levels)
    })
    .toSorted(byInfluence)
}

/** The version of the scoring code. It rises whenever the same request, history and rules could score differently. */
export const engineVersion = "2.0.0"
