/** Texts of foreign origin, as people read them: no character hides, and none ends the quotation that the text is in. */

/**
 * Control, format, unassigned and ignorable characters, and the two line separators of Unicode. Line breaks stay, because layouts
 * use them.
 */
export const invisible = /[^\P{C}\n]|[\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

export const spelled = (characters: string): string =>
  Array.from(
    { length: characters.length },
    (_, at) => String.raw`\u${characters.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** Runs outside printable ASCII. Printable ASCII is visible, is most of a text, and is recognized in a small part of the time that \P{C} takes. */
const beyondAscii = /[^\n\x20-\x7e]+/g

/** Writes every invisible character as a `\u` escape, so that no character hides a word or reverses its direction. JSON reads the escape as the same text. */
export const escapeInvisible = (text: string): string =>
  text.replace(beyondAscii, (run) => run.replace(invisible, spelled))

/** The same for a text in which a line break is not layout. */
export const onOneLine = (text: string): string => escapeInvisible(text).replaceAll("\n", spelled)

/** Whether people see all of the text, on one line. */
export const isPlainLine = (text: string): boolean => onOneLine(text) === text

/** Our quotation marks, the marks that look like them, and a combining mark that would be drawn over the first of ours. */
const disturbing =
  /^\p{M}+|[\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u2760\u301d-\u301f\uff02\u{1f676}-\u{1f678}]/gu

/** A text in quotation marks that it cannot end, on one line, and cut where it is longer than `charactersMax`. */
export const quoted = (text: string, charactersMax: number): string => {
  const line = onOneLine(text.trim().replaceAll(/\p{Zs}+/gu, " ")).replace(disturbing, spelled)
  if (line.length <= charactersMax) return `“${line}”`
  const points = [...line]
  return `“${points.length > charactersMax ? `${points.slice(0, charactersMax - 1).join("")}…` : line}”`
}

/** One word without spaces makes no sentence, and needs no quotation marks. */
const plainName = /^[\w.:/@*+-]+$/

/** A name inside a sentence of ours. */
export const shownName = (name: string, charactersMax: number): string =>
  name.length <= charactersMax && plainName.test(name) ? name : quoted(name, charactersMax)

/** A part of a file as code: between backticks that it cannot end. */
export const asCode = (text: string): string => `\`${onOneLine(text).replaceAll("`", spelled)}\``
