/** What lists search of an assessment. */

import type { Action } from "../domain/Action.ts"
import { searchText } from "../storage/searchText.ts"

export const searchedText = (action: Action, normalizedActionType: string): string =>
  searchText([
    action.actionType,
    normalizedActionType,
    action.agentId,
    action.targetSystem,
    action.targetResource,
    action.destination,
    action.actionDescription
  ])
