/** What a check or a test found, each with its place and what to write instead. */

import type { LocatedFinding } from "../../../../rules/LocatedFinding.ts"
import { counted } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"

/** A page is read by people; `rules check` and `rules test` list the rest. */
const shownMax = 50

const item = ({ column, file, line, message, rule, severity, suggestion }: LocatedFinding): Markup =>
  markup`<li><span class="chip ${severity === "error" ? "bad" : "look"}">${severity}</span> ${prose(message)}
<div class="soft"><code>${file}:${line}:${column}</code> · ${rule}</div>${
    suggestion === undefined ? null : markup`<div>Instead: <code>${suggestion}</code></div>`
  }</li>
`

export const findingsList = (findings: ReadonlyArray<LocatedFinding>): Markup | null =>
  findings.length === 0
    ? null
    : markup`<ul class="list">
${findings.slice(0, shownMax).map(item)}</ul>
${findings.length > shownMax ? markup`<p class="soft">And ${counted(findings.length - shownMax, "more finding")}.</p>` : null}`
