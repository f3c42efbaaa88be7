/** The records of an opinion: a person's review, the place in the evidence chain, and the request as sent. */

import type { ReviewResponse } from "../../api/Reviews.ts"
import { type ReviewOutcome, reviewOutcomes } from "../../domain/Review.ts"
import type { Replayed } from "../../evidence/recorded/reconsider.ts"
import type { JsonObject } from "../../json/json.ts"
import { reviewNoteMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { ago, attribute, said, spaced, thousands } from "./said.ts"

const outcomeWords: Readonly<Record<ReviewOutcome, string>> = {
  acknowledged: "Acknowledged",
  risk_accepted: "Risk accepted",
  risk_rejected: "Risk rejected",
  false_positive: "False positive",
  escalated: "Escalated"
}

/** The meaning of each outcome, in the reviewer's words. */
const outcomeMeanings: Readonly<Record<ReviewOutcome, string>> = {
  acknowledged: "I have read it.",
  risk_accepted: "The risk is real, and the action is worth it.",
  risk_rejected: "The action should not be done. It does not become familiar either.",
  false_positive: "The action is ordinary, and the opinion is too high.",
  escalated: "I have told someone else. This review is closed, and no message is sent."
}

const meanings: Markup = markup`<dl class="note">${reviewOutcomes.map(
  (outcome) => markup`<dt>${outcomeWords[outcome]}</dt><dd>${outcomeMeanings[outcome]}</dd>`
)}</dl>`

/** A closing that was not recorded. Keeps the text that was typed. */
export interface RefusedClosing {
  readonly reason: string
  readonly outcome: string | null
  readonly note: string
}

const choice =
  (chosen: string | null) =>
  (outcome: ReviewOutcome, at: number): Markup =>
    markup`<label><input type="radio" name="outcome" value="${outcome}" required${attribute(chosen === outcome, "checked")}><span>${outcomeWords[outcome]}</span><kbd class="hint" aria-hidden="true">${at + 1}</kbd></label>`

const refusal = (refused: RefusedClosing | null): Markup | null =>
  refused === null ? null : markup`<p class="problem" role="alert">${refused.reason}</p>`

const openReview = (path: string, refused: RefusedClosing | null): Markup =>
  markup`${refusal(refused)}<form method="post" action="${path}"><fieldset><legend>What do you conclude?</legend><div class="choices">${reviewOutcomes.map(choice(refused?.outcome ?? null))}</div></fieldset><label for="note">Note for later readers</label><textarea id="note" name="note" rows="3" maxlength="${reviewNoteMax}">
${refused?.note ?? ""}</textarea><div class="row"><button class="button primary">Close review</button></div></form><p class="note">A review is a record: it lets nothing through and stops nothing.</p>${meanings}`

const keptNote = (refused: RefusedClosing | null): Markup | null =>
  refused === null || refused.note === ""
    ? null
    : markup`<label for="note">Your note, not recorded</label><textarea id="note" rows="3" readonly>
${refused.note}</textarea>`

const closerOf = ({ closed_by }: ReviewResponse): Markup | null =>
  closed_by === null
    ? null
    : closed_by.name === null
      ? markup` with the key <span class="mono">${closed_by.key_id.slice(0, 8)}</span>`
      : markup` by ${said(closed_by.name)}`

const closedReview = (review: ReviewResponse, nowMs: number, refused: RefusedClosing | null): Markup =>
  markup`${refusal(refused)}<p><b>${review.outcome === null ? "" : outcomeWords[review.outcome]}</b>${review.closed_at === null ? null : markup` <span class="soft">${ago(review.closed_at, nowMs)} ago${closerOf(review)}</span>`}</p>${review.note === null ? markup`<p class="soft">Without a note.</p>` : markup`<blockquote>${said(review.note)}</blockquote>`}${keptNote(refused)}<p class="note">A closed review stays as it is: the first closing counts.</p>`

const otherEnvironment = ({ environment }: ReviewResponse): Markup =>
  markup`<p class="note">Your key does not cover ${environment}, so it cannot close this review.</p>`

interface Reviewed {
  readonly review: ReviewResponse
  /** False if the key does not cover the environment of the review. */
  readonly mayClose: boolean
  readonly nowMs: number
  readonly refused: RefusedClosing | null
}

export const reviewCard = ({ mayClose, nowMs, refused, review }: Reviewed): Markup => {
  const since = review.state === "open" ? markup`open ${ago(review.created_at, nowMs)}` : markup`closed`
  const path = `/${review.environment_mode}/reviews/${review.id}/close`
  const record =
    review.state === "closed"
      ? closedReview(review, nowMs, refused)
      : mayClose
        ? openReview(path, refused)
        : otherEnvironment(review)
  return markup`<section class="card" id="review" aria-labelledby="review-title"><h2 id="review-title">Review <span class="soft">${since}</span></h2>${record}</section>`
}

const mark = (kind: "done" | "bad" | "waiting", text: Markup): Markup =>
  markup`<li><span class="tick ${kind}" aria-hidden="true">${kind === "done" ? "✓" : kind === "bad" ? "!" : "…"}</span><div>${text}</div></li>`

/** The evidence stored with an answer. Digests are in hex. */
export interface EvidenceRecord {
  /** Null for the first second or two. */
  readonly seal: {
    readonly sequence: number
    readonly sealedAt: string
    readonly previousDigest: string
    readonly entryDigest: string
  } | null
  readonly digests: Readonly<Record<string, string>>
  /** The history as the score saw it. */
  readonly history: string
}

const sealItem = ({ seal }: EvidenceRecord, nowMs: number): Markup =>
  seal === null
    ? mark("waiting", markup`Waiting for its seal, which takes a second or two.`)
    : mark(
        "done",
        markup`<b>Entry ${thousands(seal.sequence)} of the chain</b>, sealed ${ago(seal.sealedAt, nowMs)} ago<div class="links" aria-hidden="true"><span class="soft mono">${seal.previousDigest.slice(0, 8)}</span><i></i><span class="me mono">${seal.entryDigest.slice(0, 8)}</span><i></i><span class="soft">next</span></div>`
      )

const replayButton = (path: string): Markup =>
  markup`<form method="post" action="${path}/replay#evidence" data-part="replayed"><button class="button">Replay</button> <span class="note">computes the answer again from what is stored</span></form>`

const replayItem = (path: string, replayed: Replayed | "busy" | null): Markup => {
  if (replayed === null) return mark("waiting", replayButton(path))
  if (replayed === "busy")
    return mark(
      "waiting",
      markup`<p><b>Not yet.</b> The rules that answered are being opened, which takes some seconds.</p>${replayButton(path)}`
    )
  const { digest, problem, storedDigest } = replayed
  if (problem !== null) return mark("bad", markup`<b>It cannot be computed again:</b> ${problem}`)
  return digest === storedDigest
    ? mark(
        "done",
        markup`<b>Equal, byte for byte.</b> Computed again just now, the answer has the digest that was recorded with it.<div class="hash mono soft">${storedDigest}</div>`
      )
    : mark(
        "bad",
        markup`<b>It came out differently.</b> <code>action-risk evidence replay</code> names every difference.<div class="hash mono soft">${storedDigest} recorded</div><div class="hash mono soft">${digest ?? "none"} now</div>`
      )
}

export const replayResult = (path: string, replayed: Replayed | "busy" | null): Markup =>
  markup`<ul class="proof">${replayItem(path, replayed)}</ul>`

interface Proof {
  readonly record: EvidenceRecord
  readonly input: JsonObject
  readonly path: string
  readonly nowMs: number
  readonly replayed: Replayed | "busy" | null
  readonly engine: string
  readonly policies: string
}

const digestList = ({ digests }: EvidenceRecord): Markup =>
  markup`<dl class="table">${Object.entries(digests).map(([name, digest]) => markup`<div><dt>${name}</dt><dd class="hash mono">${digest}</dd></div>`)}</dl>`

export const evidenceCard = ({ engine, input, nowMs, path, policies, record, replayed }: Proof): Markup =>
  markup`<section class="card" id="evidence" aria-labelledby="evidence-title"><h2 id="evidence-title">Evidence <span class="soft">engine and rules ${spaced(engine)}, policies ${spaced(policies)}</span></h2>
<ul class="proof">${sealItem(record, nowMs)}</ul><div id="replayed" role="status">${replayResult(path, replayed)}</div>
<details><summary>The request as it was sent</summary><pre tabindex="0" dir="ltr">${JSON.stringify(input, null, 2)}</pre></details>
<details><summary>The history as the score saw it</summary><pre tabindex="0" dir="ltr">${record.history}</pre></details>
<details><summary>Digests</summary>${digestList(record)}</details></section>`
