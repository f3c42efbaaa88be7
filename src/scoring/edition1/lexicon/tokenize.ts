/** Splits a name into lower-case words, at punctuation and at the humps of camelCase. One pass, linear time. */

import { foldText } from "../../names/lookalike.ts"
import type { Vocabulary, Word } from "./Vocabulary.ts"

export interface NameWords {
  /** Each of `a-z0-9`. `*` becomes the word `all`. */
  readonly words: ReadonlyArray<string>
  /** For each word, the number of its part of the name. Every separator but `_`, `-`, blanks and humps begins a new part. */
  readonly segments: ReadonlyArray<number>
}

export interface Tokens extends NameWords {
  /** The name has a `*` that is alone, as in `iam:*`, and not part of a path, as in `logs/*`. */
  readonly wildcard: boolean
}

/** Separate words of one part of a name. */
const joiners: ReadonlySet<string> = new Set(["_", "-", " ", "\t", "\n", "\r"])
const asciiEnd = 0x80

/** Whether a `+` marks a reference that is pushed by force: `git push origin +main`. */
const marksForce = (text: string, at: number): boolean =>
  text.charAt(at) === "+" && text.charAt(at - 1) === " " && /^[a-z]$/i.test(text.charAt(at + 1))

const opaqueLetters = /[[\p{L}\p{N}]--\p{ASCII}]+/vy

/** End of the run of letters without an ASCII reading that starts at `at`. */
const opaqueRunEnd = (text: string, at: number): number => {
  if (text.charCodeAt(at) < asciiEnd) return at
  opaqueLetters.lastIndex = at
  return opaqueLetters.test(text) ? opaqueLetters.lastIndex : at
}

/** A hump starts at an upper-case unit after a lower-case one or a digit (`iamUser`, `ec2Instance`), or at the last of several (`MFADevice`); `IDs` is one. */
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

const wildcardNeighbour = /^[\s:,;="'`()[\]{}*]?$/

const standsAlone = (text: string, at: number): boolean =>
  wildcardNeighbour.test(text.charAt(at - 1)) && wildcardNeighbour.test(text.charAt(at + 1))

export const tokenize = (raw: string, vocabulary: Vocabulary): Tokens => {
  const text = foldText(raw)
  const words: Array<string> = []
  const segments: Array<number> = []
  let segment = 0
  let wildcard = false
  const push = (word: string): void => {
    words.push(word)
    segments.push(segment)
  }

  /** `[start, end)` holds ASCII letters and digits only. */
  const pushRun = (start: number, end: number): void => {
    const run = text.slice(start, end)
    const lower = run.toLowerCase()
    // A word that is known as a whole has no humps: `GitHub`, `DynamoDB`, and `dElete` too.
    if (lower === run || vocabulary.words.has(lower)) return push(lower)
    let from = start
    for (let at = start + 1; at < end; at++) {
      if (!startsHump(text, at, end)) continue
      push(text.slice(from, at).toLowerCase())
      from = at
    }
    push(text.slice(from, end).toLowerCase())
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
    if (text.charAt(at) === "*") {
      push("all")
      wildcard ||= standsAlone(text, at)
    } else if (marksForce(text, at)) push("force")
    else if (!joiners.has(text.charAt(at))) segment++
    at++
  }
  return { words, segments, wildcard }
}

const isLowerCase = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a

const isUpperCase = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

const isWordUnit = (unit: number): boolean => isLowerCase(unit) || isUpperCase(unit) || isDigit(unit)

const offsetBasis = 0x811c9dc5
const prime = 0x01000193

/**
 * An ASCII word for letters without an ASCII reading, so that `删除` and `获取` stay two names:
 * `x` and the FNV-1a hash (32 bits, hex) of the UTF-16 units.
 */
export const opaqueWord = (letters: string): string => {
  let hash = offsetBasis
  for (let at = 0; at < letters.length; at++) hash = Math.imul(hash ^ letters.charCodeAt(at), prime)
  return `x${(hash >>> 0).toString(16).padStart(8, "0")}`
}

/** Whether any word of a text is of a kind. Two neighbours that are one word count as that word. */
export const hasWordOfKind = (
  { words }: Pick<NameWords, "words">,
  kind: "admin" | "dataStore",
  vocabulary: Vocabulary
): boolean =>
  words.some((name, at) => {
    const word: Word | undefined = vocabulary.words.get(name)
    if (word === undefined) return false
    const joined = word.joins?.get(words[at + 1] ?? "")
    return word[kind] || (joined !== undefined && vocabulary.words.get(joined)?.[kind] === true)
  })
