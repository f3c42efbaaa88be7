/** The score: a pure function of an action, its organization's history, a rule release and a policy set. Start with `score`. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { PolicySet, RiskModel } from "./Model.ts"
import type { StatedCall } from "./StatedCall.ts"
import {
  complete,
  type CompletedCall,
  type Fields,
  type MissableField,
  missingFields,
  plausible
} from "./completeCall.ts"
import { recommendControl } from "./control.ts"
import {
  type Circumstances,
  circumstancesOf,
  evaluate,
  type Evaluation,
  floorOf,
  scoreOf,
  wholeOf
} from "./evaluate.ts"
import { boundsOfDestination, isTold } from "./destinationBounds.ts"
import { boundsOfField, widenBounds } from "./fieldBounds.ts"
import { contradictionFacts } from "./gatherFacts.ts"
import { neutralHistoryFacts, toBehavioralContext } from "./history.ts"
import { type KnownCall, waysToKnow } from "./knowledge/knowCall.ts"
import {
  actionRiskLevelOf,
  assumptionsOf,
  assumptionsOfArguments,
  confidencePercentOf,
  surePercentAt,
  listRecommendations,
  reportBlastRadius,
  reportPolicies,
  reportReading
} from "./opinion.ts"
import { renderMessage, statedMoney } from "./renderMessage.ts"
import { readCall, type Reading } from "./reading/readCall.ts"
import { saferAlternatives } from "./telling/saferAlternatives.ts"
import { kindReason, summarize } from "./telling/summary.ts"
import { countedFactors, listRiskFactors, toldFactors, toldTypologies } from "./telling/toldFactors.ts"

/**
 * The opinion on one action. Synchronous and deterministic: equal arguments give equal opinions on every machine. `reading`: the
 * reading of the action by the model's lexicon, for callers that have it already.
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
  const level = actionRiskLevelOf(scored.score, numbers)
  const named = () => (policies.catalogue?.agents ?? []).flatMap((agentId) => waysOf({ ...action, agentId }))
  const { missingInformation, summed } = missingInformationOf(scored, way, named)
  const { facts } = scored.evaluation
  const shown = withStatedAmount(action, known.asStated)
  const money = statedMoney(shown, model.currencies, facts.financial_value_usd_cents)
  const counted = countedFactors(scored, known.stated, level)
  const riskFactors = listRiskFactors(toldFactors(counted), facts, money)
  const reported = reportReading(known.stated.reading, known.entry)
  const recommendedControl = recommendControl({
    complete: scored.complete,
    level,
    confidencePercent: scored.confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: counted,
    told: riskFactors,
    typologies: toldTypologies(scored.evaluation.matches.rules).map(({ message }) =>
      renderMessage(message, facts, money)
    ),
    kind: kindReason(reported, level),
    toldLast: numbers.summary.toldLast,
    matches: scored.evaluation.matches
  })
  const opinion = {
    complete: scored.complete,
    normalizedActionType: known.stated.reading.type,
    reading: reported,
    actionCategory: known.stated.class.category,
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
    saferAlternatives: saferAlternatives(known.stated.reading, level, recommendedControl.type, model.lexicon),
    behavioralContext: toBehavioralContext(behavior, known.asStated, scored.evaluation.resolved, numbers),
    policyContext: reportPolicies(scored.evaluation),
    assumptions: assumptionsTold(action, scored, known, model),
    missingInformation
  }
  return {
    ...opinion,
    summary: summarize({ ...opinion, missingInformation: summed }, shown, numbers, model.currencies)
  }
}

/** The reported assumptions: assumed values, values from the arguments, and values from the organization's catalogue. */
const assumptionsTold = (
  action: Action,
  { fields, missing }: ScoredCall,
  { asStated, fills, stated }: KnownCall,
  { currencies }: RiskModel
): Opinion["assumptions"] => [
  ...assumptionsOf(fields, currencies, stated, missing),
  ...assumptionsOfArguments(action, asStated),
  ...fills
]

/** The action with the amount from its arguments, if that amount is the one that counts. */
const withStatedAmount = (action: Action, { reading: { toldBy }, value }: StatedCall): Action => {
  const amount = toldBy?.amounts.find((one) => one.value === value)
  const currency = amount?.currency ?? action.currency
  if (amount === undefined || value === action.financialValue) return action
  return { ...action, financialValue: amount.value, ...(currency === undefined ? {} : { currency }) }
}

/** One way in which the organization's catalogue can match a call. */
interface WayToScore {
  readonly known: KnownCall
  readonly circumstances: Circumstances
}

export const waysToScore = (
  action: Action,
  reading: Reading | undefined,
  { behavior, model, policies }: Pick<Circumstances, "behavior" | "model" | "policies">
): ReadonlyArray<WayToScore> =>
  waysToKnow(action, behavior, model, policies.catalogue, reading).map((known) => ({
    known,
    circumstances: circumstancesOf(known.stated, behavior, model, policies, known.expired)
  }))

