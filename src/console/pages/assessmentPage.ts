/** The page of one assessment: the request, the answer, the reasons, what was not stated, what-if, and the proof. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { ReviewResponse } from "../../api/Reviews.ts"
import type { Lowering } from "../../evidence/recorded/lowering.ts"
import type { Replayed } from "../../evidence/recorded/reconsider.ts"
import type { JsonObject } from "../../json/json.ts"
import { type Markup, markup } from "../../markup.ts"
import { readEngineVersion, readPolicyVersion } from "../../domain/versionNames.ts"
import { statedActCard, statedAct } from "../parts/statedAct.ts"
import {
  type ExplanationView,
  factorsCard,
  nearMissesCard,
  type RulePaths,
  type ToldPart,
  typologiesCard
} from "../parts/factors.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { type FirstScores, levelChip, levelDot, scoreBar, scoreScale, smallScale } from "../parts/level.ts"
import { evidenceCard, type EvidenceRecord, type RefusedClosing, reviewCard } from "../parts/records.ts"
import { ago, controlName, countedTo, said, shownValue, spaced } from "../parts/said.ts"
import { type Considered, loweringCard, whatIfCard } from "../parts/whatIf.ts"
import { closedBanner } from "./listPages.ts"

/** The position of a review among the open ones, and the ids of its neighbors. `open`: the number of open reviews. */
interface PlaceInQueue {
  readonly before: number
  readonly open: number
  readonly previous: string | null
  readonly next: string | null
}

export interface AssessmentView {
  readonly visitor: Visitor
  readonly nowMs: number
  readonly record: EvidenceRecord
  readonly answer: AssessmentResponse
  readonly input: JsonObject
  /** Null if the key may not get explanations, or if the rules are not installed. */
  readonly explanation: ExplanationView | null
  /** Null whenever `explanation` is. */
  readonly lowerings: ReadonlyArray<Lowering> | null
  /** Why the recorded rules cannot answer again; null if they can. */
  readonly problem: string | null
  /** Whether the recorded rules are still being opened, so that they were not asked. */
  readonly isBusy: boolean
  readonly considered: Considered | null
  /** "busy": the recorded rules are still being opened. */
  readonly replayed: Replayed | "busy" | null
  /** Null if the assessment has no review or the key may not see it. */
  readonly review: ReviewResponse | null
  /** False if the key does not cover the environment of the review. */
  readonly mayClose: boolean
  readonly refused: RefusedClosing | null
  /** Among the open reviews; null whenever `review` is. */
  readonly place: PlaceInQueue | null
  readonly closed: string | null
}

/** The list to return to. An assessment without a review is in no list of reviews. */
const listOf = ({ review }: AssessmentView): "reviews" | "assessments" =>
  review === null ? "assessments" : "reviews"

const arrow = (path: string, to: string | null, rel: "prev" | "next", name: string, key: string): Markup => {
  const sign = rel === "prev" ? "↑" : "↓"
  return to === null
    ? markup`<span class="off" aria-hidden="true">${sign}</span>`
    : markup`<a rel="${rel}" href="${path}/${to}" aria-label="${name}" title="${name} (${key})"><span aria-hidden="true">${sign}</span></a>`
}

/** The position of this review among the open ones, with links to its neighbors. */
const steps = ({ place, review, visitor }: AssessmentView): Markup | null => {
  if (place === null || place.open === 0) return null
  const { before, next, open, previous } = place
  const path = `/${visitor.mode}/assessments`
  const told =
    review?.state === "open"
      ? `${countedTo(before + 1)} of ${countedTo(open)} open`
      : `${countedTo(open)} open`
  return markup`<nav class="step" aria-label="Open reviews"><span class="soft small">${told}</span>${arrow(path, previous, "prev", "Previous open review", "k")}${arrow(path, next, "next", "Next open review", "j")}</nav>`
}

