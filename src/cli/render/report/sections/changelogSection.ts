/** What the changelog says of the version that is looked at. */

import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"
import type { Report } from "../Report.ts"
import { section } from "./section.ts"

export const changelogSection = ({ changelog, to }: Report): Markup =>
  changelog === null
    ? section("changelog", "Changelog", `It has no entry for ${to.version} yet.`, [])
    : section(
        "changelog",
        "Changelog",
        `The entry for ${changelog.version}. A star marks what can move a score.`,
        [
          markup`<ul class="list">
${changelog.items.map(({ moves, text }) => markup`<li>${moves ? markup`<span class="look">★</span> ` : null}${prose(text)}</li>\n`)}</ul>`
        ]
      )
