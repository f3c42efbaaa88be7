/** A map with a bound, for entries that change from outside; Effect's `Cache` holds what it looks up itself. */

/** Sets an entry of a map that holds at most `max` of them: a full map drops the one that was set longest ago. */
export const setBounded = <K, V>(map: Map<K, V>, max: number, key: K, value: V): void => {
  // Moved to the end, so that a key in use is not the oldest.
  map.delete(key)
  if (map.size >= max) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}