const heading = (view: AssessmentView): Markup => {
  const { answer, input, nowMs, visitor } = view
  const list = listOf(view)
  return markup`<div class="crumbs"><a href="/${visitor.mode}/${list}">← ${list === "reviews" ? "Reviews" : "Assessments"}</a>${steps(view)}</div>
<h1>${said(String(input["action_type"]))}</h1>
<div class="facts"><span>${levelChip(answer.action_risk.level, answer.action_risk.score)}</span><span>read as <b>${answer.normalized_action_type}</b></span><span>${ago(answer.created_at, nowMs)} ago</span></div>
${statedActCard(statedAct(input), String(input["environment"]), answer)}`
}

const incomplete = ({ assessment_status }: AssessmentResponse): Markup | null =>
  assessment_status === "complete"
    ? null
    : markup`<p class="problem">This opinion is incomplete: a part of the evaluation failed and was taken at its worst.</p>`

const reasons = ({ recommendations, recommended_control: { because, type } }: AssessmentResponse): Markup =>
  markup`<div class="control"><h3>Recommended: ${controlName(type)}</h3><ul class="because">${because.map((reason) => markup`<li>${said(reason)}</li>`)}</ul>${recommendations.length === 0 ? null : markup`<ul class="tags">${recommendations.map((code) => markup`<li class="tag">${spaced(code).toLowerCase()}</li>`)}</ul>`}</div>`

const opinionCard = ({ answer }: AssessmentView, first: FirstScores): Markup => {
  const { action_risk: risk, blast_radius: blast } = answer
  return markup`<section class="card" aria-labelledby="opinion"><h2 id="opinion" class="visually-hidden">Opinion</h2>
<p class="said">${said(answer.summary)}</p>${incomplete(answer)}
<div class="score"><div class="big"><b class="t-${risk.level}">${risk.score}</b>${levelChip(risk.level)}</div>${scoreScale(risk, first)}</div>
<dl class="pairs"><div><dt>Range</dt><dd>${risk.range.low}–${risk.range.high}</dd></div><div><dt>Confidence</dt><dd>${risk.confidence.toFixed(2)}</dd></div><div><dt>Blast radius</dt><dd>${blast.score} ${blast.level}</dd></div></dl>
${reasons(answer)}</section>`
}

const impactWords: Readonly<Record<string, string>> = {
  low: "needs no attention",
  moderate: "needs a quick confirmation",
  high: "needs review by a person",
  critical: "needs a second approver"
}

const readingOf = ({ reading }: AssessmentResponse): Markup => {
  const told = Object.entries({
    "read by": reading.entry === undefined ? reading.by : `${reading.by}, entry ${reading.entry}`,
    provider: reading.provider,
    verb: reading.verb,
    object: reading.object,
    "kind of act": reading.class,
    "in production": `${reading.impact}: by itself it ${impactWords[reading.impact]}`
  })
  return markup`<dl class="table">${told.map(([name, value]) => (value === undefined ? null : markup`<div><dt>${name}</dt><dd>${said(spaced(value))}</dd></div>`))}</dl>`
}

const assumptionItem = ({
  argument,
  assumed,
  entry,
  field
}: AssessmentResponse["assumptions"][number]): Markup =>
  markup`<div><dt>${spaced(field)}</dt><dd>${said(shownValue(assumed))} <span class="soft">${argument !== undefined ? markup`read from arguments, ${said(argument)}` : entry === undefined ? "assumed by the model" : markup`by the catalogue's entry ${said(entry)}`}</span></dd></div>`

/** Shown if a catalogue entry could lower the score, and only for a key that may get explanations. */
const suggestLink = ({ answer, explanation, visitor }: AssessmentView): Markup | null => {
  const score = answer.action_risk.score
  const couldFall = answer.missing_information.some(({ could_lower_to }) => could_lower_to < score)
  if (explanation === null) return null
  return answer.reading.class === "unknown" || couldFall
    ? markup` <a class="small" href="/${visitor.mode}/assessments/${answer.assessment_id}/suggestion">Suggest for the catalogue</a>`
    : null
}

