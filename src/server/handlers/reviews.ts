/** Reviews: listing, getting and closing them. */

import { Effect, Result } from "effect"
import { objectReader } from "../../api/readObject.ts"
import { CloseReviewRequest } from "../../api/Review.ts"
import { type ReviewState, reviewStates } from "../../domain/Review.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { json } from "../Answer.ts"
import type { Call } from "../Handler.ts"
import { oneOf, readListQuery } from "../listQuery.ts"
import { readBody } from "../readBody.ts"
import { readJson } from "../readJson.ts"
import { validationFailed } from "../validationFailed.ts"

const readClosing = objectReader(CloseReviewRequest)

export const reviewsHandlers = Effect.gen(function* () {
  const reviews = yield* Reviews

  const listReviews = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readListQuery(exchange.query, { state: oneOf(reviewStates) })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    // Invariant: the check above lets nothing else through.
    const state = query.success.state as ReviewState | null
    return json(yield* reviews.list(caller, { ...query.success, state }, exchange.id))
  })

  const getReview = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return json(yield* reviews.get(caller, params.review_id ?? "", exchange.id))
  })

  const closeReview = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const closing = readClosing(value, holdsNul)
    if (Result.isFailure(closing)) return yield* validationFailed(closing.failure)
    return json(yield* reviews.close(caller, params.review_id ?? "", closing.success, exchange.id))
  })

  return { listReviews, getReview, closeReview }
})
