/** The evidence chain: its length, its newest entries, what is waiting for a seal, a verified part, and how to keep a proof elsewhere. */

import type { Level } from "../../domain/Opinion.ts"
import type { NotedVerification } from "../../evidence/SealedEvidence.ts"
import type { VerifiedRange } from "../../evidence/verifyDatabase.ts"
import { type Markup, markup } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { levelDot } from "../parts/level.ts"
import { ago, said, thousands } from "../parts/said.ts"

/** A sealed assessment as shown in the list of newest entries. */
export interface ShownEntry {
  readonly sequence: number
  readonly assessmentId: string
  readonly entryDigest: string
  /** ISO 8601; null if the assessment was erased. */
  readonly createdAt: string | null
  /** The assessed action and its level; null if the assessment was erased. */
  readonly asked: { readonly actionType: string; readonly level: Level } | null
}

export interface EvidenceView {
  readonly visitor: Visitor
  readonly nowMs: number
  readonly head: { readonly sequence: number; readonly entryDigest: string }
  /** Newest first. */
  readonly newest: ReadonlyArray<ShownEntry>
  /** Recent assessments that wait for their seal, and how long the oldest one has waited. */
  readonly waiting: { readonly count: number; readonly oldestMs: number }
  /** Earlier verifications, newest first. */
  readonly before: ReadonlyArray<NotedVerification>
  /** Null if no verification was requested. */
  readonly verified: VerifiedRange | null
  /** The range that the form suggests. */
  readonly asked: { readonly from: number; readonly to: number }
  readonly verifyMax: number
}

const chainCard = ({ head, nowMs, newest, visitor, waiting }: EvidenceView): Markup => {
  const seals =
    waiting.count === 0
      ? markup`nothing is waiting for a seal`
      : markup`${thousands(waiting.count)} ${waiting.count === 1 ? "waits" : "wait"} for a seal, the oldest for ${Math.ceil(waiting.oldestMs / 1_000)} s`
  const entries = newest.map(
    ({ asked, assessmentId, createdAt, entryDigest, sequence }) =>
      markup`<li><b class="num">${thousands(sequence)}</b><span class="knot" aria-hidden="true"></span><span class="mono">${entryDigest.slice(0, 8)}</span>${
        asked === null
          ? markup`<span class="soft">erased, with a signed record</span>`
          : markup`<span class="clip">${levelDot(asked.level)} <a href="/${visitor.mode}/assessments/${assessmentId}">${said(asked.actionType)}</a><span class="visually-hidden">, ${asked.level}</span></span>`
      }<span class="soft age">${createdAt === null ? "" : ago(createdAt, nowMs)}</span></li>`
  )
  return markup`<section class="card" aria-labelledby="chain"><h2 id="chain">Chain <span class="soft">${seals}</span></h2>
<div class="big"><b>${thousands(head.sequence)}</b><span class="soft">${head.sequence === 1 ? "entry" : "entries"}, the last one<br><span class="mono hash">${head.entryDigest.slice(0, 32)}…</span></span></div>
<ol class="knots">${entries}</ol></section>`
}

const notedItem =
  (nowMs: number) =>
  ({ first, last, problem, verifiedAt, whole }: NotedVerification): Markup => {
    const entries = whole
      ? `All ${thousands(last)} entries`
      : `Entries ${thousands(first)} to ${thousands(last)}`
    return markup`<div><dt>${ago(verifiedAt.toISOString(), nowMs)} ago</dt><dd>${entries}: ${problem === null ? "as they were sealed" : markup`<b class="t-critical">not all as they were sealed</b>`}</dd></div>`
  }

const verifiedBefore = ({ before, nowMs, verified }: EvidenceView): Markup | null =>
  before.length === 0
    ? verified === null
      ? markup`<p class="note">No one has verified this chain yet.</p>`
      : null
    : markup`<h3>Last verified</h3><dl class="table noted">${before.map(notedItem(nowMs))}</dl>`

