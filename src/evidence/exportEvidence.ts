/** Exports the stored evidence of an organization and mode as a stream of lines, oldest first. */

import { Effect, Option, Stream } from "effect"
import { evidencePageRows } from "../limits.ts"
import type { Owner, SealableEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords, type IdRange } from "../storage/assessments/AssessmentRecords.ts"
import { greatestId, idAtCursor, leastId } from "../storage/timeOrderedId.ts"
import type { Erasure } from "./Erasure.ts"
import { Erasures } from "./Erasures.ts"
import { encodeErasedLine, encodeExportLine } from "./exportLine.ts"

/** Stored assessments, for whoever reads a history. */
export const exportEvidence = (owner: Owner, span: TimeSpan) =>
  Stream.map(storedEvidence(owner, span), encodeExportLine)

/** The whole chain, for whoever verifies it: also what was erased has its line. */
export const exportChain = (owner: Owner, span: TimeSpan) =>
  Stream.map(storedChain(owner, span), (stored) =>
    "signature" in stored
      ? { line: encodeErasedLine(stored), erased: true }
      : { line: encodeExportLine(stored), erased: false }
  )

/** The stored assessments of an organization and mode with their evidence, as a stream, oldest first. */
interface TimeSpan {
  /** RFC 3339 date-times: from this one on, and before that one; null is open. */
  readonly since: string | null
  readonly until: string | null
}

export const allTime: TimeSpan = { since: null, until: null }

const idRange = ({ since, until }: TimeSpan): IdRange => ({
  from: (since === null ? undefined : idAtCursor(since)) ?? leastId,
  before: (until === null ? undefined : idAtCursor(until)) ?? greatestId
})

/**
 * Page after page by key, so that neither memory nor any statement grows with what is stored. What is stored while it
 * runs is part of it where its time lies in the span and ahead of the page being read.
 */
export const storedEvidence = (owner: Owner, span: TimeSpan) =>
  Stream.unwrap(
    AssessmentRecords.useSync(({ evidencePage }) => {
      const stretch = idRange(span)
      return Stream.paginate<string | null, SealableEvidence, Effect.Error<ReturnType<typeof evidencePage>>>(
        null,
        (after) =>
          Effect.map(evidencePage(owner, stretch, after, evidencePageRows), (rows) => [
            rows,
            rows.length < evidencePageRows ? Option.none() : Option.fromUndefinedOr(rows.at(-1)?.assessmentId)
          ])
      )
    })
  )

/** What stands in the chain of an organization and mode, as a stream, oldest first: assessments, and erasures of others. */
type StoredChainEntry = SealableEvidence | Erasure

/** Page after page by key, like `storedEvidence`. Of two pages the one that ends first says how far both are taken. */
const storedChain = (owner: Owner, span: TimeSpan) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { evidencePage } = yield* AssessmentRecords
      const { page: erasurePage } = yield* Erasures
      const stretch = idRange(span)
      return Stream.paginate<string | null, StoredChainEntry, Effect.Error<ReturnType<typeof evidencePage>>>(
        null,
        Effect.fnUntraced(function* (after) {
          const assessments = yield* evidencePage(owner, stretch, after, evidencePageRows)
          const erasures = yield* erasurePage(owner, stretch, after, evidencePageRows)
          const ends = [assessments, erasures].flatMap((page) =>
            page.length < evidencePageRows ? [] : (page.at(-1)?.assessmentId ?? [])
          )
          const end = ends.toSorted()[0]
          // What is erased between the two statements is in both.
          const erased = new Set(erasures.map(({ assessmentId }) => assessmentId))
          const rows = [...assessments.filter(({ assessmentId }) => !erased.has(assessmentId)), ...erasures]
            .filter(({ assessmentId }) => end === undefined || assessmentId <= end)
            .toSorted((a, b) => (a.assessmentId < b.assessmentId ? -1 : 1))
          return [rows, Option.fromUndefinedOr(end)] as const
        })
      )
    })
  )
