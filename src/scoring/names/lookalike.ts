/** Recognizes texts that look alike: finds lookalike destinations, and folds lookalike and invisible characters. */

import { preparedUnitsMax } from "../../limits.ts"
import { isOneEdit, makeOneEditIndex } from "./oneEdit.ts"

/** Digits and letter pairs that most fonts render like another letter. */
const readAs: Readonly<Record<string, string>> = { rn: "m", vv: "w", 0: "o", 1: "l", i: "l", "|": "l" }
const misread = /rn|vv|[01i|]/g
const readAsWritten = (written: string): string => readAs[written] ?? written

/** Two texts look alike if they have the same skeleton. */
const skeleton = (key: string): string => foldText(key).toLowerCase().replace(misread, readAsWritten)

const counted = /^(.*[a-z_][-_ :#.]?)(\d+)$/

/**
 * `cust-1` and `cust-2` are numbered by the organization that owns them, so they differ only in a counter. Not for long numbers, which
 * people mistype, nor for hosts and addresses, whose owners choose their numbers.
 */
const isSibling = (key: string, other: string, counterDigitsMax: number): boolean => {
  if (/[.@/]/.test(key)) return false
  const [, name, digits = ""] = counted.exec(key) ?? []
  const [, otherName, otherDigits = ""] = counted.exec(other) ?? []
  return (
    name !== undefined &&
    name === otherName &&
    Math.max(digits.length, otherDigits.length) <= counterDigitsMax &&
    Number(digits) !== Number(otherDigits)
  )
}

/** Whether two keys that look alike need no warning: they are siblings, or differ only in case. */
const isHarmlesslyAlike = (key: string, other: string, counterDigitsMax: number): boolean =>
  key.toLowerCase() === other.toLowerCase() || isSibling(key, other, counterDigitsMax)

/** Whether two keys differ by one edit or look alike. Symmetric, and false for equal keys. Linear in the length of the keys. */
export const isLookalike = (key: string, establishedKey: string, counterDigitsMax: number): boolean =>
  key !== establishedKey &&
  (isOneEdit(key, establishedKey) || skeleton(key) === skeleton(establishedKey)) &&
  !isHarmlesslyAlike(key, establishedKey, counterDigitsMax)

/**
 * Prepares established keys once, to test many keys against them. A generator that yields now and then, because preparing thousands of long
 * keys would block the thread for too long.
 */
export function* prepareLookalikes(
  establishedKeys: ReadonlyArray<string>,
  counterDigitsMax: number
): Generator<void, (key: string) => boolean> {
  const drawn = new Map<string, Array<string>>()
  const warns = (key: string, alike: string) =>
    key !== alike && !isHarmlesslyAlike(key, alike, counterDigitsMax)
  const index = makeOneEditIndex(establishedKeys, warns)
  let units = 0
  for (const key of establishedKeys) {
    index.addNext()
    const drawnAs = skeleton(key)
    const alike = drawn.get(drawnAs)
    if (alike === undefined) drawn.set(drawnAs, [key])
    else alike.push(key)
    units += key.length
    if (units < preparedUnitsMax) continue
    units = 0
    yield
  }
  return (key) => (drawn.get(skeleton(key)) ?? []).some((alike) => warns(key, alike)) || index.has(key)
}

export const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

const mark = /^\p{M}$/u
const letter = /^\p{L}$/u

/** How a character is folded: dropped, kept, or kept because it is a foreign letter that resembles no ASCII letter. */
const omitted = 1
const kept = 2
const foreignLetter = 3

/** The ASCII letter that the character resembles, if any. Preserves upper case. */
const asciiLookalike = (character: string): string | undefined => {
  const lower = character.toLowerCase()
  const plain = confusables.get(lower)
  return lower === character ? plain : plain?.toUpperCase()
}

const foldingOf = (codePoint: number): number => {
  const character = String.fromCodePoint(codePoint)
  if (ignorable.test(character) || mark.test(character)) return omitted
  const plain = asciiLookalike(character)
  if (plain !== undefined) return plain.charCodeAt(0)
  return letter.test(character) ? foreignLetter : kept
}

const codePoints = 0x11_0000
/** For each code point seen so far: one of the three constants above, or the code of the ASCII letter that it resembles. */
let foldings = new Uint8Array(0)

const memoizedFolding = (codePoint: number): number => {
  // Allocated lazily: it takes a megabyte, and only texts that are not ASCII need it.
  if (foldings.length === 0) foldings = new Uint8Array(codePoints)
  const known = foldings[codePoint] ?? 0
  return known === 0 ? (foldings[codePoint] = foldingOf(codePoint)) : known
}

/**
 * Brings different spellings of the same letters to one form: full width, accents, invisible characters, lookalikes from other scripts.
 * Keeps case, because words are split at camelCase later. A run of foreign letters becomes ASCII only if every letter in it has a
 * lookalike: the `\u0435` of `d\u0435lete` becomes `e`, while a Russian word stays Russian.
 */
export const foldText = (text: string): string => {
  if (isAscii(text)) return text
  // NFKD separates accents from letters, so that the loop can drop them.
  const plain = text.normalize("NFKD")
  let folded = ""
  // A run of foreign letters, or of other characters. Copied as a whole, because concatenating single characters is slow.
  let run = ""
  let from = 0
  let isForeign = false
  let posing: string | undefined = ""
  const endRun = (at: number): void => {
    run += plain.slice(from, at)
    folded += isForeign ? (posing ?? run) : run
    run = posing = ""
    from = at
  }
  for (let at = 0, width = 1; at < plain.length; at += width) {
    const codePoint = plain.codePointAt(at) ?? 0
    width = codePoint > lastUnit ? 2 : 1
    const folding = codePoint < 0x80 ? kept : memoizedFolding(codePoint)
    if (folding === omitted) {
      run += plain.slice(from, at)
      from = at + width
      continue
    }
    if ((folding !== kept) !== isForeign) {
      endRun(at)
      isForeign = !isForeign
    }
    if (isForeign)
      posing =
        folding === foreignLetter || posing === undefined ? undefined : posing + String.fromCharCode(folding)
  }
  endRun(plain.length)
  return folded
}

/** The last code point that fits in one UTF-16 unit. */
const lastUnit = 0xffff

/** Foreign letters that resemble ASCII letters (based on Unicode TS 39). Lower case only. */
const confusableLetters: Readonly<Record<string, string>> = {
  a: "аαɑᴀꭺ",
  b: "Ььвʙᏼƅ",
  c: "сϲᴄꮯⲥ",
  d: "ԁɗđᏧ",
  e: "еҽєεɛᴇ℮",
  f: "ƒꬵꞙẝ",
  g: "ɡցƍᶃɢ",
  h: "һհᏂнʜħ",
  i: "іιıɩⅰӏɪᎥ",
  j: "јϳյʝ",
  k: "кκᴋⲕ",
  l: "ⅼłℓʟǀ",
  m: "мᴍⅿ",
  n: "ոռηпɴ",
  o: "оοօσᴏøഠ",
  p: "рρⲣᴘþ",
  q: "ԛգզ",
  r: "гᴦⲅꭇʀ",
  s: "ѕꜱƽᏕʂ",
  t: "тτᴛŧ",
  u: "υսʋᴜцμ",
  v: "ѵνᴠⅴ",
  w: "ѡԝաᴡω",
  x: "хχⅹᕁ",
  y: "уүγყʏ",
  z: "ᴢʐƶ"
}

/** Characters that are invisible or only change how adjacent characters are displayed. */
const ignorable =
  // oxlint-disable-next-line no-misleading-character-class -- ranges of code points, none of them joined
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}]/u
const ignorables = new RegExp(ignorable, "gu")

