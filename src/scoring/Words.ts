/** What the words of an action say by the lexicon alone: what it is called, where it happens, whether it aims at everything. */

import type { Action, Environment } from "../domain/Action.ts"
import type { NormalizedAction } from "../domain/ActionType.ts"
import type { Lexicon } from "./Lexicon.ts"
import { namesEverything } from "./namesEverything.ts"
import { namesProduction } from "./namesProduction.ts"
import { normalize } from "./normalize.ts"

export interface Words {
  readonly normalized: NormalizedAction
  /** The environment that counts. */
  readonly environment: Environment
  readonly namesEverything: boolean
}

/** A stated non-production environment is not believed when a target names production: the worse reading counts. */
const readEnvironment = (action: Action, lexicon: Lexicon): Environment => {
  if (action.environment === "production") return "production"
  const targets = [action.targetSystem, action.targetResource, action.destination]
  return targets.some((target) => target !== undefined && namesProduction(target, lexicon))
    ? "production"
    : action.environment
}

export const readWords = (action: Action, lexicon: Lexicon): Words => ({
  normalized: normalize(action, lexicon),
  environment: readEnvironment(action, lexicon),
  namesEverything: action.targetResource !== undefined && namesEverything(action.targetResource, lexicon)
})
