/** The screen of the evidence chain: its end, what is waiting for a seal, and the verification of a range. */

import { Clock, Effect } from "effect"
import type { ActionItem } from "../api/Actions.ts"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { SealedEvidence, type SealedRow } from "../evidence/SealedEvidence.ts"
import { type VerifiedRange, verifyRange } from "../evidence/verifyDatabase.ts"
import { consoleEntriesMax, consoleVerifyMax, consoleVerifyMs, consoleWaitingRows } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"
import { retryOnceOrLog, withStorageErrors } from "../storage/storageErrors.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { evidencePage, type ShownEntry } from "./pages/evidencePage.ts"
import { pageResponse } from "./respond.ts"

const { read } = withStorageErrors(
  () => new AssessmentUnavailable({ message: "the evidence cannot be read right now" })
)

/** A number that consists only of digits, clamped to the range of the chain. */
const entryIn = (query: URLSearchParams, name: string, last: number): number | null => {
  const text = query.get(name) ?? ""
  const entry = /^\d{1,15}$/.test(text) ? Number(text) : null
  return entry === null ? null : Math.min(Math.max(1, entry), last)
}

/** `wanted`: the range to verify; null if the query names none. `asked`: the range shown in the form. */
const rangeOf = (query: URLSearchParams, last: number) => {
  const [from, to] = [entryIn(query, "from", last), entryIn(query, "to", last)]
  if (from === null || to === null) {
    const asked = { from: Math.max(1, last - consoleVerifyMax + 1), to: last }
    return { asked, wanted: null }
  }
  const asked = { from: Math.min(from, to), to: Math.max(from, to) }
  return { asked, wanted: { ...asked, to: Math.min(asked.to, asked.from + consoleVerifyMax - 1) } }
}

const shownEntry = ({ assessmentId, derived, entryDigest, link, sequence }: SealedRow): ShownEntry => {
  // Invariant: the service wrote it with the assessment. The verification shows whether it was changed since.
  const item = derived === null ? null : (derived.item as unknown as ActionItem)
  return {
    sequence,
    assessmentId,
    entryDigest: hex(entryDigest),
    createdAt: link?.createdAt ?? null,
    asked: item === null ? null : { actionType: item.action_type, level: item.action_risk.level }
  }
}

const noted = Effect.fnUntraced(function* (owner: Owner, { broken, from, to }: VerifiedRange, last: number) {
  const { noteVerification } = yield* SealedEvidence
  const found = {
    whole: from === 1 && to === last,
    first: from,
    last: Math.max(from, to),
    problem: broken?.problem ?? null
  }
  // The page shows the result even if it cannot be recorded.
  yield* retryOnceOrLog("note a verification", noteVerification(owner, found))
})

const showEvidence = Effect.fnUntraced(function* ({ caller, query }: Visit) {
  const nowMs = yield* Clock.currentTimeMillis
  const { head: headOf, page, verifications: verificationsOf, waiting: waitingOf } = yield* SealedEvidence
  const head = yield* read("read the end of a chain", headOf(caller))
  const { asked, wanted } = rangeOf(query, head.sequence)
  const view = yield* read(
    "read a chain of evidence",
    Effect.all({
      newest: page(caller, Math.max(0, head.sequence - consoleEntriesMax), consoleEntriesMax),
      waiting: waitingOf(caller, consoleWaitingRows),
      before: verificationsOf(caller)
    })
  )
  const verified =
    wanted === null || head.sequence === 0
      ? null
      : yield* read("verify evidence", verifyRange(caller, { ...wanted, msMax: consoleVerifyMs }))
  if (verified !== null) yield* noted(caller, verified, head.sequence)
  return pageResponse(
    evidencePage({
      visitor: caller,
      nowMs,
      head: { ...head, entryDigest: hex(head.entryDigest) },
      newest: view.newest.map(shownEntry).toReversed(),
      waiting: view.waiting,
      before: view.before,
      verified,
      asked,
      verifyMax: consoleVerifyMax
    })
  )
})

export const evidenceScreens: ReadonlyArray<ScreenWith<SealedEvidence>> = [
  { method: "GET", path: /^evidence$/, scope: "read", show: showEvidence }
]
