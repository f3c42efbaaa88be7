/** HTML templates that escape every value. */

import { escapeInvisible } from "./foreignText.ts"

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

/** Marks HTML that this program generates without a template as safe: the charts and the styles. */
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

/** A sentence in which backticks mark code, as written in findings and changelogs. */
export const prose = (text: string): Markup => {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`
}
