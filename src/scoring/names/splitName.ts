/** Splits a name into lower-case words at punctuation and camelCase boundaries. One pass, linear time. */

import { foldText } from "./lookalike.ts"

export interface SplitName {
  /** Each consists of `a-z0-9`. `*` becomes the word `all`. Letters that cannot be written in ASCII become one opaque word. */
  readonly words: ReadonlyArray<string>
  /**
   * For each word, the index of its part of the name. Every separator except `_`, `-`, whitespace and camelCase boundaries starts a new
   * part.
   */
  readonly parts: ReadonlyArray<number>
}

/** Separate words within one part of a name. */
const joiners: ReadonlySet<string> = new Set(["_", "-", " ", "\t", "\n", "\r"])
const opaqueLetters = /[[\p{L}\p{N}]--\p{ASCII}]+/vy

/** The end of the run of `opaqueLetters` that starts at `at`. */
const matchedRunEnd = (text: string, at: number): number => {
  opaqueLetters.lastIndex = at
  return opaqueLetters.test(text) ? opaqueLetters.lastIndex : at
}

/** Marks UTF-16 units seen before: whether the unit is an opaque letter. */
const opaque = 1
const other = 2
const unitKinds = new Uint8Array(0x1_0000)

const kindOf = (unit: number): number => {
  const known = unitKinds[unit] ?? other
  return known === 0
    ? (unitKinds[unit] = matchedRunEnd(String.fromCharCode(unit), 0) > 0 ? opaque : other)
    : known
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Like `matchedRunEnd`, but looks units up in a table, because a name can have thousands of short runs. */
const opaqueRunEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && kindOf(text.charCodeAt(end)) === opaque) end++
  return isSurrogate(text.charCodeAt(end)) ? matchedRunEnd(text, end) : end
}

/**
 * Whether a camelCase word starts at `at`: an upper-case letter after a lower-case letter or a digit (`iamUser`), or the last of several
 * upper-case letters (`MFADevice`). `IDs` is one word.
 */
const startsHump = (text: string, at: number, end: number): boolean => {
  if (!isUpperCase(text.charCodeAt(at))) return false
  const previous = text.charCodeAt(at - 1)
  if (isLowerCase(previous)) return true
  if (at + 1 >= end || !isLowerCase(text.charCodeAt(at + 1))) return false
  const pluralOfAcronym =
    isUpperCase(previous) &&
    text.charAt(at + 1) === "s" &&
    (at + 2 >= end || !isLowerCase(text.charCodeAt(at + 2)))
  return !pluralOfAcronym
}

/** Joins neighbors that are a known word only together: `my sql` in `MySQLTable`. */
const withoutFalseHumps = (
  humps: ReadonlyArray<string>,
  isKnown: (word: string) => boolean
): ReadonlyArray<string> => {
  const words: Array<string> = []
  for (let at = 0; at < humps.length; at++) {
    const hump = humps[at] ?? ""
    const next = humps[at + 1] ?? ""
    const joins = next !== "" && !(isKnown(hump) && isKnown(next)) && isKnown(hump + next)
    words.push(joins ? hump + next : hump)
    if (joins) at++
  }
  return words
}

/** The two characters that expand to a phrase of up to 18 letters. Every other character folds to at most seven. */
const sentences = /[\ufdfa\ufdfb]/g
/** The first letter of the longer phrase. */
const sentenceLetter = "\u0635"

