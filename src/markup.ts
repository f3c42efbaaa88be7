/** HTML templates that escape every value, and the spelling of characters that cannot be seen. */

/** Control, format and unassigned characters, and the two line separators of Unicode. Line breaks stay, because layouts use them. */
export const invisible = /[^\P{C}\n]|[\u2028\u2029]/gu

export const spelled = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** What lies between is visible. Most of a text does, and is found in a small part of the time that \P{C} takes for it. */
const beyondAscii = /[^\n\x20-\x7e]+/g

/** Writes every invisible character as a `\u` escape, so that no character hides a word or reverses its direction. JSON reads the escape as the same text. */
export const escapeInvisible = (text: string): string =>
  text.replace(beyondAscii, (run) => run.replace(invisible, spelled))

export interface Markup {
  readonly html: string
}

type Value = string | number | Markup | null | ReadonlyArray<Markup | null>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapeHtml = (text: string): string =>
  escapeInvisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** For markup that this program generates without a template: the charts and the styles. */
export const trustedMarkup = (html: string): Markup => ({ html })

const shown = (value: Value): string => {
  if (value === null) return ""
  if (typeof value === "string") return escapeHtml(value)
  if (typeof value === "number") return String(value)
  return "html" in value ? value.html : value.map(shown).join("")
}

export const markup = (literals: TemplateStringsArray, ...values: ReadonlyArray<Value>): Markup => ({
  html: literals.reduce((html, literal, index) => html + shown(values[index - 1] ?? null) + literal)
})

/** A sentence in which backticks mark code, as findings and changelogs write it. */
export const prose = (text: string): Markup => {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`
}
