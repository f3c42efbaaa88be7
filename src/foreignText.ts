/** Foreign texts as people read them: no character can hide, and none ends the quotation that contains the text. */

/** Control, format, unassigned and ignorable characters, and Unicode's two line separators. Line breaks stay, because layouts use them. */
export const invisible = /[^\P{C}\n]|[\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

export const spelled = (characters: string): string =>
  Array.from(
    { length: characters.length },
    (_, at) => String.raw`\u${characters.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/**
 * Runs outside printable ASCII. Printable ASCII is visible and makes up most of a text, and testing for it takes a small part of the time
 * of \P{C}.
 */
const beyondAscii = /[^\n\x20-\x7e]+/g

/**
 * Writes every invisible character as a `\u` escape, so that none can hide a word or reverse its direction. In JSON the escape means the
 * same text.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(beyondAscii, (run) => run.replace(invisible, spelled))

/** The same for a text in which line breaks are not layout. */
export const onOneLine = (text: string): string => escapeInvisible(text).replaceAll("\n", spelled)

/** Whether people see all of the text, on one line. */
export const isPlainLine = (text: string): boolean => onOneLine(text) === text

/** Our quotation marks, marks that look like them, and a combining mark that would be drawn over our opening one. */
const disturbing =
  /^\p{M}+|[\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u2760\u301d-\u301f\uff02\u{1f676}-\u{1f678}]/gu

/** A text in quotation marks that it cannot end, on one line, cut to `charactersMax`. */
export const quoted = (text: string, charactersMax: number): string => {
  const line = onOneLine(text.trim().replaceAll(/\p{Zs}+/gu, " ")).replace(disturbing, spelled)
  if (line.length <= charactersMax) return `“${line}”`
  const points = [...line]
  return `“${points.length > charactersMax ? `${points.slice(0, charactersMax - 1).join("")}…` : line}”`
}

/** A single word without spaces cannot form a sentence and needs no quotation marks. */
const plainName = /^[\w.:/@*+-]+$/

/** A name within one of our sentences. */
export const shownName = (name: string, charactersMax: number): string =>
  name.length <= charactersMax && plainName.test(name) ? name : quoted(name, charactersMax)

/** A part of a file as code, between backticks that it cannot end. */
export const asCode = (text: string): string => `\`${onOneLine(text).replaceAll("`", spelled)}\``
