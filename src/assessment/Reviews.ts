/** Reviews of notable assessments by people: lists, reads and closes them. A review authorizes nothing. */

import { Context, Effect, Layer } from "effect"
import type { ActionItem } from "../api/Actions.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { AssessmentUnavailable, InvalidEnvironment, NotFound, ValidationFailed } from "../api/Failures.ts"
import type { CloseReviewRequest, ReviewItem, ReviewList, ReviewResponse } from "../api/Reviews.ts"
import { listBody } from "../api/Scalars.ts"
import type { Caller } from "../domain/Caller.ts"
import { type ActionRiskLevel, disclaimer } from "../domain/Opinion.ts"
import type { ReviewOutcome, ReviewState } from "../domain/Review.ts"
import { reviewsWorstFirstMax, storageReadMsMax } from "../limits.ts"
import {
  type QueuedReview,
  type ReviewPlace,
  ReviewRecords,
  type StoredReview
} from "../storage/ReviewRecords.ts"
import { type FacetFilter, FilteredLists } from "../storage/facets/FilteredLists.ts"
import { withStorageErrors } from "../storage/storageErrors.ts"
import { asUuid, cursorOf, cursorPage, idAtCursor } from "../storage/timeOrderedId.ts"

interface ReviewQuery {
  /** 1 to 100. */
  readonly limit: number
  /** An ISO date-time: the list starts with the review of the next older assessment. */
  readonly cursor: string | null
  /** Null: open and closed reviews. */
  readonly state: ReviewState | null
  readonly outcome?: ReviewOutcome | null
  readonly filter?: FacetFilter | null
  /** Text to find in any field of the assessment. */
  readonly q?: string | null
}

const { read, write } = withStorageErrors(
  () =>
    new AssessmentUnavailable({ message: "the reviews cannot be reached right now; send the request again" })
)

const closedWithOtherOutcome = () =>
  new ValidationFailed({
    details: [{ field: "outcome", message: "must be the outcome that the review was closed with" }]
  })

const wrongEnvironment = () =>
  new InvalidEnvironment({
    message:
      "this key may not close reviews of actions in the environment of this one; use a key that covers it"
  })

/** Whether a caller may close a review. The SQL statement that closes one checks the same. */
export const mayClose = (
  { environments }: Pick<Caller, "environments">,
  { environment }: Pick<ReviewItem, "environment">
): boolean => environments === null || environments.includes(environment)

export class Reviews extends Context.Service<
  Reviews,
  {
    readonly list: (
      caller: Caller,
      query: ReviewQuery,
      requestId: string
    ) => Effect.Effect<ReviewList, AssessmentUnavailable>
    /** `id` is the text that the caller sent. A malformed, an unknown and a foreign id all give the same `NotFound`. */
    readonly get: (
      caller: Caller,
      id: string,
      requestId: string
    ) => Effect.Effect<ReviewResponse, NotFound | AssessmentUnavailable>
    /**
     * The position of an assessment among the open reviews; with null, only their number. In the order in which people work through them:
     * worst first, or newest first if more than `reviewsWorstFirstMax` are open.
     */
    readonly place: (
      caller: Caller,
      of: QueuedReview | null
    ) => Effect.Effect<ReviewPlace, AssessmentUnavailable>
    /** Fails with `ValidationFailed` if the review was closed with another outcome. A closed review keeps its first note. */
    readonly close: (
      caller: Caller,
      id: string,
      closing: CloseReviewRequest,
      requestId: string
    ) => Effect.Effect<
      ReviewResponse,
      NotFound | ValidationFailed | InvalidEnvironment | AssessmentUnavailable
    >
  }
>()("action-risk/assessment/Reviews") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const records = yield* ReviewRecords
      const listFiltered = yield* makeListFiltered

      const find = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const assessmentId = asUuid(id)
        if (assessmentId === undefined) return yield* new NotFound()
        const [review] = yield* read("read a review", records.byIds(caller, [assessmentId]))
        return review ?? (yield* new NotFound())
      })

      const list = Effect.fn("Reviews.list")(function* (
        caller: Caller,
        { cursor, filter = null, limit, outcome = null, q = null, state }: ReviewQuery,
        requestId: string
      ) {
        const before = cursor === null ? undefined : idAtCursor(cursor)
        if (filter !== null || outcome !== null || q !== null)
          return yield* listFiltered(
            caller,
            { ...filter, text: q, state, outcome },
            { limit, before },
            requestId
          )
        const found = yield* read(
          "list reviews",
          // Fetches one row more than the page holds, to see whether there is a next page.
          records.page(caller, { before, limit: limit + 1, state })
        )
        const { nextCursor, rows } = cursorPage(found, limit, ({ assessmentId }) => assessmentId)
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
        const { environments, keyId, keyName: name } = caller
        const closing = { outcome, note: note ?? null, by: { keyId, name }, environments }
        yield* write("close a review", records.close(caller, assessmentId, closing))
        // Read after the write: the first of several concurrent closings wins, and all of them are compared with it.
        const review = yield* find(caller, assessmentId)
        if (!mayClose(caller, encodeReview(review))) return yield* wrongEnvironment()
        return review.outcome === outcome
          ? answer(caller, review, requestId)
          : yield* closedWithOtherOutcome()
      })

      return Reviews.of({ list, get, place: placeOf(records), close })
    })
  ).pipe(Layer.provide([ReviewRecords.layer, FilteredLists.layer]))
}

