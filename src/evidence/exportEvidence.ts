/** Exports an organization's evidence in one mode as a stream of lines, oldest first. */

import { Effect, Option, Stream } from "effect"
import { evidencePageRows } from "../limits.ts"
import type { Owner, SealableEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords, type IdRange } from "../storage/assessments/AssessmentRecords.ts"
import { greatestId, idAtInstant, leastId } from "../storage/timeOrderedId.ts"
import type { Erasure } from "./Erasure.ts"
import { Erasures } from "./Erasures.ts"
import { encodeErasedLine, encodeExportLine } from "./exportLine.ts"
import { encodeOcsf } from "./ocsf.ts"

/** The stored assessments, for readers of a history. */
export const exportEvidence = (owner: Owner, span: TimeSpan) =>
  Stream.map(storedEvidence(owner, span), encodeExportLine)

/** The whole chain, for its verification. An erased assessment has a line too. */
export const exportChain = (owner: Owner, span: TimeSpan) =>
  Stream.map(storedChain(owner, span), (stored) =>
    "signature" in stored
      ? { line: encodeErasedLine(stored), erased: true }
      : { line: encodeExportLine(stored), erased: false }
  )

/** The stored assessments as OCSF events: one for each, and another for each that opened a review. An erased assessment has none. */
export const exportOcsf = (owner: Owner, span: TimeSpan) =>
  Stream.map(storedEvidence(owner, span), encodeOcsf)

interface TimeSpan {
  /** RFC 3339 date-time, inclusive; null means from the beginning. */
  readonly since: string | null
  /** RFC 3339 date-time, exclusive; null means to the end. */
  readonly until: string | null
}

export const allTime: TimeSpan = { since: null, until: null }

const idRange = ({ since, until }: TimeSpan): IdRange => ({
  from: (since === null ? undefined : idAtInstant(since)) ?? leastId,
  before: (until === null ? undefined : idAtInstant(until)) ?? greatestId
})

/**
 * Stored assessments with their evidence, oldest first. Reads page by page, so that memory and statements do not grow with the data.
 * Includes assessments that are stored meanwhile, if their time is in the range and after the current page.
 */
export const storedEvidence = (owner: Owner, span: TimeSpan) =>
  Stream.unwrap(
    AssessmentRecords.useSync(({ evidencePage }) => {
      const range = idRange(span)
      return Stream.paginate<string | null, SealableEvidence, Effect.Error<ReturnType<typeof evidencePage>>>(
        null,
        (after) =>
          Effect.map(evidencePage(owner, range, after, evidencePageRows), (rows) => [
            rows,
            rows.length < evidencePageRows ? Option.none() : Option.fromUndefinedOr(rows.at(-1)?.assessmentId)
          ])
      )
    })
  )

type StoredChainEntry = SealableEvidence | Erasure

/**
 * The entries of a chain, oldest first, read page by page like `storedEvidence`. Assessments and erasures are two pages; the one that ends
 * at the smaller id limits how much of both is used.
 */
const storedChain = (owner: Owner, span: TimeSpan) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { evidencePage } = yield* AssessmentRecords
      const { page: erasurePage } = yield* Erasures
      const range = idRange(span)
      return Stream.paginate<string | null, StoredChainEntry, Effect.Error<ReturnType<typeof evidencePage>>>(
        null,
        Effect.fnUntraced(function* (after) {
          const assessments = yield* evidencePage(owner, range, after, evidencePageRows)
          const erasures = yield* erasurePage(owner, range, after, evidencePageRows)
          const ends = [assessments, erasures].flatMap((page) =>
            page.length < evidencePageRows ? [] : (page.at(-1)?.assessmentId ?? [])
          )
          const end = ends.toSorted()[0]
          // An assessment that is erased between the two statements is on both pages.
          const erased = new Set(erasures.map(({ assessmentId }) => assessmentId))
          const rows = [...assessments.filter(({ assessmentId }) => !erased.has(assessmentId)), ...erasures]
            .filter(({ assessmentId }) => end === undefined || assessmentId <= end)
            .toSorted((a, b) => (a.assessmentId < b.assessmentId ? -1 : 1))
          return [rows, Option.fromUndefinedOr(end)] as const
        })
      )
    })
  )
