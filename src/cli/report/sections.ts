/** Parts that several sections of the page share. */

import type { LocatedFinding } from "../../rules/Finding.ts"
import { type Compared, controlRank } from "../../rules/ScoreAndControl.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import { type Markup, markup, prose } from "../../markup.ts"
import { asCase, counted, pasteableJson, signed } from "../texts.ts"
import { actionTypeOf, type MoveGroup, reasonsOf, type ReportAnswer } from "./Report.ts"

/** A section: a heading with an anchor, an introduction, and the content. */
export const section = (
  id: ReportAnswer["section"] | "changelog",
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

/** Long lists are cut on the page. `rules check` and `rules test` list all findings. */
const findingsShownMax = 50

const findingItem = ({ column, file, line, message, rule, severity, suggestion }: LocatedFinding): Markup =>
  markup`<li><span class="chip ${severity === "error" ? "bad" : "look"}">${severity}</span> ${prose(message)}
<div class="soft"><code>${file}:${line}:${column}</code> · ${rule}</div>${
    suggestion === undefined ? null : markup`<div>Instead: <code>${suggestion}</code></div>`
  }</li>
`

export const findingsList = (findings: ReadonlyArray<LocatedFinding>): Markup | null =>
  findings.length === 0
    ? null
    : markup`<ul class="list">
${findings.slice(0, findingsShownMax).map(findingItem)}</ul>
${findings.length > findingsShownMax ? markup`<p class="soft">And ${counted(findings.length - findingsShownMax, "more finding")}.</p>` : null}`

const moveClass = (from: number, to: number): "rise" | "fall" | "none" =>
  to > from ? "rise" : to < from ? "fall" : "none"

const scaleWidth = 200

/** A score before and after on the scale from 0 to 100. It repeats the figures next to it, so screen readers skip it. */
const scale = (from: number, to: number): Markup => {
  const x = (score: number) => 8 + (score * (scaleWidth - 16)) / 100
  const ink = to === from ? "var(--soft)" : `var(--${moveClass(from, to)})`
  return markup`<svg class="scale" viewBox="0 0 ${scaleWidth} 14" aria-hidden="true"><path d="M8 7H${scaleWidth - 8}" stroke="var(--line)" stroke-width="2" stroke-linecap="round"/><path d="M${x(from)} 7H${x(to)}" stroke="${ink}" stroke-width="4"/><circle cx="${x(from)}" cy="7" r="4" fill="var(--paper)" stroke="${ink}" stroke-width="2"/><circle cx="${x(to)}" cy="7" r="5.5" fill="${ink}"/></svg>`
}

const scoreMoveMarkup = (from: number, to: number): Markup =>
  markup`<div class="scores"><span>scores <b>${from}</b> before, <b class="${moveClass(from, to)}">${to}</b> after (${signed(to - from)})</span>${scale(from, to)}</div>`

/** Null if the control does not change. */
const controlMoveMarkup = ({ from, to }: Compared): Markup | null =>
  from.control === to.control
    ? null
    : markup`<div class="scores"><span>gets <b>${from.control}</b> before, <b class="${moveClass(controlRank(from.control), controlRank(to.control))}">${to.control}</b> after</span></div>`

/** The two scores and controls of a witness, and its request with the history, to paste into a case. */
export const witnessMarkup = (witness: Witness, lead = "For example"): Markup =>
  markup`<p>${lead} <code>${witness.request.action_type}</code> in ${witness.request.environment}:</p>
${scoreMoveMarkup(witness.from.score, witness.to.score)}${controlMoveMarkup(witness)}
${requestDetails(asCase(witness))}`

const requestDetails = (situation: unknown): Markup =>
  markup`<details><summary>The request, ready to paste into a case</summary><pre tabindex="0">${pasteableJson(situation)}</pre></details>`

const moveItem = ({ count, move }: MoveGroup): Markup =>
  markup`<li class="move"><details><summary><code>${actionTypeOf(move)}</code><span>${count > 1 ? markup`<span class="soft">${count} times</span> ` : null}${move.from.score} ${move.from.level} → <b class="${moveClass(move.from.score, move.to.score)}">${move.to.score} ${move.to.level}</b></span>${move.from.control === move.to.control ? null : markup`<span>${move.from.control} → <b class="${moveClass(controlRank(move.from.control), controlRank(move.to.control))}">${move.to.control}</b></span>`}<span class="soft">${reasonsOf(move).join("; ")}</span></summary>
<p class="soft">Record ${move.line}, assessment <code>${move.assessmentId}</code></p>
${requestDetails({ request: move.request })}</details></li>
`

export const moveList = (moves: ReadonlyArray<MoveGroup>): Markup => markup`<ul class="list">
${moves.map(moveItem)}</ul>
`
