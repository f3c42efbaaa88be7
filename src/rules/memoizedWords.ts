/** The words of actions under one lexicon, memoized: agents repeat a few hundred actions with different figures. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax } from "../limits.ts"
import type { Lexicon } from "../scoring/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../scoring/lexicon/normalize.ts"
import { memoizeBounded } from "./memoizeBounded.ts"

/** The length in front keeps joined fields apart: no text can end one field and start the next. */
const lengthPrefixed = (text: string | undefined): string =>
  text === undefined ? "-" : `${text.length} ${text}`

/** Every field that `normalizeAction` reads. */
const keyOf = ({ actionType, destination, environment, targetResource, targetSystem }: Action): string =>
  lengthPrefixed(actionType) +
  lengthPrefixed(targetSystem) +
  lengthPrefixed(targetResource) +
  lengthPrefixed(destination) +
  lengthPrefixed(environment)

export const memoizedWords = (lexicon: Lexicon): ((action: Action) => ActionWords) =>
  memoizeBounded(cachedWordsMax, keyOf, (action) => normalizeAction(action, lexicon))
