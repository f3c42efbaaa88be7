/** The door to the first edition of the score: what the rest of the program may ask of a release of 1.x. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import { canonicalText } from "../../json/canonical.ts"
import type { Json } from "../../json/json.ts"
import type { CallWords, Edition, SureSummary } from "../Edition.ts"
import { destinationKey, destinationSummedUnder, type HistoryRecord, summedUnder } from "../HistoryRecord.ts"
import type { PolicySet } from "../Model.ts"
import { visibleText } from "../names/lookalike.ts"
import { centsPerUsd } from "../money.ts"
import { allFieldsAt } from "./FieldBounds.ts"
import type { Model } from "./Model.ts"
import { type StatedAction, toStatedAction } from "./StatedAction.ts"
import { strongestControl } from "./control.ts"
import { type ActionWords, normalizeAction } from "./lexicon/normalize.ts"
import { complete, completionsOf } from "./missingFields.ts"
import { actionRiskLevelOf, raisedFactors } from "./opinion.ts"
import { engineVersion, prepareAction, score, scoreWithRange } from "./score.ts"

export interface FirstEdition extends Edition {
  readonly number: 1
  /** For the analysis, which looks into the numbers and the words of a release. */
  readonly model: Model
}

export const firstEdition = (model: Model): FirstEdition => {
  const { digest, lexicon, match, numbers, version } = model
  return {
    number: 1,
    version,
    digest,
    engineVersion,
    model,
    baseline: numbers.behavior,
    match,
    withMatch: (other) => firstEdition({ ...model, match: other }),
    read: (action) => opaque(normalizeAction(action, lexicon)),
    wordsKey,
    historyRecord: (action, words) => historyRecord(action, model, transparent(words)),
    score: (action, behavior, policies, words) =>
      score(action, behavior, model, policies, transparent(words)),
    summarize: (action, behavior, policies, words) =>
      scoreSummary(action, behavior, model, policies, transparent(words))
  }
}

// Invariant: whoever hands words to an edition has them from the same edition.
const opaque = (words: ActionWords): CallWords => words as unknown as CallWords
const transparent = (words: CallWords | undefined): ActionWords | undefined =>
  words as unknown as ActionWords | undefined

/** The length in front keeps joined fields apart: no text can end one field and start the next. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** Every field that `normalizeAction` reads. */
const wordsKey = ({ actionType, destination, environment, targetResource, targetSystem }: Action): string =>
  lengthPrefixed(actionType) +
  lengthPrefixed(targetSystem) +
  lengthPrefixed(targetResource) +
  lengthPrefixed(destination) +
  lengthPrefixed(environment)

const isFirst = (edition: Edition): edition is FirstEdition => edition.number === 1

/** The model of a release that must be of the first edition: what asks for it knows no other. */
export const firstModelOf = ({ edition }: { readonly edition: Edition }): Model => {
  if (!isFirst(edition)) throw new Error(`release ${edition.version} is not of the first edition`)
  return edition.model
}

const allAtReference = allFieldsAt("reference")

type ScoredField = Exclude<keyof Action, "actionDescription" | "context" | "metadata">

/**
 * The RFC 8785 form of the scored fields, each as the score reads it: another spelling of a field gives the same form.
 * Description, metadata and context are not in it, because the score does not read them.
 */
const canonicalFormOf = (
  action: Action,
  stated: StatedAction,
  agentId: string | null,
  destination: string | null
): string =>
  canonicalText({
    actionType: stated.normalized.type,
    agentId,
    currency: action.currency?.toUpperCase(),
    dataClassification: stated.dataClassification,
    destination,
    entitiesAffected: action.entitiesAffected,
    environment: action.environment,
    financialValue: action.financialValue,
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    recordsAffected: action.recordsAffected,
    reversibility: stated.reversibility,
    targetResource: action.targetResource,
    targetSystem: action.targetSystem
  } satisfies Record<ScoredField, Json | undefined>)

const historyRecord = (action: Action, model: Model, words?: ActionWords): HistoryRecord => {
  const stated = toStatedAction(action, model, words)
  const completions = completionsOf(stated, model)
  const resolved = complete(stated, completions, allAtReference)
  const steps = model.numbers.cumulativeSteps
  const agentId = stated.agentId === undefined ? null : visibleText(stated.agentId)
  const destination = stated.destination === undefined ? null : destinationKey(stated.destination)
  return {
    normalizedActionType: stated.normalized.type,
    actionClass: stated.normalized.class,
    actionCategory: stated.class.category,
    production: stated.production,
    changes: stated.normalized.class !== "read",
    agentId,
    destinationKey: destination,
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : resolved.usdCents,
    summedUnder: summedUnder(agentId, action.targetSystem),
    destinationSummedUnder: destinationSummedUnder(destination),
    scoredEntities: Math.min(resolved.entities, Math.max(...steps.entities)),
    scoredUsdCents: Math.min(resolved.usdCents, Math.max(...steps.usd) * centsPerUsd),
    canonicalForm: canonicalFormOf(action, stated, agentId, destination)
  }
}

/** The figures of `score`, several times as fast: without missing information, messages and the summary for people. */
const scoreSummary = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words?: ActionWords
): SureSummary => {
  const prepared = prepareAction(action, behavior, model, policies, words)
  const { complete, confidencePercent, evaluation, score } = scoreWithRange(prepared)
  const { matches } = evaluation
  const level = actionRiskLevelOf(score, model.numbers)
  const factors = raisedFactors(matches)
  const { sufficientPercent } = model.numbers.confidence
  return {
    complete,
    score,
    level,
    confidencePercent,
    category: prepared.stated.class.category,
    class: prepared.stated.normalized.class,
    factors,
    control: strongestControl({ complete, level, confidencePercent, sufficientPercent, factors, matches })
      .type
  }
}
