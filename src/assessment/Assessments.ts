/** Reads stored assessments (specification 4.2 and 4.3): one with its evidence, or a page of the list. */

import { Context, Effect, Layer } from "effect"
import { type AssessmentUnavailable, NotFound } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { storageReadMsMax } from "../limits.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { type FacetFilter, FilteredLists } from "../storage/facets/FilteredLists.ts"
import { asUuid, cursorOf, idAtCursor } from "../storage/timeOrderedId.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import { orAssessmentUnavailable } from "./AssessRequest.ts"
import { encodeEvidence, encodeListPage } from "./encode.ts"

export interface ListQuery {
  /** 1 to 100. */
  readonly limit: number
  /** An ISO date-time: the list starts with the next older assessment. */
  readonly cursor: string | null
  readonly q: string | null
  readonly filter?: FacetFilter | null
}

export class Assessments extends Context.Service<
  Assessments,
  {
    /** The JSON bytes. After the assessment is sealed, every read returns the same bytes. */
    readonly get: (
      caller: Caller,
      assessmentId: string
    ) => Effect.Effect<{ readonly body: Uint8Array }, NotFound | AssessmentUnavailable>
    /** The JSON bytes of an `ActionList`. */
    readonly list: (
      caller: Caller,
      query: ListQuery,
      requestId: string
    ) => Effect.Effect<{ readonly body: Uint8Array }, AssessmentUnavailable>
  }
>()("action-risk/assessment/Assessments") {
  /** Needs `ModeSql` and `ResourceSql`. */
  static readonly layer = Layer.effect(
    Assessments,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const filtered = yield* FilteredLists

      const get = tracedFn("Assessments.get")((caller: Caller, id: string) => {
        // A malformed id, an unknown id, and an id of another organization or mode all give the same failure.
        const assessmentId = asUuid(id)
        if (assessmentId === undefined) return Effect.fail(new NotFound())
        return records.find(caller, assessmentId, storageReadMsMax).pipe(
          Effect.catchCause(orAssessmentUnavailable("read an assessment")),
          Effect.flatMap((stored) =>
            stored === undefined
              ? Effect.fail(new NotFound())
              : Effect.succeed({ body: encodeEvidence(stored) })
          )
        )
      })

      const pageOf = (caller: Caller, { cursor, filter = null, limit, q }: ListQuery) => {
        const query = { before: cursor === null ? undefined : idAtCursor(cursor), limit }
        const page =
          filter !== null
            ? filtered.assessments(caller, { ...filter, text: q }, query, storageReadMsMax)
            : q === null
              ? records.page(caller, query, storageReadMsMax)
              : records.search(caller, query, q, storageReadMsMax)
        return Effect.catchCause(page, orAssessmentUnavailable("list assessments"))
      }

      const list = tracedFn("Assessments.list")((caller: Caller, query: ListQuery, requestId: string) =>
        Effect.map(pageOf(caller, query), ({ itemsJson, lastId }) => {
          const page = {
            api_version: "v1",
            environment_mode: caller.mode,
            has_more: lastId !== null,
            next_cursor: lastId === null ? null : cursorOf(lastId),
            request_id: requestId
          } as const
          return { body: encodeListPage(page, itemsJson) }
        })
      )

      return Assessments.of({ get, list })
    })
  ).pipe(Layer.provide([AssessmentRecords.layer, FilteredLists.layer]))
}
