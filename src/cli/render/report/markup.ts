/** HTML that nothing can be injected into: a template whose values are escaped, unless they are markup themselves. */

import { seen } from "./seen.ts"

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
  seen(text).replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** For markup that this program has made itself and not from a template: the charts. */
export const ours = (html: string): Markup => ({ html })

const shown = (value: Value): string => {
  if (value === null) return ""
  if (typeof value === "string") return escapeHtml(value)
  if (typeof value === "number") return String(value)
  return "html" in value ? value.html : value.map(shown).join("")
}

export const markup = (literals: TemplateStringsArray, ...values: ReadonlyArray<Value>): Markup => ({
  html: literals.reduce((html, literal, index) => html + shown(values[index - 1] ?? null) + literal)
})
