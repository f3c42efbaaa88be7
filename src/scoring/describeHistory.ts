/** What an action contributes to history, and the keys that its own history is read by. */

import canonicalize from "canonicalize"
import type { Action } from "../domain/Action.ts"
import { readClaims } from "./Claims.ts"
import { complete, currencyOf } from "./complete.ts"
import { destinationKey } from "./destinationKey.ts"
import type { HistoryRecord } from "./HistoryRecord.ts"
import type { Model } from "./Model.ts"
import { toUsdCents } from "./money.ts"
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
  const completed = complete(claims, model, reference)
  return {
    normalizedActionType: claims.normalized.type,
    actionClass: claims.normalized.class,
    actionCategory: claims.class.category,
    agentId: action.agentId ?? null,
    destinationKey: action.destination === undefined ? null : destinationKey(action.destination),
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents:
      action.financialValue === undefined
        ? null
        : toUsdCents(action.financialValue, currencyOf(claims, model, "reference")),
    scoredEntities: completed.entities,
    scoredUsdCents: completed.usdCents,
    canonicalForm: canonicalize({ ...action, ...unscored }) ?? ""
  }
}
