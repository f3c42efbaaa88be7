/** Memoizes functions with a bounded number of results, among them the readings of actions. */

import type { Action } from "../domain/Action.ts"
import { cachedWordsMax, shortTextMax } from "../limits.ts"
import { readCall, type Reading, readingKey } from "../scoring/reading/readCall.ts"
import type { RiskModel } from "../scoring/Model.ts"

/**
 * Equal keys share one result, so `keyOf` must cover everything that `compute` reads. A full memory is emptied. Not Effect's `Cache`,
 * because that needs a fiber and the score runs without one.
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
    // `has` is needed only if the result may be a stored `undefined`, so a hit usually costs one look-up.
    if (known !== undefined) return known
    if (results.has(key)) return known as Output
    if (results.size >= entriesMax) results.clear()
    const result = compute(input)
    results.set(key, result)
    return result
  }
}

/** Whether an action has a long text to read. */
export const isLong = (action: Action): boolean => readingKey(action).length > shortTextMax

/**
 * Memoizes the readings of actions under one model, because agents repeat a few hundred actions with different figures. Long actions are
 * rarely repeated, and a few thousand of their readings would take hundreds of megabytes, so such a reading lives only as long as its
 * action object.
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
