/** Functions that remember a bounded number of their results; one remembers the words of actions. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax } from "../limits.ts"
import type { Lexicon } from "../scoring/edition1/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../scoring/edition1/lexicon/normalize.ts"

/**
 * Equal keys share one result, so `keyOf` must cover everything that `compute` reads.
 * A full memory is emptied: the next calls compute again.
 */
export const memoizeBounded = <Input, Output>(
  entriesMax: number,
  keyOf: (input: Input) => string,
  compute: (input: Input) => Output
): ((input: Input) => Output) => {
  const results = new Map<string, Output>()
  return (input) => {
    const key = keyOf(input)
    const known = results.get(key)
    // Invariant: `has` is asked only where the result may be a stored `undefined`, so a hit costs one lookup.
    if (known !== undefined) return known
    if (results.has(key)) return known as Output
    if (results.size >= entriesMax) results.clear()
    const result = compute(input)
    results.set(key, result)
    return result
  }
}

/**
 * The words of actions under one lexicon, memoized: agents repeat a few hundred actions with different figures.
 * The length in front keeps joined fields apart: no text can end one field and start the next.
 */
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
