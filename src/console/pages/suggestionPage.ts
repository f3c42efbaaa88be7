/** Catalogue entries that would have changed an assessment's answer, as text to copy, each with its effect. */

import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import { suggestedDays } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { levelChip, smallScale } from "../parts/level.ts"
import { said, shownValue, spaced } from "../parts/said.ts"

interface ScoreView {
  readonly level: ActionRiskLevel
  readonly score: number
}

/** A catalogue entry, and its effect on past calls. */
interface Suggestion {
  readonly entry: Readonly<Record<string, unknown>>
  readonly calls: number
  readonly changed: number
  /** The score of the median call. */
  readonly from: ScoreView
  readonly to: ScoreView
}

export interface SuggestionView {
  readonly visitor: Visitor
  readonly assessmentId: string
  readonly actionType: string
  readonly policySet: string
  /** The number of recent calls of the tool that were examined. */
  readonly calls: number
  /** Whether the tool had more calls in these days. */
  readonly areMore: boolean
  /** Mildest first. */
  readonly suggestions: ReadonlyArray<Suggestion>
  /** Why nothing can be suggested; null if something can. */
  readonly problem: string | null
}

/** Members that only a person can write are left empty, so that `policies check` asks for them. */
const entryText = (entry: Suggestion["entry"]): string =>
  JSON.stringify({ ...entry, why: "", owner: "", review_by: "" }, null, 2)

const claims: Readonly<Record<string, string>> = {
  read: "It only reads",
  write: "It changes things",
  delete: "It deletes"
}

/** The claim that a person makes by adding the entry. */
const claimOf = ({ entry }: Suggestion): string => {
  const kind = entry["class"]
  if (typeof kind === "string") return claims[kind] ?? `It is a ${kind}`
  const stated = Object.entries(entry).filter(([name]) => !["id", "match"].includes(name))
  const words = stated.map(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? `${spaced(name)} ${shownValue(value)}`
      : spaced(name)
  )
  return `Unless a call says otherwise: ${words.join(", ")}`
}

const card = (suggestion: Suggestion, at: number): Markup => {
  const { calls, changed, from, to } = suggestion
  const range = { low: to.score, high: to.score }
  return markup`<section class="card" aria-labelledby="claim-${at}"><h2 id="claim-${at}">${claimOf(suggestion)} <span class="soft">would change ${changed} of ${calls} ${calls === 1 ? "call" : "calls"}</span></h2><div class="move">${levelChip(from.level, from.score)}<span class="arrow" aria-hidden="true">→</span><span class="visually-hidden">becomes</span>${levelChip(to.level, to.score)}<span class="soft small">for the call in the middle</span></div>${smallScale({ ...to, range }, from.score)}<pre tabindex="0">${entryText(suggestion.entry)}</pre></section>`
}

const none = markup`<div class="list empty"><p>No entry would change what these calls were answered.</p><p class="soft">What they leave out does not lower them, or the catalogue says it already.</p></div>`

const resultOf = ({ actionType, areMore, calls, policySet, problem, suggestions }: SuggestionView) => {
  if (problem !== null) return markup`<p class="problem">${problem}</p>`
  const which = calls === 1 ? "one call" : `${areMore ? "newest " : ""}${calls} calls`
  const looked = `the ${which} of the last ${suggestedDays} days`
  if (suggestions.length === 0)
    return markup`<p class="said below">Guesses about <b>${said(actionType)}</b> were tried on ${looked}, without history.</p>
${none}`
  return markup`<p class="said below">Each of these is a guess about <b>${said(actionType)}</b>, tried on ${looked}, without history. Keep the one that is true.</p>
<div class="guesses">${suggestions.map(card)}</div>
<section class="card how" aria-labelledby="how"><h2 id="how">How it gets in</h2><ol class="because"><li>Write why it is true, who answers for it, and until when it holds.</li><li>Paste it into <code>policies/${policySet}/catalogue.json</code>, and add a case that shows it.</li><li>Run <code>action-risk policies check ${policySet}</code>, and open a pull request: nothing is changed from here.</li></ol></section>`
}

export const suggestionPage = (view: SuggestionView): Markup =>
  framed({
    title: "Suggest for the catalogue",
    visitor: view.visitor,
    at: null,
    body: markup`<div class="crumbs"><a href="/${view.visitor.mode}/assessments/${view.assessmentId}">← Assessment</a></div>
<h1>Suggest for the catalogue</h1>
${resultOf(view)}
<p class="foot">An entry says what a tool does where a call leaves it out. It never lowers what a call states itself.</p>`
  })
