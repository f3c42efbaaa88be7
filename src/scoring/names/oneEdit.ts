/** Finds texts that are one edit apart: one code point inserted, deleted or replaced, or two neighbors swapped. */

const isOneEditOfPoints = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
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

/** In UTF-16 units. A code point has at most two, and one edit affects at most two code points (a swap). */
const pointUnitsMax = 2
const editUnitsMax = 2 * pointUnitsMax

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Whether `at` is between the two units of one code point. */
const splitsPoint = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))

/** Whether any unit between `from` and the last `tail` units is half of a code point. */
const hasPair = (text: string, from: number, tail: number): boolean => {
  for (let at = from; at < text.length - tail; at++) {
    const unit = text.charCodeAt(at)
    if (isHigh(unit) || isLow(unit)) return true
  }
  return false
}

/**
 * Equivalent to `isOneEditOfPoints`, given that the first `start` units and the last `tail` units are equal. Compares units, and decodes
 * only the few code points around the difference.
 */
const differsByOneEdit = (a: string, b: string, start: number, tail: number): boolean => {
  const shorter = Math.min(a.length, b.length) - tail
  let from = start
  while (from < shorter && a.charCodeAt(from) === b.charCodeAt(from)) from++
  let same = tail
  const sameMax = Math.min(a.length, b.length) - from
  while (same < sameMax && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same)) same++
  const longest = Math.max(a.length, b.length) - from - same
  if (longest > editUnitsMax) return false
  if (longest > pointUnitsMax && !hasPair(a, from, same) && !hasPair(b, from, same)) return false
  if (splitsPoint(a, from) || splitsPoint(b, from)) from--
  if (splitsPoint(a, a.length - same) || splitsPoint(b, b.length - same)) same--
  return isOneEditOfPoints(
    Array.from(a.slice(from, a.length - same)),
    Array.from(b.slice(from, b.length - same))
  )
}

export const isOneEdit = (a: string, b: string): boolean => differsByOneEdit(a, b, 0, 0)

/** Texts are cut into segments of about `segmentUnits` units, but into at most `segmentsMax` segments. */
const segmentUnits = 4
const segmentsMax = 8

/** How far segments overlap, so that every edit is entirely within one of them. */
const overlapUnits = editUnitsMax - 1

/** Where each segment of a text with so many units begins and ends. */
const segmentsOf = (units: number): ReadonlyArray<readonly [from: number, to: number]> => {
  const count = Math.max(1, Math.min(segmentsMax, Math.floor(units / segmentUnits)))
  return Array.from({ length: count }, (_, i) => [
    Math.floor((units * i) / count),
    Math.min(units, Math.floor((units * (i + 1)) / count) + overlapUnits)
  ])
}

const base = 0x01000193

/** Hashes every prefix of a text once, so that hashing any part takes constant time. */
const makePrefixHashes = () => {
  let powers = new Uint32Array([1])
  let hashes = new Uint32Array(1)

  const grow = (units: number): void => {
    if (powers.length > units) return
    powers = new Uint32Array(2 * units + 1)
    hashes = new Uint32Array(2 * units + 1)
    powers[0] = 1
    for (let i = 1; i < powers.length; i++) powers[i] = Math.imul(powers[i - 1] ?? 0, base)
  }

  return {
    read: (text: string): void => {
      grow(text.length)
      for (let i = 0; i < text.length; i++)
        hashes[i + 1] = Math.imul(hashes[i] ?? 0, base) + text.charCodeAt(i) + 1
    },
    /** The hash of the text without the units between `from` and the last `tail` units. */
    around: (units: number, from: number, tail: number): number => {
      const power = powers[tail] ?? 0
      const ending = (hashes[units] ?? 0) - Math.imul(hashes[units - tail] ?? 0, power)
      return Math.imul(hashes[from] ?? 0, power) + ending
    }
  }
}

/**
 * The table slot of a text without one segment. Mixes in the segment's index and the length, so that equal rests of different texts or
 * segments stay apart.
 */
const slotOf = (hash: number, units: number, segment: number): number => {
  let mixed = hash ^ Math.imul(units * segmentsMax + segment + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

interface OneEditIndex {
  /** Adds the next text of `texts`. */
  readonly addNext: () => void
  /** Whether the text is one edit away from any added text. */
  readonly has: (text: string) => boolean
}

/**
 * Finds texts that are one edit apart.
 *
 * An edit lies within one segment of the established text; outside this segment the two texts are equal. So a single table holds each text
 * once per segment, under the hash of everything except that segment. Only texts with the same hash are compared: first the few units of
 * the segment and, if these match, the whole text.
 */
export const makeOneEditIndex = (
  texts: ReadonlyArray<string>,
  /** Filters the pairs that are one edit apart. */
  counts: (asked: string, text: string) => boolean
): OneEditIndex => {
  const prefixes = makePrefixHashes()
  const segments = new Map<number, ReturnType<typeof segmentsOf>>()
  for (const { length } of texts) if (!segments.has(length)) segments.set(length, segmentsOf(length))
  const entries = texts.reduce((sum, { length }) => sum + (segments.get(length)?.length ?? 0), 0)
  let mask = 1
  while (mask < entries) mask = 2 * mask + 1
  /**
   * Linked lists in arrays: the last entry of each slot, and the previous entry of each entry. Entries count from 1, so that 0 means none.
   */
  const last = new Uint32Array(mask + 1)
  const before = new Uint32Array(entries + 1)
  const slots = new Uint32Array(entries + 1)
  const textOf = new Uint32Array(entries + 1)

  let nextText = 0
  let added = 0
  const addNext = (): void => {
    const at = nextText++
    const text = texts[at] ?? ""
    prefixes.read(text)
    segments.get(text.length)?.forEach(([from, to], segment) => {
      const slot = slotOf(prefixes.around(text.length, from, text.length - to), text.length, segment)
      added += 1
      before[added] = last[slot & mask] ?? 0
      last[slot & mask] = added
      slots[added] = slot
      textOf[added] = at
    })
  }

  const isInSlot = (slot: number, asked: string, from: number, tail: number): boolean => {
    for (let entry = last[slot & mask] ?? 0; entry !== 0; entry = before[entry] ?? 0) {
      if (slots[entry] !== slot) continue
      const text = texts[textOf[entry] ?? 0] ?? ""
      if (differsByOneEdit(asked, text, from, tail) && isOneEdit(asked, text) && counts(asked, text))
        return true
    }
    return false
  }

  const has = (asked: string): boolean => {
    prefixes.read(asked)
    for (let units = asked.length - pointUnitsMax; units <= asked.length + pointUnitsMax; units++) {
      for (const [segment, [from, to]] of (segments.get(units) ?? []).entries()) {
        const tail = units - to
        if (from + tail > asked.length) continue
        const slot = slotOf(prefixes.around(asked.length, from, tail), units, segment)
        if (isInSlot(slot, asked, from, tail)) return true
      }
    }
    return false
  }

  return { addNext, has }
}