/** Worst first; with equal scores, newest first. */
export const byWorst = (a: QueuedReview, b: QueuedReview): number =>
  b.score - a.score || (a.assessmentId < b.assessmentId ? 1 : -1)

export const queuedReview = ({ action_risk, id }: Pick<ReviewItem, "action_risk" | "id">): QueuedReview => ({
  assessmentId: id,
  score: action_risk.score
})

/** `queue`: worst first. `of` may be closed and therefore missing from it. */
const placeIn = (queue: ReadonlyArray<QueuedReview>, of: QueuedReview): Omit<ReviewPlace, "closed"> => {
  const others = queue.filter(({ assessmentId }) => assessmentId !== of.assessmentId)
  const before = others.filter((other) => byWorst(other, of) < 0).length
  const idAt = (place: number) => others[place]?.assessmentId ?? null
  return {
    first: queue[0]?.assessmentId ?? null,
    previous: idAt(before - 1),
    next: idAt(before),
    before,
    open: queue.length
  }
}

const placeOf = (records: ReviewRecords["Service"]) =>
  Effect.fn("Reviews.place")(function* (caller: Caller, of: QueuedReview | null) {
    const newestFirst = yield* read("count open reviews", records.place(caller, of?.assessmentId ?? null))
    if (of === null || newestFirst.open > reviewsWorstFirstMax) return newestFirst
    const queue = yield* read("order open reviews", records.queue(caller, reviewsWorstFirstMax))
    return queue === null ? newestFirst : { ...newestFirst, ...placeIn(queue, of) }
  })

const answer = (caller: Caller, review: StoredReview, requestId: string): ReviewResponse => ({
  api_version: "v1",
  environment_mode: caller.mode,
  ...encodeReview(review),
  request_id: requestId,
  disclaimer
})

/** Lists the reviews that match a filter. */
const makeListFiltered = Effect.gen(function* () {
  const records = yield* ReviewRecords
  const { reviews } = yield* FilteredLists
  return Effect.fnUntraced(function* (
    caller: Caller,
    filter: Parameters<typeof reviews>[1],
    page: Parameters<typeof reviews>[2],
    requestId: string
  ) {
    const task = "list reviews by filters"
    const { ids, lastId } = yield* read(task, reviews(caller, filter, page, storageReadMsMax))
    const found = yield* read(task, records.byIds(caller, ids))
    return listBody(
      caller.mode,
      found.map(encodeReview),
      lastId === null ? null : cursorOf(lastId),
      requestId
    )
  })
})

/** The parts of an assessment that decide whether it opens a review. Its list row has them too. */
type Reviewable = Pick<AssessmentResponse, "assessment_status"> & {
  readonly action_risk: { readonly level: ActionRiskLevel }
}

/** Why an assessment opens a review (contract 4); empty if it opens none. The SQL statement that stores it applies the same rule. */
const reviewReasonsOf = ({
  action_risk: { level },
  assessment_status
}: Reviewable): ReviewItem["reasons"] => [
  ...(level === "high" || level === "critical" ? (["level"] as const) : []),
  ...(assessment_status === "incomplete" ? (["incomplete"] as const) : [])
]

export const opensReview = (item: Reviewable): boolean => reviewReasonsOf(item).length > 0

/** A stored review as an item on the wire. */
export const encodeReview = (review: StoredReview): ReviewItem => {
  // Invariant: `encodeListItem` wrote it, and stored rows never change.
  const item = review.item as ActionItem
  return {
    id: review.assessmentId,
    assessment_id: review.assessmentId,
    state: review.outcome === null ? "open" : "closed",
    reasons: reviewReasonsOf(item),
    action_type: item.action_type,
    normalized_action_type: item.normalized_action_type,
    action_category: item.action_category,
    environment: item.environment,
    agent_id: item.agent_id,
    target_system: item.target_system,
    target_resource: item.target_resource,
    destination: item.destination,
    assessment_status: item.assessment_status,
    action_risk: item.action_risk,
    blast_radius: item.blast_radius,
    recommended_control: item.recommended_control,
    outcome: review.outcome,
    note: review.note,
    created_at: review.openedAt.toISOString(),
    closed_at: review.closedAt?.toISOString() ?? null,
    closed_by: review.closedBy === null ? null : { key_id: review.closedBy, name: review.closedByName },
    links: { assessment: `/api/v1/assessments/${review.assessmentId}` }
  }
}
