/** Looser or stricter, change by change, each with a request that shows it. */

import type { Change, ChangeKind } from "../../../../rules/diff/Diff.ts"
import { ofKind } from "../answers.ts"
import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"
import type { Report } from "../Report.ts"
import { section } from "./section.ts"
import { witnessOf } from "./witnessOf.ts"

const lead =
  "What the two say differently, by code. Looser changes can only lower what is found, stricter ones only raise it, and moved ones do both; words change no score."

const kinds: ReadonlyArray<readonly [ChangeKind, heading: string, ink: string]> = [
  ["looser", "Looser", "fall"],
  ["moved", "Moved both ways", "look"],
  ["stricter", "Stricter", "rise"],
  ["text", "In words only", "none"]
]

export const changesSection = ({ diff: { changes } }: Report): Markup =>
  section("changes", "Changes", lead, [
    changes.length === 0 ? markup`<p>There are none.</p>` : null,
    ...kinds.map(([kind, heading, ink]) => group(ofKind(changes, kind), kind, heading, ink))
  ])

const group = (
  changes: ReadonlyArray<Change>,
  kind: ChangeKind,
  heading: string,
  ink: string
): Markup | null =>
  changes.length === 0
    ? null
    : markup`<h3>${heading} (${changes.length})</h3>
${kind === "text" ? markup`<ul class="list">${changes.map(item)}</ul>` : changes.map((change) => card(change, kind, ink))}`

const item = ({ code, details, summary }: Change): Markup =>
  markup`<li><code>${code}</code>: ${prose(summary)}${linesOf(summary, details)}</li>
`

const card = ({ code, details, summary, witness }: Change, kind: ChangeKind, ink: string): Markup =>
  markup`<article class="card"><header><h4>${code}</h4><span class="chip ${ink}">${kind}</span></header>
<p>${prose(summary)}</p>
${linesOf(summary, details)}${
    witness === undefined
      ? markup`<p class="soft">No request was found that scores differently because of it.</p>`
      : witnessOf(witness)
  }</article>
`

/** A change of one line is told by its summary. */
const linesOf = (summary: string, details: ReadonlyArray<string>): Markup | null =>
  details.length === 0 || (details.length === 1 && details[0] === summary)
    ? null
    : markup`<details><summary>Line by line (${details.length})</summary><ul>${details.map((detail) => markup`<li>${prose(detail)}</li>`)}</ul></details>
`
