/** Handlers for reviews: list them, get one, close one. */

import { Effect, Result } from "effect"
import { CloseReviewRequest } from "../../api/Reviews.ts"
import { objectReader, validationFailed } from "../../api/validation.ts"
import { Reviews } from "../../assessment/Reviews.ts"
import { type ReviewOutcome, reviewOutcomes, type ReviewState, reviewStates } from "../../domain/Review.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { readFilteredQuery } from "../listFilters.ts"
import { enumCheck, readBody, readJson, searchCheck } from "../requestInput.ts"

const readClosing = objectReader(CloseReviewRequest)

export const reviewsHandlers = Effect.gen(function* () {
  const reviews = yield* Reviews

  const listReviews = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readFilteredQuery(exchange.query, {
      state: enumCheck(reviewStates),
      outcome: enumCheck(reviewOutcomes),
      q: searchCheck
    })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    // Invariant: `enumCheck` accepts only these names.
    const state = query.success.state as ReviewState | null
    const outcome = query.success.outcome as ReviewOutcome | null
    return jsonResponse(yield* reviews.list(caller, { ...query.success, state, outcome }, exchange.id))
  })

  const getReview = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return jsonResponse(yield* reviews.get(caller, params.review_id ?? "", exchange.id))
  })

  const closeReview = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const closing = readClosing(value, holdsNul)
    if (Result.isFailure(closing)) return yield* validationFailed(closing.failure)
    return jsonResponse(yield* reviews.close(caller, params.review_id ?? "", closing.success, exchange.id))
  })

  return { listReviews, getReview, closeReview }
})
