/** Tells whether a destination key passes for an established one: one edit away, or drawn alike. */

import { foldText } from "./normalize/foldText.ts"

/** Digits and pairs of letters that are read as another letter in most fonts. */
const readAs = [
  ["rn", "m"],
  ["vv", "w"],
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["|", "l"]
] as const

/** Equal for texts that are drawn alike. */
const skeleton = (key: string): string => {
  let drawn = foldText(key).toLowerCase()
  for (const [written, read] of readAs) drawn = drawn.replaceAll(written, read)
  return drawn
}

/** One code point inserted, deleted or replaced, or two neighbours swapped. */
const isOneEdit = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let aEnd = a.length
  let bEnd = b.length
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  const aMiddle = aEnd - start
  const bMiddle = bEnd - start
  if (aMiddle <= 1 && bMiddle <= 1) return aMiddle + bMiddle > 0
  return aMiddle === 2 && bMiddle === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}

/** Units of a string: a code point takes up to two, and an edit swaps two code points at most. */
const pointUnitsMax = 2
const editUnitsMax = 2 * pointUnitsMax

/** Never false for one edit, and cheap enough to be asked of thousands. */
const mayBeOneEdit = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length)
  const longer = Math.max(a.length, b.length)
  if (longer - shorter > pointUnitsMax) return false
  let start = 0
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  return longer - start - end <= editUnitsMax
}

/** Symmetric, and false for equal keys. Linear in the length of the keys. */
export const imitates = (key: string, establishedKey: string): boolean => {
  if (key === establishedKey) return false
  return isOneEdit([...key], [...establishedKey]) || skeleton(key) === skeleton(establishedKey)
}

/** Whether a key imitates one of many, which are read once; which takes a millisecond or two for twenty thousand. */
export const imitatesOneOf = (establishedKeys: ReadonlyArray<string>): ((key: string) => boolean) => {
  const drawn = Map.groupBy(establishedKeys, skeleton)
  return (key) => {
    const points = [...key]
    return (
      (drawn.get(skeleton(key)) ?? []).some((alike) => alike !== key) ||
      establishedKeys.some(
        (established) => mayBeOneEdit(key, established) && isOneEdit(points, [...established])
      )
    )
  }
}
