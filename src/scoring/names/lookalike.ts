/** Texts that look alike: lookalike destinations, and the folding of look-alike and invisible characters. */

import { preparedUnitsMax } from "../../limits.ts"
import { isOneEdit, makeOneEditIndex } from "./oneEdit.ts"

/** Digits and pairs of letters that look like another letter in most fonts. */
const readAs: Readonly<Record<string, string>> = { rn: "m", vv: "w", 0: "o", 1: "l", i: "l", "|": "l" }
const misread = /rn|vv|[01i|]/g
const readAsWritten = (written: string): string => readAs[written] ?? written

/** Two texts look alike if they have the same skeleton. */
const skeleton = (key: string): string => foldText(key).toLowerCase().replace(misread, readAsWritten)

const counted = /^(.*[a-z_][-_ :#.]?)(\d+)$/

/**
 * `cust-1` and `cust-2` are numbered by the organization that keeps them: they differ only in their counter. People mistype longer
 * numbers, and the owners of hosts and addresses choose their own numbers.
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

/** Whether two keys that look alike need no warning: siblings, or one spelling in two cases. */
const isHarmlesslyAlike = (key: string, other: string, counterDigitsMax: number): boolean =>
  key.toLowerCase() === other.toLowerCase() || isSibling(key, other, counterDigitsMax)

/** Whether two keys differ by one edit or look alike. Symmetric, and false for equal keys. Linear in the length of the keys. */
export const isLookalike = (key: string, establishedKey: string, counterDigitsMax: number): boolean =>
  key !== establishedKey &&
  (isOneEdit(key, establishedKey) || skeleton(key) === skeleton(establishedKey)) &&
  !isHarmlesslyAlike(key, establishedKey, counterDigitsMax)

/**
 * Prepares established keys once and tests keys against them. It yields now and then, because preparing thousands of long keys blocks
 * the thread for too long.
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

/** How a character is folded: left out, kept, or kept as a letter of another script that nothing in ASCII looks like. */
const omitted = 1
const kept = 2
const foreignLetter = 3

/** The ASCII letter that the character looks like, if any: a capital letter for a capital letter. */
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
/** For each code point that occurred: one of the three above, or the ASCII letter that it looks like. */
let foldings = new Uint8Array(0)

const memoizedFolding = (codePoint: number): number => {
  // The megabyte is allocated only for the first text that is not ASCII.
  if (foldings.length === 0) foldings = new Uint8Array(codePoints)
  const known = foldings[codePoint] ?? 0
  return known === 0 ? (foldings[codePoint] = foldingOf(codePoint)) : known
}

/**
 * Gives different spellings of the same letters one form: full width, accents, invisible marks, look-alikes of other scripts.
 * Case stays, because camelCase separates words by it. A run of letters of other scripts becomes ASCII only if all of its
 * letters have a look-alike: the `\u0435` of `d\u0435lete` becomes `e`, and a Russian word stays Russian.
 */
export const foldText = (text: string): string => {
  if (isAscii(text)) return text
  // NFKD separates the accents from their letters, so that the loop can drop the accents.
  const plain = text.normalize("NFKD")
  let folded = ""
  // A run of letters of other scripts, or of anything else. It is cut out whole, because joining characters takes long.
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

/** The last code point that is one UTF-16 unit. */
const lastUnit = 0xffff

/** Letters of other scripts that look like ASCII letters (after Unicode TS 39), lower case only. */
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

/** Characters that are invisible or only change how their neighbours look. */
const ignorable =
  // oxlint-disable-next-line no-misleading-character-class -- ranges of code points, none of them joined
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}]/u
const ignorables = new RegExp(ignorable, "gu")

/** The ASCII letter that a letter of another script looks like. */
const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableLetters).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const)
  )
)

/**
 * The part of a name that a reader can see, in NFKC and trimmed. Names that differ only in invisible characters are one name, and a
 * name of only invisible characters is empty.
 */
export const visibleText = (text: string): string =>
  // No ASCII character is ignorable, and a text of them is already in NFKC.
  isAscii(text) ? text.trim() : text.normalize("NFKC").replace(ignorables, "").trim()

/** A sign that a reader notices. Marks count if they are vowels or change a letter of their script; accents do not. */
const noticed = /^(?:[\p{L}\p{N}\u3099\u309a]|(?!\p{Script=Inherited})\p{M})$/u
/** Letters that look like an apostrophe, a colon or a longer line. */
const overlooked = /^[\u02b0-\u02ff\u0640\ua788-\ua78c]$/

/**
 * The letters and digits of a text, without what a reader overlooks: case, accents, spaces, punctuation, look-alikes. Unlike
 * `foldText`, it folds each sign by itself: signs between letters must not decide how the letters are folded. Idempotent.
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
  // Marks may be out of order once the signs between them are gone.
  return seen.replace(misread, readAsWritten).normalize("NFKD")
}
