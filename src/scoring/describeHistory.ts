/** What an action contributes to history, and the keys that its own history is read by. */

import canonicalize from "canonicalize"
import type { Action } from "../domain/Action.ts"
import { readClaims } from "./Claims.ts"
import { complete } from "./complete.ts"
import { completionsOf } from "./completions.ts"
import { destinationKey } from "./destinationKey.ts"
import type { HistoryRecord } from "./HistoryRecord.ts"
import type { Model } from "./Model.ts"
import { readAll } from "./Reading.ts"

const reference = readAll("reference")

/** No part of a distinct action: they never move a score. */
const unscored: Partial<Record<keyof Action, undefined>> = {
  actionDescription: undefined,
  context: undefined,
  metadata: undefined
}

export const historyRecord = (action: Action, model: Model): HistoryRecord => {
  const claims = readClaims(action, model)
  const completions = completionsOf(claims, model)
  const completed = complete(claims, completions, reference)
  return {
    normalizedActionType: claims.normalized.type,
    actionClass: claims.normalized.class,
    actionCategory: claims.class.category,
    agentId: action.agentId ?? null,
    destinationKey: action.destination === undefined ? null : destinationKey(action.destination),
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : completed.usdCents,
    scoredEntities: completed.entities,
    scoredUsdCents: completed.usdCents,
    canonicalForm: canonicalize({ ...action, ...unscored }) ?? ""
  }
}
