/** A function that remembers a bounded number of its results. */

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
