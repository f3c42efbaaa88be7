/** What an action contributes to history, and the keys that its own history is read by. */

import type { Action, Json } from "../domain/Action.ts"
import { canonicalText } from "./canonicalText.ts"
import { type Claims, readClaims } from "./Claims.ts"
import { complete } from "./complete.ts"
import { completionsOf } from "./completions.ts"
import { destinationKey } from "./destinationKey.ts"
import type { HistoryRecord } from "./HistoryRecord.ts"
import type { Model } from "./Model.ts"
import { readAll } from "./Reading.ts"
import { visible } from "./visible.ts"
import type { Words } from "./Words.ts"

const reference = readAll("reference")

type ScoredField = Exclude<keyof Action, "actionDescription" | "context" | "metadata">

/**
 * RFC 8785 form of what is scored, each field as scoring reads it: spelling a field another way makes no other action, and
 * description, metadata and context are no part of one.
 */
const canonicalFormOf = (
  action: Action,
  claims: Claims,
  agentId: string | null,
  destination: string | null
): string =>
  canonicalText({
    actionType: claims.normalized.type,
    agentId,
    currency: action.currency?.toUpperCase(),
    dataClassification: claims.dataClassification,
    destination,
    entitiesAffected: action.entitiesAffected,
    environment: action.environment,
    financialValue: action.financialValue,
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    recordsAffected: action.recordsAffected,
    reversibility: claims.reversibility,
    targetResource: action.targetResource,
    targetSystem: action.targetSystem
  } satisfies Record<ScoredField, Json | undefined>)

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const historyRecord = (action: Action, model: Model, words?: Words): HistoryRecord => {
  const claims = readClaims(action, model, words)
  const completions = completionsOf(claims, model)
  const completed = complete(claims, completions, reference)
  const agentId = claims.agentId === undefined ? null : visible(claims.agentId)
  const destination = claims.destination === undefined ? null : destinationKey(claims.destination)
  return {
    normalizedActionType: claims.normalized.type,
    actionClass: claims.normalized.class,
    actionCategory: claims.class.category,
    agentId,
    destinationKey: destination,
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : completed.usdCents,
    scoredEntities: completed.entities,
    scoredUsdCents: completed.usdCents,
    canonicalForm: canonicalFormOf(action, claims, agentId, destination)
  }
}