/** Scores a call in each way in which the catalogue can match it, and returns the highest score. */
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
  /** The lowest score that any statement can lead to: the minimum of an incomplete opinion, otherwise 0. */
  readonly floor: number
  /** The scores of the mildest and the worst plausible completion; low ≤ score ≤ high (theorem T2). */
  readonly range: { readonly low: number; readonly high: number }
  readonly confidencePercent: number
  readonly missing: ReadonlyArray<MissableField>
  /** Every missing field at its reference value (theorem T1: stating it gives the same score). */
  readonly fields: Fields
  /** Includes the facts and matches that the opinion reports. */
  readonly evaluation: Evaluation
  /** Every missing field at its reference, before the facts about confidence and degradation are known. */
  readonly reference: Evaluation
  /** Every missing field at its mildest plausible value. */
  readonly mildest: Evaluation
}

/** An evaluation after the facts about its outcome are added: its confidence, and whether any part could not be read. */
const withOutcome = (
  evaluation: Evaluation,
  outcome: Pick<Facts, "assessment_degraded" | "confidence_percent_missing" | "policy_evaluation_incomplete">,
  { behavior, model, policies }: Circumstances
): Evaluation => {
  // The opinion reports this final match. If history could not be read, it must not claim the history that was only assumed.
  const known = behavior === "unavailable" ? neutralHistoryFacts : {}
  const facts: Facts = { ...evaluation.facts, ...known, ...outcome }
  const matches = { rules: model.match(facts), policies: policies.match(facts) }
  const score = Math.max(evaluation.score, floorOf(matches, model.numbers))
  return { ...evaluation, facts, matches, score }
}

/** The score with its range and confidence, but without any text. */
export const scoreCall = (stated: StatedCall, circumstances: Circumstances): ScoredCall => {
  const { behavior, model } = circumstances
  const { numbers } = model
  const fields = complete(stated, numbers, model.currencies)
  const missing = missingFields(stated)
  const { deeds, whole: reference } = evaluate({ stated, fields }, circumstances)
  const plausibly = (towards: -1 | 1): Evaluation =>
    missing.length === 0
      ? reference
      : evaluate({ stated, fields: plausible(stated, fields, towards, numbers) }, circumstances).whole
  const mildest = plausibly(-1)
  const policiesComplete = !reference.matches.policies.incomplete
  const isComplete = behavior !== "unavailable" && policiesComplete
  const floor = isComplete ? 0 : numbers.incompleteScoreMin
  const range = {
    low: Math.max(floor, Math.min(mildest.score, reference.score)),
    high: Math.max(floor, plausibly(1).score, reference.score)
  }
  const known = Math.max(floor, reference.score)
  const confidencePercent = confidencePercentOf(
    {
      score: known,
      range,
      contradictions: contradictionFacts.filter((name) => deeds.some(({ facts }) => facts[name])).length,
      complete: isComplete,
      unread: stated.reading.class === "unknown" || stated.reading.unread
    },
    numbers
  )
  const outcome = {
    // At a low level no missing confidence is reported, because the caller need not supply anything.
    confidence_percent_missing: actionRiskLevelOf(known, numbers) === "low" ? 0 : 100 - confidencePercent,
    assessment_degraded: !isComplete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const evaluation = wholeOf(deeds.map((deed) => withOutcome(deed, outcome, circumstances)))
  const reported = Math.max(evaluation.score, floor)
  return {
    complete: isComplete,
    score: reported,
    floor,
    range: { low: range.low, high: Math.max(range.high, reported) },
    confidencePercent: Math.min(confidencePercent, surePercentAt(reported, numbers)),
    missing,
    fields,
    evaluation,
    reference,
    mildest
  }
}

/** Most influential first: the largest rise, then the deepest fall, then the field's name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

/** `named`: the ways to know the call for each agent that the catalogue names. */
const missingInformationOf = (
  { fields, floor, missing, score: own }: ScoredCall,
  { circumstances, known }: WayToScore,
  named: () => ReadonlyArray<WayToScore>
): {
  readonly missingInformation: ReadonlyArray<MissingInformation>
  /**
   * For the summary, which names a destination only if an unknown one makes the score worse. Leaves out the effects of particular
   * destinations.
   */
  readonly summed: ReadonlyArray<MissingInformation>
} => {
  const { model } = circumstances
  const { asStated, fill, stated } = known
  const scoreAt = (supposed: CompletedCall, theirs: Circumstances): number =>
    Math.max(floor, scoreOf(supposed, theirs))
  const list = missing
    .filter((field) => field !== "destination")
    .map((field) => {
      const bounds = boundsOfField(field, { stated: asStated, fields }, model, own, (supposed) =>
        scoreAt(fill(supposed), circumstances)
      )
      if (field !== "agent_id") return bounds
      const scores = named().flatMap(({ circumstances: theirs, known: { stated } }) => {
        const reference = complete(stated, model.numbers, model.currencies)
        return (["best", "worst"] as const).map((agent) =>
          scoreAt({ stated, fields: { ...reference, agent } }, theirs)
        )
      })
      return scores.length === 0 ? bounds : widenBounds(bounds, scores, own, model.numbers)
    })
  if (stated.destination !== undefined) {
    const missingInformation = list.toSorted(byInfluence)
    return { missingInformation, summed: missingInformation }
  }
  const { bounds, ofName } = boundsOfDestination(fields, known, circumstances, own, floor)
  const told = isTold(bounds, stated, own, circumstances) ? [...list, bounds] : list
  return {
    missingInformation: told.toSorted(byInfluence),
    summed: (stated.class.egress ? [...list, ofName] : list).toSorted(byInfluence)
  }
}
