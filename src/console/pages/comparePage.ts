/** A comparison of two releases: what became looser, moved, stricter or was only reworded, looser first, each with a demonstrating request. */

import type { Json, JsonObject } from "../../json/json.ts"
import { type Markup, markup, prose } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { type OwnHistoryView, ownHistoryPart } from "../parts/ownHistory.ts"
import { attribute, said, shownValue, spaced } from "../parts/said.ts"

const changeKinds = ["looser", "moved", "stricter", "text"] as const
type ChangeKind = (typeof changeKinds)[number]

interface ScoredBy {
  readonly score: number
  readonly control: string
}

/** A request that both releases answer, and how the answer moves. */
interface Witness {
  readonly request: JsonObject
  readonly history?: {
    readonly now: string
    readonly earlier: ReadonlyArray<{
      readonly at: string
      readonly request: JsonObject
      readonly repeat?: { readonly times: number; readonly every: string }
    }>
  }
  readonly from: ScoredBy
  readonly to: ScoredBy
  readonly points: number
  /** How many steps the control moves. */
  readonly steps: number
}

interface Change {
  readonly code: string
  readonly kind: ChangeKind
  /** In one sentence. */
  readonly summary: string
  /** Each changed value on one line, before and after. */
  readonly details: ReadonlyArray<string>
  /** The requests that demonstrate the change. If it moves in both directions, the fall comes first. */
  readonly witnesses: ReadonlyArray<Witness>
}

export type ComparisonView =
  | { readonly state: "running"; readonly startedAtMs: number }
  /** Deepest fall first. */
  | { readonly state: "done"; readonly changes: ReadonlyArray<Change> }
  | { readonly state: "failed"; readonly reason: string }

export interface CompareView {
  readonly visitor: Visitor
  readonly nowMs: number
  /** Newest first. */
  readonly versions: ReadonlyArray<string>
  readonly from: string
  readonly to: string
  /** Null while the organization waits for its turn. */
  readonly comparison: ComparisonView | null
  /** Null if the key may not read assessments, or before the comparison is done. */
  readonly own: OwnHistoryView | null
}

const kindWords: Readonly<Record<ChangeKind, readonly [title: string, says: string]>> = {
  looser: ["Looser", "only lowers what rules find"],
  moved: ["Moved", "raises some and lowers some"],
  stricter: ["Stricter", "only raises what rules find"],
  text: ["Words only", "they change no score and no control"]
}

const choice = (name: "from" | "to", label: string, { versions, ...chosen }: CompareView): Markup =>
  markup`<label for="${name}">${label}</label><select id="${name}" name="${name}">${versions.map((version) => markup`<option${attribute(chosen[name] === version, "selected")}>${version}</option>`)}</select>`

const form = (view: CompareView): Markup =>
  markup`<form class="pair" method="get">${choice("from", "From", view)}<span class="arrow soft" aria-hidden="true">→</span>${choice("to", "To", view)}<button class="button">Compare</button></form>`

const valueOf = (value: Json): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? shownValue(value)
    : JSON.stringify(value)

const requestOf = (request: JsonObject): Markup => {
  const { action_type, environment, ...rest } = request
  return markup`<b>${said(String(action_type))}</b> <span class="soft">in ${String(environment)}</span>${Object.entries(rest).map(([name, value]) => markup`<span class="field"><span class="soft">${spaced(name)}</span> ${said(valueOf(value))}</span>`)}`
}

const minute = (instant: string): string => instant.slice(0, 16).replace("T", " ")

const pastOf = ({ history }: Witness): Markup | null =>
  history === undefined
    ? null
    : markup`<div class="small soft">after ${history.earlier.map(({ at, repeat, request }, i) => markup`${i === 0 ? "" : "; "}${said(String(request["action_type"]))} ${repeat === undefined ? `on ${minute(at)}` : `${repeat.times} times, every ${repeat.every} from ${minute(at)} on`}`)}; asked on ${minute(history.now)}</div>`

const controlMove = ({ from, to }: Witness, direction: string): Markup | null =>
  from.control === to.control
    ? null
    : markup`<div class="small"><span class="visually-hidden">control from </span><code>${from.control}</code> <span aria-hidden="true">→</span><span class="visually-hidden">to</span> <code class="delta ${direction}">${to.control}</code></div>`

const directionOf = (by: number): string => (by < 0 ? "fall" : by > 0 ? "rise" : "")