const brokenItem = (
  { assessmentId, problem, sequence }: NonNullable<VerifiedRange["broken"]>,
  mode: string
) =>
  markup`<li><span class="tick bad" aria-hidden="true">!</span><div><b>Entry ${sequence === null ? "" : thousands(sequence)} is not as it was sealed:</b> ${problem}.${assessmentId === null ? null : markup` <a href="/${mode}/assessments/${assessmentId}">Open it</a>`}<div class="note">Keep this database as it is, and compare with your last checkpoint: <code>action-risk evidence verify --checkpoint</code></div></div></li>`

const wholeItem = ({ erased, from, to }: VerifiedRange): Markup =>
  markup`<li><span class="tick done" aria-hidden="true">✓</span><div><b>Entries ${thousands(from)} to ${thousands(to)} are as they were sealed.</b> Every request, answer and history has its digest, and every entry follows the one before it${erased === 0 ? "" : `; ${thousands(erased)} of them ${erased === 1 ? "was" : "were"} erased with a signed record`}.</div></li>`

const resultOf = ({ head, verified, verifyMax, visitor }: EvidenceView): Markup => {
  if (verified === null)
    return markup`<p class="note">Reads the stored bytes again and computes every digest; at most ${thousands(verifyMax)} entries at once.</p>`
  const { broken, to } = verified
  const next =
    broken === null && to < head.sequence
      ? markup`<p><a class="button" href="?from=${to + 1}&to=${Math.min(head.sequence, to + verifyMax)}#verify">Verify the next ${thousands(Math.min(verifyMax, head.sequence - to))}</a></p>`
      : null
  return markup`<ul class="proof">${to < verified.from ? null : wholeItem(verified)}${broken === null ? null : brokenItem(broken, visitor.mode)}</ul>${next}`
}

const number = (name: "from" | "to", label: string, value: number, max: number): Markup =>
  markup`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="number" min="1" max="${max}" value="${value}" required></div>`

const verifyCard = (view: EvidenceView): Markup => {
  const { asked, head } = view
  return markup`<section class="card" id="verify" aria-labelledby="verify-title"><h2 id="verify-title">Verify a range</h2><form class="range" method="get" action="#verify">${number("from", "From entry", asked.from, head.sequence)}${number("to", "To entry", asked.to, head.sequence)}<button class="button primary">Verify</button></form><div role="status" class="verified">${resultOf(view)}</div>${verifiedBefore(view)}</section>`
}

const command = (title: string, why: string, text: string): Markup =>
  markup`<div class="command"><h3>${title}</h3><p class="soft small">${why}</p><pre tabindex="0">${text}</pre></div>`

const keepCard = ({ visitor: { mode, organization } }: EvidenceView): Markup => {
  const who = `--org ${organization} --mode ${mode}`
  return markup`<section class="card" aria-labelledby="keep"><h2 id="keep">Keep a proof elsewhere <span class="soft">for the operator</span></h2>
${command("Sign the end of the chain", "A checkpoint shows later that nothing was cut off or rewritten. Keep it where the database’s owner cannot change it.", `action-risk evidence checkpoint ${who} --out checkpoint.json`)}
${command("Verify all of it", "From the first entry on, against a checkpoint.", `action-risk evidence verify ${who} --checkpoint checkpoint.json`)}
${command("Export", "Every assessment with its evidence; anyone can verify the file without this service.", `action-risk evidence export ${who} --out evidence.ndjson`)}</section>`
}

const empty = markup`<div class="list empty"><p><b>Nothing sealed yet.</b></p><p class="soft">Every assessment is sealed within a second or two: its request, its answer and the history that it saw become an entry of a chain.</p></div>`

export const evidencePage = (view: EvidenceView): Markup =>
  framed({
    title: "Evidence",
    visitor: view.visitor,
    at: "evidence",
    body: markup`<h1>Evidence</h1>
${
  view.head.sequence === 0
    ? empty
    : markup`<div class="cols even"><div class="stack first">${chainCard(view)}</div><div class="side"><div class="stack">${verifyCard(view)}${keepCard(view)}</div></div></div>`
}
<p class="foot">The evidence shows that an answer is the one that was given, and from what. It authorizes nothing.</p>`
  })
