/** Functions that remember a bounded number of their results; one remembers the readings of actions. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax, shortTextMax } from "../limits.ts"
import { readCall, type Reading, readingKey } from "../scoring/reading/readCall.ts"
import type { RiskModel } from "../scoring/Model.ts"

/**
 * Equal keys share one result, so `keyOf` must cover everything that `compute` reads.
 * A full memory is emptied: the next calls compute again. Effect's `Cache` needs a fiber, and the score runs without one.
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

/** Whether an action has much text to read. */
export const isLong = (action: Action): boolean => readingKey(action).length > shortTextMax

/**
 * The readings of actions under one model, memoized: agents repeat a few hundred actions with different figures. Long ones are hardly
 * repeated, and a few thousand of them would take hundreds of megabytes: their readings last as long as the action itself.
 */
export const memoizedReadings = ({ lexicon }: RiskModel): ((action: Action) => Reading) => {
  const short = memoizeBounded(
    cachedWordsMax,
    ({ key }: { readonly key: string; readonly action: Action }) => key,
    ({ action }) => readCall(action, lexicon)
  )
  const long = new WeakMap<Action, Reading>()
  return (action) => {
    const key = readingKey(action)
    if (key.length <= shortTextMax) return short({ key, action })
    const known = long.get(action) ?? readCall(action, lexicon)
    long.set(action, known)
    return known
  }
}