/** A request that demonstrates one change, with the scores before and after, and the controls if they differ. */
const witness = (shown: Witness): Markup => {
  const { from, points, request, steps, to } = shown
  return markup`<div class="witness"><span class="scores delta ${directionOf(points)}"><span class="visually-hidden">from </span>${from.score} <span aria-hidden="true">→</span><span class="visually-hidden">to</span> ${to.score}</span><div><div class="fields-said">${requestOf(request)}</div>${pastOf(shown)}${controlMove(shown, directionOf(steps))}${points === 0 && steps === 0 ? markup`<div class="small soft">The score and the control stay the same, the rest of the answer changes.</div>` : null}</div></div>`
}

const changeItem = ({ code, details, kind, summary, witnesses }: Change): Markup => {
  const shown = witnesses.map(witness)
  const missing =
    shown.length === 0 && kind !== "text"
      ? markup`<p class="small soft">No request was found that shows it.</p>`
      : null
  const more =
    details.length === 0
      ? null
      : markup`<details><summary class="small">${details.length === 1 ? "the change" : `${details.length} changes`}, before and after</summary><ul class="small details">${details.map((line) => markup`<li>${prose(line)}</li>`)}</ul></details>`
  return markup`<li id="${code}" class="change"><h3><code>${code}</code></h3><p>${prose(summary)}</p>${shown}${missing}${more}</li>`
}

const section = (kind: ChangeKind, changes: ReadonlyArray<Change>): Markup | null => {
  if (changes.length === 0) return null
  const [title, says] = kindWords[kind]
  return markup`<section class="card kind ${kind}" aria-labelledby="kind-${kind}"><h2 id="kind-${kind}">${title} <span class="soft">${changes.length}, ${says}</span></h2><ol>${changes.map(changeItem)}</ol></section>`
}

const counts = (changes: ReadonlyArray<Change>): Markup =>
  markup`<ul class="change-counts">${changeKinds.map((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    const words = markup`<b>${count}</b> ${kindWords[kind][0].toLowerCase()}`
    return markup`<li>${count === 0 ? markup`<span>${words}</span>` : markup`<a href="#kind-${kind}" class="${kind}">${words}</a>`}</li>`
  })}</ul>`

const found = (changes: ReadonlyArray<Change>): Markup =>
  changes.length === 0
    ? markup`<div class="list empty"><p>Nothing changed between them.</p></div>`
    : markup`${counts(changes)}<div class="stack">${changeKinds.map((kind) =>
        section(
          kind,
          changes.filter((change) => change.kind === kind)
        )
      )}</div>`

const waiting = (says: string): Markup =>
  markup`<section class="card waiting" role="status"><p><b>${says}</b></p><p class="soft">A separate thread opens both releases, compares their rules, and searches for a request that shows each change. This page loads itself again.</p><progress aria-label="Comparing"></progress></section>`

const resultOf = ({ comparison, from, nowMs, to }: CompareView): Markup => {
  if (from === to) return markup`<div class="list empty"><p>Choose two different releases.</p></div>`
  if (comparison === null)
    return waiting("Your organization has several comparisons in the queue; this one follows them.")
  switch (comparison.state) {
    case "running": {
      const seconds = Math.max(0, Math.round((nowMs - comparison.startedAtMs) / 1_000))
      return waiting(`Comparing ${from} with ${to}, for ${seconds} s so far.`)
    }
    case "failed":
      return markup`<p class="problem" role="alert">They could not be compared: ${comparison.reason}.</p><p><a class="button" href="?from=${from}&to=${to}">Try again</a></p>`
    case "done":
      return found(comparison.changes)
  }
}

export const comparePage = (view: CompareView): Markup =>
  framed({
    title: `${view.from} → ${view.to}`,
    visitor: view.visitor,
    at: "rules",
    body: markup`<div class="crumbs"><a href="/${view.visitor.mode}/rules">← Rules</a></div>
<h1>Compare releases</h1>
<div class="tools">${form(view)}</div>
${view.own === null ? null : ownHistoryPart(view.own)}
${resultOf(view)}
<p class="foot">Kinds hold for every possible request; a witness is one request of many. With everything that is stored: <code>action-risk rules backtest ${view.from} ${view.to} --history database --org ${view.visitor.organization} --mode ${view.visitor.mode}</code></p>`
  })
