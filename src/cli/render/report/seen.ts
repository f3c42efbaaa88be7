/** A text with every character that cannot be seen spelled out, so that none can hide a word or turn its direction. */

/** Controls, formats, unassigned characters; a line break is the layout's own. */
const unseen = /[^\P{C}\n]|[\u2028\u2029]/gu

const spelled = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** In JSON the text still means the same. */
export const seen = (text: string): string => text.replace(unseen, spelled)
