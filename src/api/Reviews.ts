/** Schemas and operations for reviews of notable assessments (contract 4). A review records a person's judgment and authorizes nothing. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { reviewOutcomes, reviewReasons, reviewStates } from "../domain/Review.ts"
import { reviewNoteMax, searchMax } from "../limits.ts"
import { ActionItem, filteredPages, filterParameters } from "./Actions.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  bodyErrors,
  errorInvalidEnvironment,
  errorNotFound,
  errorValidationFailed,
  operationErrors
} from "./Failures.ts"
import { answerHead, IsoMillis, listOf, pageParameters, RequestId, Uuid } from "./Scalars.ts"
import { oneOfField, textField } from "./validation.ts"

const assessed = ActionItem.fields

const reviewFields = {
  id: Uuid.annotate({ description: "The id of the assessment: an assessment has at most one review." }),
  assessment_id: Uuid,
  state: Schema.Literals(reviewStates),
  reasons: Schema.Array(Schema.Literals(reviewReasons)).annotate({
    description:
      "Why it was opened: the action risk's `level` is high or critical, or the opinion is `incomplete`."
  }),
  action_type: assessed.action_type,
  normalized_action_type: assessed.normalized_action_type,
  action_category: assessed.action_category,
  environment: assessed.environment,
  agent_id: assessed.agent_id,
  target_system: assessed.target_system,
  target_resource: assessed.target_resource,
  destination: assessed.destination,
  assessment_status: assessed.assessment_status,
  action_risk: assessed.action_risk,
  blast_radius: assessed.blast_radius,
  recommended_control: assessed.recommended_control,
  outcome: Schema.NullOr(Schema.Literals(reviewOutcomes)).annotate({
    description:
      "The reviewer's opinion, for the record: it authorizes nothing. Null while the review is open."
  }),
  note: Schema.NullOr(Schema.String),
  created_at: IsoMillis,
  closed_at: Schema.NullOr(IsoMillis),
  closed_by: Schema.NullOr(
    Schema.Struct({
      key_id: Uuid,
      name: Schema.NullOr(Schema.String).annotate({
        description: "The name that the operator gave to the key; null if it has none."
      })
    })
  ).annotate({
    description:
      "The key that it was closed with. Null while the review is open, and where that was not recorded."
  }),
  links: Schema.Struct({
    assessment: Schema.String.annotate({
      description: "Path of the assessment, below the service's own URL."
    })
  })
}

export const ReviewItem = Schema.Struct(reviewFields).annotate({ identifier: "ReviewItem" })
export type ReviewItem = typeof ReviewItem.Encoded

export const ReviewList = listOf(ReviewItem).annotate({ identifier: "ReviewList" })
export type ReviewList = typeof ReviewList.Encoded

export const ReviewResponse = Schema.Struct({
  ...answerHead,
  ...reviewFields,
  request_id: RequestId,
  disclaimer: Schema.String
}).annotate({ identifier: "Review" })
export type ReviewResponse = typeof ReviewResponse.Encoded

export const CloseReviewRequest = Schema.Struct({
  outcome: oneOfField(reviewOutcomes).annotate({
    description:
      "The reviewer's opinion. `risk_rejected` also takes a complete assessment out of the baseline of later ones. No outcome authorizes anything."
  }),
  note: Schema.optionalKey(textField(reviewNoteMax, "The reason, for later readers of the review."))
}).annotate({ identifier: "CloseReviewRequest" })
export type CloseReviewRequest = typeof CloseReviewRequest.Type

const params = { review_id: Uuid }

const listReviews = HttpApiEndpoint.get("listReviews", "/api/v1/reviews", {
  query: {
    ...pageParameters("reviews"),
    ...filterParameters("reviews"),
    outcome: Schema.optionalKey(
      Schema.Literals(reviewOutcomes).annotate({ description: "Only reviews closed with this outcome." })
    ),
    state: Schema.optionalKey(
      Schema.Literals(reviewStates).annotate({ description: "Only reviews in this state." })
    ),
    q: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(searchMax)).annotate({
        description:
          "Text to find, in any case, in action_type, normalized_action_type, agent_id, target_system, target_resource, destination or action_description of the assessment."
      })
    )
  },
  success: ReviewList,
  error: [...operationErrors, errorValidationFailed]
})
  .annotate(RequiredScope, "reviews")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "listReviews",
      summary: "List reviews",
      description: `The organization's reviews in the mode of the key, newest assessment first. Every assessment at level high or critical, and every incomplete one, opens a review. A review records what a person thought of an assessment and authorizes nothing. ${filteredPages}`
    })
  )

const getReview = HttpApiEndpoint.get("getReview", "/api/v1/reviews/:review_id", {
  params,
  success: ReviewResponse,
  error: [...operationErrors, errorNotFound]
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
  error: [...operationErrors, ...bodyErrors, errorNotFound, errorInvalidEnvironment]
})
  .annotate(RequiredScope, "reviews")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "closeReview",
      summary: "Close a review",
      description:
        "Records what a person thought of the assessment, once: closing again with the same outcome answers with the same review, its first note unchanged, and another outcome is VALIDATION_FAILED. A key that is limited to environments closes only reviews of actions in these. No outcome authorizes, approves or stops the action. `risk_rejected` also takes a complete assessment out of the behaviour that later ones are compared with, so that what a person rejected does not become familiar or usual; pace and the sums of the last 24 hours keep it."
    })
  )

export const ReviewsGroup = HttpApiGroup.make("reviews")
  .add(listReviews, getReview, closeReview)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Reviews",
      description: "People's opinions of notable assessments; records that authorize nothing."
    })
  )
