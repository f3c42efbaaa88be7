/** Verifies the evidence of an organization and mode in the database: the whole chain, then what stands beside it. */

import { Effect } from "effect"
import type { KeyObject } from "node:crypto"
import { evidencePageRows, sealLateMsMax, unsealedPageRows } from "../../Limits.ts"
import type { Owner } from "../../storage/AssessmentRecord.ts"
import { leastId } from "../../storage/assessmentId.ts"
import { makeErasureProblem } from "../../storage/evidence/Erasure.ts"
import { linkProblem } from "../../storage/evidence/Link.ts"
import { type Break, type Milestone, walkChain } from "../../storage/evidence/walk.ts"
import { SealedEvidence } from "../../storage/SealedEvidence.ts"
import type { SealedRow, UnsealedRow } from "../../storage/sealedEvidence/read.ts"
import { derivedProblem } from "./derivedProblem.ts"
import type { Verification } from "./Verification.ts"

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
  milestone: Milestone | null,
  trusted: ReadonlyArray<KeyObject> | null,
  onProgress: (entries: number, share: number | null) => void
) =>
  Effect.gen(function* () {
    const evidence = yield* SealedEvidence
    const walk = walkChain(0, milestone)
    const erasureProblem = makeErasureProblem(trusted)
    let erased = 0
    const known = (yield* evidence.head(owner)).sequence
    const found = (broken: Break | null, waiting = 0): Verification => ({
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
