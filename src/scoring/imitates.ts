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

/** Symmetric, and false for equal keys. Linear in the length of the keys. */
export const imitates = (key: string, establishedKey: string): boolean => {
  if (key === establishedKey) return false
  return isOneEdit([...key], [...establishedKey]) || skeleton(key) === skeleton(establishedKey)
}
