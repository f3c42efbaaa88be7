/** Normalizes what callers call an action: its canonical type, its class, and what its words reveal. */

import type { Action } from "../domain/Action.ts"
import type { NormalizedAction } from "../domain/ActionType.ts"
import type { Lexicon } from "./Lexicon.ts"
import { namesCredential } from "./normalize/namesCredential.ts"
import { namesWord } from "./normalize/namesWord.ts"
import { readAction } from "./normalize/readAction.ts"
import { safeguardWeakened } from "./normalize/safeguardWeakened.ts"
import { tokenize, type Tokens } from "./normalize/tokenize.ts"

/**
 * A provider's own name wins; else the riskiest verb among the words. Pure, linear in the length of its input, total on
 * any string, and idempotent: a canonical type is its own.
 */
export const normalize = (
  action: Pick<Action, "actionType" | "targetResource" | "targetSystem">,
  lexicon: Lexicon
): NormalizedAction => {
  const { vocabulary } = lexicon
  const name = tokenize(action.actionType, vocabulary)
  const targets: Array<Tokens> = []
  const resource =
    action.targetResource === undefined ? undefined : tokenize(action.targetResource, vocabulary)
  if (resource !== undefined) targets.push(resource)
  if (action.targetSystem !== undefined) targets.push(tokenize(action.targetSystem, vocabulary))

  const reading = readAction(name, lexicon)
  const namesStore = (words: Tokens): boolean => namesWord(words, "dataStore", vocabulary)
  const namesAdmin = (words: Tokens): boolean => words.wildcard || namesWord(words, "admin", vocabulary)
  const readable = reading.class !== "unknown"

  return {
    type: reading.type,
    class: reading.class,
    extent: reading.extent,
    dataStore: (reading.dataStore ?? namesStore(name)) || targets.some(namesStore),
    admin: (reading.admin ?? namesAdmin(name)) || targets.some(namesAdmin),
    alsoExports: reading.alsoExports,
    safeguardWeakened: safeguardWeakened(reading, name, resource, vocabulary),
    credential: reading.credential ?? namesCredential(name, targets, reading.verb, readable, vocabulary)
  }
}
