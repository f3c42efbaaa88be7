/** Functions that remember a bounded number of their results; one remembers the words of actions. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax, shortTextMax } from "../limits.ts"
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

/** Whether a release has much text of an action to read. */
export const isLong = ({ wordsKey }: Edition, action: Action): boolean =>
  wordsKey(action).length > shortTextMax

/**
 * The words of actions under one edition, memoized: agents repeat a few hundred actions with different figures. Long ones are hardly
 * repeated, and a few thousand of them would take hundreds of megabytes: their words last as long as the action itself.
 */
export const memoizedWords = (edition: Edition): ((action: Action) => CallWords) => {
  const short = memoizeBounded(
    cachedWordsMax,
    ({ key }: { readonly key: string; readonly action: Action }) => key,
    ({ action }) => edition.read(action)
  )
  const long = new WeakMap<Action, CallWords>()
  return (action) => {
    const key = edition.wordsKey(action)
    if (key.length <= shortTextMax) return short({ key, action })
    const known = long.get(action) ?? edition.read(action)
    long.set(action, known)
    return known
  }
}
