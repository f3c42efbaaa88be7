/** Reviews of notable assessments: records of what people thought, which authorize nothing (contract 4). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { reviewStates } from "../domain/Review.ts"
import { Authorization } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorPayloadTooLarge,
  errorRateLimited,
  errorValidationFailed
} from "./errors.ts"
import { pageParameters } from "./pageParameters.ts"
import { RequiredScope } from "./RequiredScope.ts"
import { CloseReviewRequest, ReviewList, ReviewResponse } from "./Review.ts"
import { Uuid } from "./Scalars.ts"

const params = { review_id: Uuid }

const listReviews = HttpApiEndpoint.get("listReviews", "/api/v1/reviews", {
  query: {
    ...pageParameters("reviews"),
    state: Schema.optionalKey(
      Schema.Literals(reviewStates).annotate({ description: "Only reviews in this state." })
    )
  },
  success: ReviewList,
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorValidationFailed,
    errorRateLimited,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "reviews")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "listReviews",
      summary: "List reviews",
      description:
        "The organization's reviews in the mode of the key, newest assessment first. Every assessment at level high or critical, and every incomplete one, opens a review. A review records what a person thought of an assessment and authorizes nothing."
    })
  )

const getReview = HttpApiEndpoint.get("getReview", "/api/v1/reviews/:review_id", {
  params,
  success: ReviewResponse,
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorNotFound,
    errorRateLimited,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "reviews")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "getReview",
      summary: "Get a review",
      description:
        "One review, open or closed, under the id of its assessment. It records what a person thought and authorizes nothing."
    })
  )

const closeReview = HttpApiEndpoint.post("closeReview", "/api/v1/reviews/:review_id/close", {
  params,
  payload: CloseReviewRequest,
  success: ReviewResponse,
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorNotFound,
    errorPayloadTooLarge,
    errorValidationFailed,
    errorRateLimited,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "reviews")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "closeReview",
      summary: "Close a review",
      description:
        "Records what a person thought of the assessment, once: closing again with the same outcome answers with the same review, its first note unchanged, and another outcome is VALIDATION_FAILED. No outcome authorizes, approves or stops the action. `risk_rejected` also takes a complete assessment out of the behaviour that later ones are compared with, so that what a person rejected does not become familiar or usual; pace and the sums of the last 24 hours keep it."
    })
  )

export const Reviews = HttpApiGroup.make("reviews")
  .add(listReviews, getReview, closeReview)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Reviews",
      description: "What people thought of notable assessments; records that authorize nothing."
    })
  )
