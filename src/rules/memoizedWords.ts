/** The words of actions under one lexicon, remembered: agents ask the same few hundred things with other figures. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax } from "../limits.ts"
import type { Lexicon } from "../scoring/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../scoring/lexicon/normalize.ts"

/** With its length in front no text can pass for the end of one and the beginning of the next. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** All that `readWords` reads. */
const keyOf = ({ actionType, destination, environment, targetResource, targetSystem }: Action): string =>
  lengthPrefixed(actionType) +
  lengthPrefixed(targetSystem) +
  lengthPrefixed(targetResource) +
  lengthPrefixed(destination) +
  lengthPrefixed(environment)

/** Pure to whoever asks: a bounded memory that begins anew when it is full. */
export const memoizedWords = (lexicon: Lexicon): ((action: Action) => ActionWords) => {
  const remembered = new Map<string, ActionWords>()
  return (action) => {
    const key = keyOf(action)
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= cachedWordsMax) remembered.clear()
    const words = normalizeAction(action, lexicon)
    remembered.set(key, words)
    return words
  }
}
