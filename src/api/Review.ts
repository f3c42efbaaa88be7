/** A review as it goes over the wire: what a person thought of an assessment (contract 4). */

import { Schema } from "effect"
import { modes } from "../domain/Mode.ts"
import { reviewOutcomes, reviewReasons, reviewStates } from "../domain/Review.ts"
import { reviewNoteMax } from "../Limits.ts"
import { ActionItem } from "./ActionList.ts"
import { listOf } from "./listOf.ts"
import { oneOf, text } from "./requestFields.ts"
import { IsoMillis, RequestId, Uuid } from "./Scalars.ts"

const assessed = ActionItem.fields

export const reviewFields = {
  id: Uuid.annotate({ description: "The id of the assessment: an assessment has one review at most." }),
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
      "What the reviewer thought, for the record: it authorizes nothing. Null while the review is open."
  }),
  note: Schema.NullOr(Schema.String),
  created_at: IsoMillis,
  closed_at: Schema.NullOr(IsoMillis),
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
  api_version: Schema.Literal("v1"),
  environment_mode: Schema.Literals(modes),
  ...reviewFields,
  request_id: RequestId,
  disclaimer: Schema.String
}).annotate({ identifier: "Review" })
export type ReviewResponse = typeof ReviewResponse.Encoded

export const CloseReviewRequest = Schema.Struct({
  outcome: oneOf(reviewOutcomes).annotate({
    description:
      "What the reviewer thought. `risk_rejected` also takes a complete assessment out of what later ones are compared with. No outcome authorizes anything."
  }),
  note: Schema.optionalKey(text(reviewNoteMax, "Why, for whoever reads the review later."))
}).annotate({ identifier: "CloseReviewRequest" })
export type CloseReviewRequest = typeof CloseReviewRequest.Type
