/** A sentence in which backticks mark code, as findings and changelogs write it. */

import { type Markup, markup } from "./markup.ts"

export const prose = (text: string): Markup => {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`
}
