/** The read side (specification 4.2 and 4.3): stored assessments with their evidence, and their list. */

import { Context, Effect, Layer } from "effect"
import type { ActionItem, ActionList } from "../api/ActionList.ts"
import { type AssessmentUnavailable, NotFound } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { storageReadMsMax } from "../Limits.ts"
import { asUuid, cursorOf, idAtCursor } from "../storage/assessmentId.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { encodeEvidence } from "./encodeEvidence.ts"
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
    readonly list: (
      caller: Caller,
      query: ListQuery,
      requestId: string
    ) => Effect.Effect<{ readonly body: ActionList }, AssessmentUnavailable>
  }
>()("action-risk/assessment/Assessments") {
  /** Needs `ModeSql`. */
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
        const listed = found.slice(0, limit)
        const last = found.length > limit ? listed.at(-1) : undefined
        const body: ActionList = {
          api_version: "v1",
          environment_mode: caller.mode,
          data: listed.map(({ item }) => item as ActionItem),
          has_more: last !== undefined,
          next_cursor: last === undefined ? null : cursorOf(last.assessmentId),
          request_id: requestId
        }
        return { body }
      })

      return Assessments.of({ get, list })
    })
  ).pipe(Layer.provide(AssessmentRecords.layer))
}
