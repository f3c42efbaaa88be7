/** The read side (specification 4.2 and 4.3): stored assessments with their evidence, and their list. */

import { Context, Effect, Layer } from "effect"
import { type AssessmentUnavailable, NotFound } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { storageReadMsMax } from "../Limits.ts"
import { asUuid, idAtCursor } from "../storage/assessmentId.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { cutPage } from "../storage/cutPage.ts"
import { encodeEvidence } from "./encodeEvidence.ts"
import { encodeList } from "./encodeList.ts"
import { orUnavailable } from "./orUnavailable.ts"

export interface ListQuery {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: only older assessments. */
  readonly cursor: string | null
  readonly q: string | null
}

export class Assessments extends Context.Service<
  Assessments,
  {
    /** The exact JSON bytes, equal on every read once sealed. */
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

      const get = Effect.fn("Assessments.get")(function* (caller: Caller, id: string) {
        // A malformed id, an unknown one, and one of another organization or mode are all alike: not there.
        const assessmentId = asUuid(id)
        if (assessmentId === undefined) return yield* new NotFound()
        const stored = yield* orUnavailable(
          "read an assessment",
          storageReadMsMax,
          records.find(caller, assessmentId)
        )
        if (stored === undefined) return yield* new NotFound()
        return { body: encodeEvidence(stored) }
      })

      const list = Effect.fn("Assessments.list")(function* (
        caller: Caller,
        { cursor, limit, q }: ListQuery,
        requestId: string
      ) {
        const before = cursor === null ? undefined : idAtCursor(cursor)
        const page = records.page(caller, { before, search: q, limit: limit + 1 })
        // One more than asked for tells whether there is a next page.
        const found = yield* orUnavailable("list assessments", storageReadMsMax, page)
        const { nextCursor, rows } = cutPage(found, limit, ({ assessmentId }) => assessmentId)
        const around = {
          api_version: "v1",
          environment_mode: caller.mode,
          has_more: nextCursor !== null,
          next_cursor: nextCursor,
          request_id: requestId
        } as const
        const items = rows.map(({ itemJson }) => itemJson)
        return { body: encodeList(around, items) }
      })

      return Assessments.of({ get, list })
    })
  ).pipe(Layer.provide(AssessmentRecords.layer))
}
