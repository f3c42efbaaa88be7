/** The door to the second edition of the score: what the rest of the program may ask of a release of 2.x. */

import type { Action } from "../domain/Action.ts"
import type { Behavior, Sum } from "../domain/Behavior.ts"
import { canonicalText } from "../json/canonical.ts"
import type { Json } from "../json/json.ts"
import type { CallWords, Edition, Knowledge, SureSummary } from "./Edition.ts"
import {
  destinationKey,
  destinationSummedUnder,
  type HistoryRecord,
  placeKey,
  summedUnder
} from "./HistoryRecord.ts"
import type { PolicySet } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { complete, resolve } from "./completeCall.ts"
import { strongestControl } from "./control.ts"
import type { RiskModel } from "./evaluate.ts"
import { knowCall } from "./knowledge/knowCall.ts"
import { visibleText } from "./names/lookalike.ts"
import { centsPerUsd } from "./money.ts"
import { actionRiskLevelOf } from "./opinion.ts"
import { readCall, type Reading } from "./reading/readCall.ts"
import { engineVersion, score, scoreKnown, waysToScore } from "./score.ts"
import { countedFactors, toldFactors } from "./telling/toldFactors.ts"

export interface SecondEdition extends Edition {
  readonly number: 2
  /** For the analysis, which looks into the numbers and the words of a release. */
  readonly model: RiskModel
}

export const isSecondEdition = (edition: Edition): edition is SecondEdition => edition.number === 2

export const secondEdition = (model: RiskModel): SecondEdition => {
  const { digest, lexicon, match, numbers, version } = model
  return {
    number: 2,
    version,
    digest,
    engineVersion,
    model,
    baseline: numbers.behavior,
    match,
    withMatch: (other) => secondEdition({ ...model, match: other }),
    read: (action) => opaque(readCall(action, lexicon)),
    wordsKey,
    historyRecord: (action, words, known = nothingKnown) =>
      historyRecord(action, model, transparent(words), known),
    score: (action, behavior, policies, words) =>
      score(action, behavior, model, policies, transparent(words)),
    summarize: (action, behavior, policies, words) =>
      scoreSummary(action, behavior, model, policies, transparent(words))
  }
}

/** The model of a release that must be of the second edition: what asks for it knows no other. */
export const secondModelOf = ({ edition }: { readonly edition: Edition }): RiskModel => {
  if (!isSecondEdition(edition)) throw new Error(`release ${edition.version} is not of the second edition`)
  return edition.model
}

// Invariant: whoever hands words to an edition has them from the same edition.
const opaque = (reading: Reading): CallWords => reading as unknown as CallWords
const transparent = (words: CallWords | undefined): Reading | undefined =>
  words as unknown as Reading | undefined

/** The length in front keeps joined fields apart: no text can end one field and start the next. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** Every field that `readCall` reads. */
const wordsKey = (action: Action): string => {
  const command = action.metadata?.["command"]
  return [
    action.actionType,
    action.targetSystem,
    action.targetResource,
    action.destination,
    action.environment,
    action.actionDescription,
    typeof command === "string" ? command : undefined
  ]
    .map(lengthPrefixed)
    .join("")
}

const nothingKnown: Knowledge = { catalogue: undefined, day: undefined }

type ScoredField = Exclude<keyof Action, "actionDescription" | "context" | "metadata">

/** The RFC 8785 form of the scored fields, each as the score reads it: another spelling of a field gives the same form. */
const canonicalFormOf = (
  action: Action,
  stated: StatedCall,
  agentId: string | null,
  destination: string | null
): string =>
  canonicalText({
    actionType: stated.reading.type,
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

const keyOfPlace = (destination: string, { lexicon }: RiskModel): string => {
  const { silentParameters } = lexicon.vocabulary.sets
  return silentParameters === undefined
    ? destinationKey(destination)
    : placeKey(destination, silentParameters)
}

const hundredPercent = 100

/** The most that one question adds to later sums: the highest step, or a share of it where everybody without a name shares the sum. */
const addedMaxOf = (agentId: string | null, { behavior, cumulativeSteps }: Numbers): Sum => {
  const percent = agentId === null ? (behavior.unnamedPercentMax ?? hundredPercent) : hundredPercent
  const shareOf = (steps: ReadonlyArray<number>, unit: number): number =>
    Math.floor((Math.max(...steps) * unit * percent) / hundredPercent)
  return {
    entities: shareOf(cumulativeSteps.entities, 1),
    usdCents: shareOf(cumulativeSteps.usd, centsPerUsd)
  }
}

const historyRecord = (
  action: Action,
  model: RiskModel,
  words: Reading | undefined,
  known: Knowledge
): HistoryRecord => {
  const { behavior } = model.numbers
  const { stated } = knowCall(action, model, known, words)
  const resolved = resolve(stated, complete(stated, model.numbers, model.currencies))
  // Storage leaves out the class `read` alone, and the score sums no harmless class.
  const { harmless } = stated.class
  const agentId = stated.agentId === undefined ? null : visibleText(stated.agentId)
  const destination = stated.destination === undefined ? null : keyOfPlace(stated.destination, model)
  // Three deletions of an unknown size are no deletion of thousands: each was scored as what it may be.
  const assumedMax =
    stated.entities === undefined ? (behavior.assumedEntitiesMax ?? resolved.entities) : resolved.entities
  const addedMax = addedMaxOf(agentId, model.numbers)
  return {
    normalizedActionType: stated.reading.type,
    actionClass: stated.reading.class,
    actionCategory: stated.class.category,
    production: stated.production,
    changes: !harmless,
    agentId,
    destinationKey: destination,
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : resolved.usdCents,
    summedUnder: summedUnder(agentId, action.targetSystem),
    destinationSummedUnder: destinationSummedUnder(destination),
    scoredEntities: harmless ? 0 : Math.min(resolved.entities, assumedMax, addedMax.entities),
    scoredUsdCents: harmless ? 0 : Math.min(resolved.usdCents, addedMax.usdCents),
    canonicalForm: canonicalFormOf(action, stated, agentId, destination)
  }
}

/** The figures of `score`, several times as fast: without missing information, messages and the summary for people. */
const scoreSummary = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  policies: PolicySet,
  words?: Reading
): SureSummary => {
  const { scored, way } = scoreKnown(waysToScore(action, words, { behavior, model, policies }))
  const { stated } = way.known
  const { matches } = scored.evaluation
  const level = actionRiskLevelOf(scored.score, model.numbers)
  const counted = countedFactors(scored, stated, level, model.numbers)
  return {
    complete: scored.complete,
    score: scored.score,
    level,
    confidencePercent: scored.confidencePercent,
    category: stated.class.category,
    class: stated.reading.class,
    factors: toldFactors(counted),
    control: strongestControl({
      complete: scored.complete,
      level,
      confidencePercent: scored.confidencePercent,
      sufficientPercent: model.numbers.confidence.sufficientPercent,
      factors: counted,
      matches
    }).type
  }
}
