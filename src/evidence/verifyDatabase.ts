/** Verifies the evidence of an organization and mode in the database: the whole chain, then the columns derived from it. */

import { Effect, Result } from "effect"
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
      ? "it has a seal and no assessment: its row was deleted, or its seal changed"
      : erasureProblem(erasure)
  return erasure === null
    ? (linkProblem(link) ?? derivedProblem(link, derived))
    : "it was erased, and its assessment is there again"
}

const erasedUnsealed = "it was erased and has no seal: its seal was deleted, or its erasure put there by hand"

const unsealedProblem = ({ ageMs, createdAt, queued }: UnsealedRow): string | null => {
  if (!queued)
    return "it has no seal and does not wait for one: its seal was deleted, or it was put there by hand"
  return ageMs > sealLateMsMax
    ? `it waits for its seal since ${createdAt}: nothing seals evidence, see the log of the service`
    : null
}

/**
 * Page after page, so that neither memory nor any statement grows with what is stored. `trusted`: who may have erased;
 * null for whoever says so.
 */
export const verifyDatabase = (
  owner: Owner,
  milestone: CheckpointStatement | null,
  trusted: ReadonlyArray<KeyObject> | null,
  onProgress: (entries: number, share: number | null) => void
) =>
  Effect.gen(function* () {
    const evidence = yield* SealedEvidence
    const walk = makeChainVerifier(0, milestone)
    const erasureProblem = makeErasureProblem(trusted)
    let erased = 0
    const known = (yield* evidence.head(owner)).sequence
    const found = (broken: ChainBreak | null, waiting = 0): Verification => ({
      sealed: walk.head().sequence,
      erased,
      waiting,
      head: walk.head(),
      broken
    })

    for (let after = 0; ; after = walk.head().sequence) {
      const rows = yield* evidence.page(owner, after, evidencePageRows)
      for (const row of rows) {
        const broken = walk.add({ ...row, line: null, problem: rowProblem(row, erasureProblem) })
        if (broken !== null) return found(broken)
        if (row.erasure !== null) erased++
      }
      onProgress(walk.head().sequence, known === 0 ? null : Math.min(1, walk.head().sequence / known))
      if (rows.length < evidencePageRows) break
    }
    const broken = walk.end()
    if (broken !== null) return found(broken)

    const [unsealed] = yield* evidence.unsealedErasures(owner)
    if (unsealed !== undefined)
      return found({ sequence: null, assessmentId: unsealed, line: null, problem: erasedUnsealed })

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

/**
 * Whether what lists show and search of a stored assessment is still what its sealed bytes say.
 * Throws where the bytes are not what this service writes.
 */
const compareDerived = ({ input, response: bytes }: SealedLink, derived: DerivedColumns): string | null => {
  const response: AssessmentResponse = JSON.parse(Buffer.from(bytes).toString())
  const request: JsonObject = JSON.parse(Buffer.from(input).toString())
  const action = readRecordedRequest(request)
  if (Result.isFailure(action)) return `its input ${action.failure}`
  if (derived.actionId !== response.action_id) return "its action_id is not that of its response"
  if (derived.requestId !== response.request_id) return "its request_id is not that of its response"
  if (derived.complete !== (response.assessment_status === "complete"))
    return "its mark as complete is not that of its response"
  if (JSON.stringify(derived.item) !== JSON.stringify(encodeListItem(action.success, response)))
    return "what lists show of it is not what its response says"
  return derived.search === assessmentSearchText(action.success, response.normalized_action_type)
    ? null
    : "what lists search of it is not what its input says"
}

/** For a link that is whole by itself. Completes a sentence about the row; null where all of it fits. */
const derivedProblem = (link: SealedLink, derived: DerivedColumns): string | null => {
  try {
    return compareDerived(link, derived)
  } catch {
    // Sealed by whoever can write to the database, and still no assessment.
    return "its input or its response is not one of this service"
  }
}
