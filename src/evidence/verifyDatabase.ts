/** Verifies the evidence in the database: each entry of a chain with its derived columns, then the rows without a seal. */

import { Clock, Effect, Result } from "effect"
import type { KeyObject } from "node:crypto"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { encodeListItem } from "../assessment/encode.ts"
import { assessmentSearchText } from "../assessment/persist.ts"
import type { JsonObject } from "../json/json.ts"
import { evidencePageRows, sealLateMsMax, unsealedPageRows } from "../limits.ts"
import { readRecordedRequest } from "../rules/history/recordedInput.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { leastId } from "../storage/timeOrderedId.ts"
import { makeErasureProblem } from "./Erasure.ts"
import { type DerivedColumns, SealedEvidence, type SealedRow, type UnsealedRow } from "./SealedEvidence.ts"
import {
  type ChainBreak,
  type CheckpointStatement,
  linkProblem,
  makeChainVerifier,
  type SealedLink,
  type Verification
} from "./chain.ts"

const rowProblem = (
  { derived, erasure, link }: SealedRow,
  erasureProblem: ReturnType<typeof makeErasureProblem>
): string | null => {
  if (link === null || derived === null)
    return erasure === null
      ? "it has a seal but no assessment: its row was deleted, or its seal was changed"
      : erasureProblem(erasure)
  return erasure === null
    ? (linkProblem(link) ?? derivedProblem(link, derived))
    : "it was erased, but its assessment is still stored"
}

/** A verified part of a chain. */
export interface VerifiedRange {
  /** The first and the last entry that were checked. If there were none, `to` is less than `from`. */
  readonly from: number
  readonly to: number
  readonly erased: number
  readonly broken: ChainBreak | null
}

/**
 * Verifies the entries `from` to `to`, page by page. Trusts the entry before them: only a verification from the first entry shows that it
 * is unchanged. Stops after the page in which `msMax` ran out.
 */
export const verifyRange = Effect.fnUntraced(function* (
  owner: Owner,
  { from, msMax, to }: { readonly from: number; readonly to: number; readonly msMax: number }
) {
  const evidence = yield* SealedEvidence
  const untilMs = (yield* Clock.currentTimeMillis) + msMax
  const [before] = from === 1 ? [] : yield* evidence.page(owner, from - 2, 1)
  const verifier = makeChainVerifier(
    0,
    null,
    before === undefined ? undefined : { sequence: from - 1, entryDigest: before.entryDigest }
  )
  const erasureProblem = makeErasureProblem(null)
  let erased = 0
  const found = (broken: ChainBreak | null): VerifiedRange => ({
    from,
    to: verifier.head().sequence,
    erased,
    broken
  })
  for (let after = from - 1; after < to; after = verifier.head().sequence) {
    const rows = yield* evidence.page(owner, after, Math.min(evidencePageRows, to - after))
    for (const row of rows) {
      const broken = verifier.add({ ...row, line: null, problem: rowProblem(row, erasureProblem) })
      if (broken !== null) return found(broken)
      if (row.erasure !== null) erased++
    }
    // Lets other requests run between two pages.
    yield* Effect.yieldNow
    if (rows.length === 0 || (yield* Clock.currentTimeMillis) > untilMs) break
  }
  return found(verifier.end())
})

const erasedUnsealed =
  "it was erased but has no seal: its seal was deleted, or its erasure was inserted by hand"

const unsealedProblem = ({ ageMs, createdAt, queued }: UnsealedRow): string | null => {
  if (!queued)
    return "it has no seal and is not waiting for one: its seal was deleted, or it was inserted by hand"
  return ageMs > sealLateMsMax
    ? `it has been waiting for its seal since ${createdAt}: nothing is sealing evidence, see the service log`
    : null
}

/**
 * Reads page by page, so that memory and statements do not grow with the data. `trusted`: the keys allowed to sign erasures; null accepts
 * every key.
 */
export const verifyDatabase = (
  owner: Owner,
  checkpoint: CheckpointStatement | null,
  trusted: ReadonlyArray<KeyObject> | null,
  onProgress: (entries: number, share: number | null) => void
) =>
  Effect.gen(function* () {
    const evidence = yield* SealedEvidence
    const verifier = makeChainVerifier(0, checkpoint)
    const erasureProblem = makeErasureProblem(trusted)
    let erased = 0
    const entries = (yield* evidence.head(owner)).sequence
    const found = (broken: ChainBreak | null, waiting = 0): Verification => ({
      sealed: verifier.head().sequence,
      erased,
      waiting,
      head: verifier.head(),
      broken
    })

    for (let after = 0; ; after = verifier.head().sequence) {
      const rows = yield* evidence.page(owner, after, evidencePageRows)
      for (const row of rows) {
        const broken = verifier.add({ ...row, line: null, problem: rowProblem(row, erasureProblem) })
        if (broken !== null) return found(broken)
        if (row.erasure !== null) erased++
      }
      onProgress(
        verifier.head().sequence,
        entries === 0 ? null : Math.min(1, verifier.head().sequence / entries)
      )
      if (rows.length < evidencePageRows) break
    }
    const broken = verifier.end()
    if (broken !== null) return found(broken)

    const [erasedWithoutSeal] = yield* evidence.unsealedErasures(owner)
    if (erasedWithoutSeal !== undefined)
      return found({ sequence: null, assessmentId: erasedWithoutSeal, line: null, problem: erasedUnsealed })

    let waiting = 0
    for (let after: string | null = leastId; after !== null;) {
      const page: Effect.Success<ReturnType<typeof evidence.unsealedPage>> = yield* evidence.unsealedPage(
        owner,
        after,
        unsealedPageRows
      )
      for (const row of page.unsealed) {
        const problem = unsealedProblem(row)
        if (problem !== null)
          return found({ sequence: null, assessmentId: row.assessmentId, line: null, problem }, waiting)
        waiting++
      }
      after = page.next
    }
    return found(null, waiting)
  })

/** Compares the columns that lists show and search with the sealed bytes. Throws if this service did not write the bytes. */
const compareDerived = ({ input, response: bytes }: SealedLink, derived: DerivedColumns): string | null => {
  const response: AssessmentResponse = JSON.parse(Buffer.from(bytes).toString())
  const request: JsonObject = JSON.parse(Buffer.from(input).toString())
  const action = readRecordedRequest(request)
  if (Result.isFailure(action)) return `its input ${action.failure}`
  if (derived.actionId !== response.action_id) return "its action_id differs from that of its response"
  if (derived.requestId !== response.request_id) return "its request_id differs from that of its response"
  if (derived.complete !== (response.assessment_status === "complete"))
    return "it is marked as complete, or as incomplete, and its response says the opposite"
  if (JSON.stringify(derived.item) !== JSON.stringify(encodeListItem(action.success, response)))
    return "the columns that lists show differ from its response"
  return derived.search === assessmentSearchText(action.success, response.normalized_action_type)
    ? null
    : "the column that lists search differs from its input"
}

/** The first derived column that does not match a verified link, worded as the end of a sentence about the row; null if all match. */
const derivedProblem = (link: SealedLink, derived: DerivedColumns): string | null => {
  try {
    return compareDerived(link, derived)
  } catch {
    // Anyone who can write to the database can have other bytes sealed.
    return "this service did not write its input or its response"
  }
}
