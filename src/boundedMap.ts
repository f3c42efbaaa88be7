/** A bounded map for entries that are set from outside. Effect's `Cache` only holds what it looks up itself. */

/** Sets an entry of a map with at most `max` entries. A full map drops the entry that was set longest ago. */
export const setBounded = <K, V>(map: Map<K, V>, max: number, key: K, value: V): void => {
  // Moves the key to the end, so that a key in use is not the oldest.
  map.delete(key)
  if (map.size >= max) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}