/** `isKnown`: whether a lower-case word is in the vocabulary; a known word is not split (`GitHub`, `DynamoDB`, and even `dElete`). */
export const splitName = (raw: string, isKnown: (word: string) => boolean): SplitName => {
  // Names full of such characters would take milliseconds to fold, and real names do not contain them.
  const text = foldText(raw.replace(sentences, sentenceLetter))
  const words: Array<string> = []
  const parts: Array<number> = []
  let part = 0
  const push = (word: string): void => {
    words.push(word)
    parts.push(part)
  }

  /** `[start, end)` contains only ASCII letters and digits. */
  const pushRun = (start: number, end: number): void => {
    const run = text.slice(start, end)
    const lower = run.toLowerCase()
    if (lower === run || isKnown(lower)) return push(lower)
    const humps: Array<string> = []
    let from = start
    for (let at = start + 1; at < end; at++) {
      if (!startsHump(text, at, end)) continue
      humps.push(text.slice(from, at).toLowerCase())
      from = at
    }
    humps.push(text.slice(from, end).toLowerCase())
    for (const word of withoutFalseHumps(humps, isKnown)) push(word)
  }

  let at = 0
  while (at < text.length) {
    const start = at
    while (at < text.length && isWordUnit(text.charCodeAt(at))) at++
    if (at > start) {
      pushRun(start, at)
      continue
    }
    at = opaqueRunEnd(text, at)
    if (at > start) {
      push(opaqueWord(text.slice(start, at)))
      continue
    }
    if (text.charAt(at) === "*") push("all")
    else if (!joiners.has(text.charAt(at))) part++
    at++
  }
  return { words, parts }
}

const isLowerCase = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a
const isUpperCase = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
export const isLetter = (unit: number): boolean => isLowerCase(unit) || isUpperCase(unit)
/** Whether a UTF-16 unit is an ASCII letter or digit. */
export const isWordUnit = (unit: number): boolean => isLowerCase(unit) || isUpperCase(unit) || isDigit(unit)

/** A lookup table, because a text can have thousands of opaque words. */
const hexBytes = Array.from({ length: 0x100 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const hexByte = (bits: number): string => hexBytes[bits & 0xff] ?? ""

const offsetBasis = 0x811c9dc5
const prime = 0x01000193

/**
 * An ASCII word for letters that cannot be written in ASCII, so that `删除` and `获取` remain different: `x` and the 32-bit FNV-1a hash, in
 * hex, of the UTF-16 units.
 */
const opaqueWord = (letters: string): string => {
  let hash = offsetBasis
  for (let at = 0; at < letters.length; at++) hash = Math.imul(hash ^ letters.charCodeAt(at), prime)
  return `x${hexByte(hash >>> 24)}${hexByte(hash >>> 16)}${hexByte(hash >>> 8)}${hexByte(hash)}`
}

/** The name of a parameter in lower case and without punctuation, so that `filePath` and `file_path` are equal. */
export const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

interface Parameter {
  readonly key: string
  readonly value: string
  readonly index: number
}

const isKeySign = (unit: number): boolean =>
  isWordUnit(unit) || unit === dash || unit === dot || unit === underscore
const [dash, dot, underscore] = [0x2d, 0x2e, 0x5f]
const keyUnitsMax = 41
const valueBehind = /[=:]\s?["']?([A-Za-z][\w.:-]{1,60})/y
const equalsOrColon = /[=:]/g

/** Where the key that ends at `end` starts, or `end` if there is none. A key begins with a letter. */
const startOfKey = (text: string, from: number, end: number): number => {
  let start = end
  const least = Math.max(from, end - keyUnitsMax)
  for (let at = end - 1; at >= least && isKeySign(text.charCodeAt(at)); at--)
    if (isLetter(text.charCodeAt(at))) start = at
  return start
}

/**
 * Keys of up to 41 characters with values of up to 61. Jumps from one `=` or `:` to the next and looks back for the key, because a single
 * pattern would take quadratic time on a long word.
 */
export function* parametersOf(text: string): Generator<Parameter> {
  let from = 0
  for (const { index: sign } of text.matchAll(equalsOrColon)) {
    if (sign < from) continue
    let end = sign
    if (end > from && /\s/.test(text.charAt(end - 1))) end--
    if (end > from && /["']/.test(text.charAt(end - 1))) end--
    const index = startOfKey(text, from, end)
    if (index === end) continue
    valueBehind.lastIndex = sign
    const value = valueBehind.exec(text)?.[1]
    if (value === undefined) continue
    from = valueBehind.lastIndex
    yield { key: text.slice(index, end), value, index }
  }
}
