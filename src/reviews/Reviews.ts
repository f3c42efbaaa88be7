/** What people thought of notable assessments: listed, read, and closed once. A review authorizes nothing. */

import { Context, Effect, Layer } from "effect"
import { AssessmentUnavailable, NotFound, ValidationFailed } from "../api/Failures.ts"
import type { CloseReviewRequest, ReviewList, ReviewResponse } from "../api/Review.ts"
import type { Caller } from "../domain/Caller.ts"
import { disclaimer } from "../domain/Disclaimer.ts"
import type { ReviewState } from "../domain/Review.ts"
import { answerOr } from "../storage/answerOr.ts"
import { asUuid, idAtCursor } from "../storage/assessmentId.ts"
import { listBody } from "../api/listOf.ts"
import { cutPage } from "../storage/cutPage.ts"
import { ReviewRecords } from "../storage/ReviewRecords.ts"
import type { StoredReview } from "../storage/reviewRecords/read.ts"
import { encodeReview } from "./encodeReview.ts"

export interface ReviewQuery {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: only reviews of older assessments. */
  readonly cursor: string | null
  /** Null: open and closed ones. */
  readonly state: ReviewState | null
}

const { read, write } = answerOr(
  () =>
    new AssessmentUnavailable({ message: "the reviews cannot be reached right now; send the request again" })
)

const otherOutcome = () =>
  new ValidationFailed({
    details: [{ field: "outcome", message: "must be the outcome that the review was closed with" }]
  })

export class Reviews extends Context.Service<
  Reviews,
  {
    readonly list: (
      caller: Caller,
      query: ReviewQuery,
      requestId: string
    ) => Effect.Effect<ReviewList, AssessmentUnavailable>
    /** `id` as the caller sent it: a malformed one, an unknown one and a foreign one are all alike not there. */
    readonly get: (
      caller: Caller,
      id: string,
      requestId: string
    ) => Effect.Effect<ReviewResponse, NotFound | AssessmentUnavailable>
    /** Fails with `ValidationFailed` where the review is closed with another outcome; a closed one keeps its first note. */
    readonly close: (
      caller: Caller,
      id: string,
      closing: CloseReviewRequest,
      requestId: string
    ) => Effect.Effect<ReviewResponse, NotFound | ValidationFailed | AssessmentUnavailable>
  }
>()("action-risk/reviews/Reviews") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const records = yield* ReviewRecords

      const find = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const assessmentId = asUuid(id)
        if (assessmentId === undefined) return yield* new NotFound()
        const review = yield* read("read a review", records.find(caller, assessmentId))
        return review ?? (yield* new NotFound())
      })

      const answer = (caller: Caller, review: StoredReview, requestId: string): ReviewResponse => ({
        api_version: "v1",
        environment_mode: caller.mode,
        ...encodeReview(review),
        request_id: requestId,
        disclaimer
      })

      const list = Effect.fn("Reviews.list")(function* (
        caller: Caller,
        { cursor, limit, state }: ReviewQuery,
        requestId: string
      ) {
        const before = cursor === null ? undefined : idAtCursor(cursor)
        const found = yield* read(
          "list reviews",
          // One more than asked for tells whether there is a next page.
          records.page(caller, { before, limit: limit + 1, state })
        )
        const { nextCursor, rows } = cutPage(found, limit, ({ assessmentId }) => assessmentId)
        return listBody(caller.mode, rows.map(encodeReview), nextCursor, requestId)
      })

      const get = Effect.fn("Reviews.get")(function* (caller: Caller, id: string, requestId: string) {
        return answer(caller, yield* find(caller, id), requestId)
      })

      const close = Effect.fn("Reviews.close")(function* (
        caller: Caller,
        id: string,
        { note, outcome }: CloseReviewRequest,
        requestId: string
      ) {
        const assessmentId = asUuid(id)
        if (assessmentId === undefined) return yield* new NotFound()
        yield* write("close a review", records.close(caller, assessmentId, { outcome, note: note ?? null }))
        // Whoever closed it, this is how it was closed: of many at once one comes first.
        const review = yield* find(caller, assessmentId)
        return review.outcome === outcome ? answer(caller, review, requestId) : yield* otherOutcome()
      })

      return Reviews.of({ list, get, close })
    })
  ).pipe(Layer.provide(ReviewRecords.layer))
}
