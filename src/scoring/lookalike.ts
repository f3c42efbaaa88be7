/** Texts that look alike: lookalike destinations, and the folding of look-alike and invisible characters. */

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
export const isLookalike = (key: string, establishedKey: string): boolean => {
  if (key === establishedKey) return false
  return isOneEdit([...key], [...establishedKey]) || skeleton(key) === skeleton(establishedKey)
}

/** Whether a key imitates one of many, which are read once; which takes a millisecond or two for twenty thousand. */
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

/** Brings every spelling of the same letters to one: full width, accents, invisible marks, look-alikes of other scripts. */
const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

const mark = /^\p{M}$/u
const letter = /^\p{L}$/u

const isDrawn = (character: string): boolean =>
  !isIgnorable(character.codePointAt(0) ?? 0) && !mark.test(character)

/** The ASCII letter that a character is drawn like, in its case. */
const asciiLookalike = (character: string): string | undefined => {
  const lower = character.toLowerCase()
  const plain = confusables.get(lower)
  return lower === character ? plain : plain?.toUpperCase()
}

/**
 * Case is kept: it tells words apart in camelCase. Letters of other scripts become ASCII only where all that stand together
 * can: in `d\u0435lete` one letter poses as Latin, but a Russian word is a Russian word.
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
  // Compatibility decomposition is NFKC with its accents set apart, so that they can be dropped.
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

/** Letters of other scripts that are drawn like ASCII ones (after Unicode TS 39), lower case only. */
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

/** Code points that are drawn as nothing, or only steer how their neighbours are drawn. */
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

/** The ASCII letter that a character is drawn like. */
const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableLetters).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const)
  )
)

/**
 * What of a name anybody can see: invisible characters make no two names, and a name of nothing else is none.
 * Nothing in it is invisible, and it is its own normal form.
 */
const ascii = /^[\0-\x7F]*$/

export const visibleText = (text: string): string =>
  ascii.test(text)
    ? text.trim()
    : [...text.normalize("NFKC")]
        .filter((character) => !isIgnorable(character.codePointAt(0) ?? 0))
        .join("")
        .trim()
