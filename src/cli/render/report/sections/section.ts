/** The frame of a section: a heading that links can reach, a first sentence, and what it shows. */

import type { Answer } from "../answers.ts"
import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"

export const section = (
  id: Answer["section"] | "changelog",
  heading: string,
  lead: string,
  content: ReadonlyArray<Markup | null>
): Markup =>
  markup`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
<p>${prose(lead)}</p>
${content}
</section>
`