const toldItem = ({ counts, effect, impact, line, said: words, where }: ToldPart): Markup =>
  markup`<li${counts ? null : markup` class="soft"`}>${impact === null || !counts ? markup`<span class="dot"></span>` : levelDot(impact)}<div>${words === "" ? null : markup`<code>${said(words)}</code> `}<span class="small">${counts ? effect : `replaced: ${effect}`}</span><div class="soft small">${said(where)}, matches <bdi>${line}</bdi></div></div></li>`

/** The parts of the request that decided the reading, each with its lexicon entry. */
const toldParts = ({ explanation }: AssessmentView): Markup | null =>
  explanation === null || explanation.told.length === 0
    ? null
    : markup`<h3>Evidence <span class="soft">strongest first</span></h3><ul class="told">${explanation.told.map(toldItem)}</ul>`

const readingCard = (view: AssessmentView): Markup => {
  const { answer } = view
  return markup`<section class="card" aria-labelledby="reading"><h2 id="reading">How it was read${suggestLink(view)}</h2>${readingOf(answer)}${toldParts(view)}${answer.assumptions.length === 0 ? null : markup`<h3>Assumed for fields that were left out</h3><dl class="table">${answer.assumptions.map(assumptionItem)}</dl>`}</section>`
}

type Missing = AssessmentResponse["missing_information"][number]

const nextLevel = ({ higher }: Missing): Markup | null =>
  higher === undefined
    ? null
    : markup`<div class="soft small"><span class="t-${higher.level}">${higher.level}</span>${higher.from === undefined ? null : markup` from ${said(shownValue(higher.from))} on`}</div>`

const missingRow =
  ({ action_risk: { level, score } }: AssessmentResponse) =>
  (missing: Missing): Markup => {
    const [low, high] = [missing.could_lower_to, missing.could_raise_to]
    const effect =
      low === score && high === score
        ? markup`<span class="soft">does not change it</span>`
        : markup`<div class="spread">${smallScale({ score, level, range: { low, high } })}<span>${low}–${high}</span></div>${nextLevel(missing)}`
    return markup`<tr><th scope="row">${spaced(missing.field)}</th><td class="w">${effect}</td></tr>`
  }

const leavesRange =
  ({ action_risk: { range } }: AssessmentResponse) =>
  ({ could_lower_to, could_raise_to }: Missing): boolean =>
    could_lower_to < range.low || could_raise_to > range.high

const missingCard = ({ answer }: AssessmentView): Markup => {
  const { missing_information: missing } = answer
  const table = markup`<table class="missing"><thead><tr><th scope="col">Field</th><th scope="col" class="w">Stating it moves the score to</th></tr></thead><tbody>${missing.map(missingRow(answer))}</tbody></table>`
  return markup`<section class="card" aria-labelledby="missing"><h2 id="missing">What was not stated <span class="soft">most influential first</span></h2>${missing.length === 0 ? markup`<p class="soft">Everything that matters was stated.</p>` : table}${missing.some(leavesRange(answer)) ? markup`<p class="note">The range next to the score is the plausible one; one extreme value can lead further.</p>` : null}</section>`
}

const blastCard = ({ answer: { blast_radius: blast } }: AssessmentView, first: FirstScores): Markup =>
  markup`<section class="card" aria-labelledby="blast"><h2 id="blast">Blast radius <span class="soft">${blast.score} of 100, ${blast.level}</span></h2><ul class="dims">${Object.entries(blast.dimensions).map(([name, value]) => markup`<li><span>${spaced(name).replace(" impact", "")}</span>${scoreBar(value, first)}<b>${value}</b></li>`)}</ul></section>`

const times = (multiplier: number | null): string =>
  multiplier === null
    ? "nothing to compare with"
    : multiplier === 1
      ? "the usual"
      : `${multiplier} times the usual`

