/** What stands in the chain of an organization and mode, as a stream, oldest first: assessments, and erasures of others. */

import { Effect, Option, Stream } from "effect"
import { evidencePageRows } from "../../Limits.ts"
import type { Owner, SealableEvidence } from "../../storage/AssessmentRecord.ts"
import { AssessmentRecords } from "../../storage/AssessmentRecords.ts"
import { Erasures } from "../../storage/Erasures.ts"
import type { Erasure } from "../../storage/evidence/Erasure.ts"
import { type Span, stretchOf } from "./storedEvidence.ts"

type Stored = SealableEvidence | Erasure

/** Page after page by key, like `storedEvidence`. Of two pages the one that ends first says how far both are taken. */
export const storedChain = (owner: Owner, span: Span) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { evidencePage } = yield* AssessmentRecords
      const { page: erasurePage } = yield* Erasures
      const stretch = stretchOf(span)
      return Stream.paginate<string | null, Stored, Effect.Error<ReturnType<typeof evidencePage>>>(
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
