/** Texts that look alike: lookalike destinations, and the folding of look-alike and invisible characters. */

/** Digits and pairs of letters that look like another letter in most fonts. */
const readAs = [
  ["rn", "m"],
  ["vv", "w"],
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["|", "l"]
] as const

/** Two texts that look alike have the same skeleton. */
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

/** UTF-16 units: a code point has at most two of them, and one edit swaps at most two code points. */
const pointUnitsMax = 2
const editUnitsMax = 2 * pointUnitsMax

/** A cheap first test for thousands of keys. It is true for every single edit and for some other pairs. */
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

/** Whether two keys differ by one edit or look alike. Symmetric, and false for equal keys. Linear in the length of the keys. */
export const isLookalike = (key: string, establishedKey: string): boolean => {
  if (key === establishedKey) return false
  return isOneEdit([...key], [...establishedKey]) || skeleton(key) === skeleton(establishedKey)
}

/** Tests keys against many established keys. It prepares these once, which takes one or two milliseconds for twenty thousand. */
export const lookalikeOfAny = (establishedKeys: ReadonlyArray<string>): ((key: string) => boolean) => {
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

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

const mark = /^\p{M}$/u
const letter = /^\p{L}$/u

const isDrawn = (character: string): boolean =>
  !isIgnorable(character.codePointAt(0) ?? 0) && !mark.test(character)

/** The ASCII letter that the character looks like, if any: a capital letter for a capital letter. */
const asciiLookalike = (character: string): string | undefined => {
  const lower = character.toLowerCase()
  const plain = confusables.get(lower)
  return lower === character ? plain : plain?.toUpperCase()
}

/**
 * Gives different spellings of the same letters one form: full width, accents, invisible marks, look-alikes of other scripts.
 * Case stays, because camelCase separates words by it. A run of letters of other scripts becomes ASCII only if all of its
 * letters have a look-alike: the `\u0435` of `d\u0435lete` becomes `e`, and a Russian word stays Russian.
 */
export const foldText = (text: string): string => {
  if (isAscii(text)) return text
  let folded = ""
  let foreign = ""
  let posing: string | undefined = ""
  const endForeign = (): void => {
    folded += posing ?? foreign
    foreign = posing = ""
  }
  // NFKD separates the accents from their letters, so that the loop can drop the accents.
  for (const character of text.normalize("NFKD")) {
    if (character < "\u0080") {
      endForeign()
      folded += character
    } else if (isDrawn(character)) {
      const plain = asciiLookalike(character)
      if (plain === undefined && !letter.test(character)) {
        endForeign()
        folded += character
      } else {
        foreign += character
        posing = plain === undefined || posing === undefined ? undefined : posing + plain
      }
    }
  }
  endForeign()
  return folded
}

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

/** Code points that are invisible or only change how their neighbours look. */
const isIgnorable = (codePoint: number): boolean =>
  codePoint === 0xad ||
  codePoint === 0x34f ||
  codePoint === 0x61c ||
  (codePoint >= 0x115f && codePoint <= 0x1160) ||
  (codePoint >= 0x17b4 && codePoint <= 0x17b5) ||
  (codePoint >= 0x180b && codePoint <= 0x180f) ||
  (codePoint >= 0x200b && codePoint <= 0x200f) ||
  (codePoint >= 0x202a && codePoint <= 0x202e) ||
  (codePoint >= 0x2060 && codePoint <= 0x206f) ||
  codePoint === 0x3164 ||
  (codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
  codePoint === 0xfeff ||
  codePoint === 0xffa0 ||
  (codePoint >= 0xe0000 && codePoint <= 0xe0fff)

/** The ASCII letter that a letter of another script looks like. */
const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableLetters).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const)
  )
)

/** Only ASCII characters: none of them is ignorable, and the text is already in NFKC. */
const ascii = /^[\0-\x7F]*$/

/**
 * The part of a name that a reader can see, in NFKC and trimmed. Names that differ only in invisible characters are one name,
 * and a name of invisible characters alone is empty.
 */
export const visibleText = (text: string): string =>
  ascii.test(text)
    ? text.trim()
    : [...text.normalize("NFKC")]
        .filter((character) => !isIgnorable(character.codePointAt(0) ?? 0))
        .join("")
        .trim()
