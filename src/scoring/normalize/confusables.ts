/** Letters of other scripts that are drawn like ASCII ones (after Unicode TS 39), lower case only. */

const lookAlikes: Readonly<Record<string, string>> = {
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
export const isIgnorable = (codePoint: number): boolean =>
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
export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const)
  )
)