const historyCard = ({
  answer: { behavioral_context: context, policy_context: policies }
}: AssessmentView): Markup => {
  const rows = Object.entries({
    compared: context.historical_comparison_available
      ? `with ${context.sample_size} actions of ${context.window_days} days`
      : "with nothing: there is no history, or it could not be read",
    entities: times(context.entity_volume_multiplier),
    amount: times(context.financial_value_multiplier),
    pace: times(context.velocity_multiplier),
    destination: context.destination_seen_before ? "seen before" : "not seen before",
    "kind of action": context.action_type_seen_before ? "seen before" : "not seen before"
  })
  return markup`<section class="card" aria-labelledby="history"><h2 id="history">History and policies</h2><dl class="table">${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}${policies.map(({ effect, policy, rule }) => markup`<div><dt>policy ${policy}</dt><dd><code>${rule}</code> <span class="soft">${spaced(effect)}</span></dd></div>`)}</dl></section>`
}

/** Links to the rules of the answer, in their version at the time; null if the key may not read rules. */
const rulesOf = ({ answer, visitor }: AssessmentView): RulePaths | null => {
  if (!visitor.scopes.includes("rules")) return null
  const release = readEngineVersion(answer.risk_engine_version).version
  const policies = new URLSearchParams(readPolicyVersion(answer.policy_version))
  const path = `/${visitor.mode}/rules`
  return {
    release: (code) => `${path}/${encodeURIComponent(code)}?version=${encodeURIComponent(release)}`,
    policy: (rule) => `${path}/policies/${encodeURIComponent(rule)}?${policies}`
  }
}

const unexplained = ({ answer, explanation, isBusy, problem, visitor }: AssessmentView): Markup | null => {
  if (explanation !== null) return null
  if (isBusy)
    return markup`<div class="card later" role="status"><div><p><b>The conditions behind the factors will appear in a moment.</b></p><p class="soft">The rules behind this answer are being loaded, which takes a few seconds. This page shows the recorded answer unchanged.</p></div><a class="button" href="/${visitor.mode}/assessments/${answer.assessment_id}">Load again</a></div>`
  return markup`<p class="note">${
    problem === null
      ? "Conditions, near misses and What if need a key with the scope explain."
      : `The conditions behind the factors cannot be shown: ${problem}.`
  }</p>`
}

export const assessmentPage = (view: AssessmentView): Markup => {
  const { answer, considered, explanation, input, nowMs, record, refused, replayed, review, visitor } = view
  const first = explanation?.firstScores ?? null
  const path = `/${visitor.mode}/assessments/${answer.assessment_id}`
  const aside = [
    review === null ? null : reviewCard({ review, mayClose: view.mayClose, nowMs, refused }),
    considered === null ? null : whatIfCard(answer, input, considered)
  ]
  const body = markup`${closedBanner(visitor, view.closed)}${heading(view)}
<div class="cols">
<div class="stack first">${opinionCard(view, first)}${factorsCard(answer.risk_factors, explanation, rulesOf(view))}${unexplained(view)}${view.lowerings === null ? null : loweringCard(answer, input, view.lowerings)}</div>
<div class="side"><div class="stack">${aside}</div></div>
<div class="stack rest">${explanation === null ? null : typologiesCard(explanation, rulesOf(view))}${explanation === null ? null : nearMissesCard(explanation)}${missingCard(view)}${readingCard(view)}${blastCard(view, first)}${historyCard(view)}${evidenceCard({ record, input, nowMs, path, replayed, engine: answer.risk_engine_version, policies: answer.policy_version })}</div>
</div>
<p class="foot">${answer.disclaimer}</p>`
  const title = `${answer.action_risk.level} ${answer.action_risk.score}, ${answer.normalized_action_type}`
  return framed({ title, visitor, at: listOf(view), body })
}