/** Maps a foreign letter to the ASCII letter that it resembles. */
const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableLetters).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const)
  )
)

/**
 * The visible part of a name, in NFKC and trimmed. Names that differ only in invisible characters are equal, and a name of only invisible
 * characters is empty.
 */
export const visibleText = (text: string): string =>
  // ASCII text has no ignorable characters and is already in NFKC.
  isAscii(text) ? text.trim() : text.normalize("NFKC").replace(ignorables, "").trim()

/** A character that a reader notices. Combining marks count if they are vowels or change a letter of their script; accents do not. */
const noticed = /^(?:[\p{L}\p{N}\u3099\u309a]|(?!\p{Script=Inherited})\p{M})$/u
/** Letters that look like an apostrophe, a colon or a dash. */
const overlooked = /^[\u02b0-\u02ff\u0640\ua788-\ua78c]$/

/**
 * The letters and digits of a text as a reader perceives them, without case, accents, spaces, punctuation and lookalikes. Unlike
 * `foldText`, it folds each character separately, so that characters in between cannot influence how a letter is folded. Idempotent.
 */
export const readerSees = (text: string): string => {
  if (isAscii(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "")
      .replace(misread, readAsWritten)
  let seen = ""
  for (const character of text.normalize("NFKD")) {
    if (!noticed.test(character) || overlooked.test(character) || ignorable.test(character)) continue
    const lower = character.toLowerCase()
    seen += lower === "ς" ? "σ" : (confusables.get(lower) ?? lower)
  }
  // Combining marks may be out of order after the characters between them were removed.
  return seen.replace(misread, readAsWritten).normalize("NFKD")
}
