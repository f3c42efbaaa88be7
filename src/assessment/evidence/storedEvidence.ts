/** The stored assessments of an organization and mode with their evidence, as a stream, oldest first. */

import { Effect, Option, Stream } from "effect"
import { evidencePageRows } from "../../Limits.ts"
import type { Owner, SealableEvidence } from "../../storage/AssessmentRecord.ts"
import { AssessmentRecords } from "../../storage/AssessmentRecords.ts"
import type { Stretch } from "../../storage/assessmentRecords/read.ts"
import { greatestId, idAtCursor, leastId } from "../../storage/assessmentId.ts"

export interface Span {
  /** RFC 3339 date-times: from this one on, and before that one; null is open. */
  readonly since: string | null
  readonly until: string | null
}

export const always: Span = { since: null, until: null }

export const stretchOf = ({ since, until }: Span): Stretch => ({
  from: (since === null ? undefined : idAtCursor(since)) ?? leastId,
  before: (until === null ? undefined : idAtCursor(until)) ?? greatestId
})

/**
 * Page after page by key, so that neither memory nor any statement grows with what is stored. What is stored while it
 * runs is part of it where its time lies in the span and ahead of the page being read.
 */
export const storedEvidence = (owner: Owner, span: Span) =>
  Stream.unwrap(
    AssessmentRecords.useSync(({ evidencePage }) => {
      const stretch = stretchOf(span)
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
