/** Functions that remember a bounded number of their results; one remembers the words of actions. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax } from "../limits.ts"
import type { CallWords, Edition } from "../scoring/Edition.ts"

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

/** The words of actions under one edition, memoized: agents repeat a few hundred actions with different figures. */
export const memoizedWords = (edition: Edition): ((action: Action) => CallWords) =>
  memoizeBounded(cachedWordsMax, edition.wordsKey, edition.read)
