/** Assessing proposed actions and listing the assessed ones (specification 4.1 and 4.3): the list on the wire, and the endpoints. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { actionCategories, environments } from "../domain/Action.ts"
import { searchMax } from "../limits.ts"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import {
  ActionRisk,
  AssessmentResponse,
  WireBlastRadius,
  WireRecommendedControl
} from "./AssessmentResponse.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  errorAssessmentIncomplete,
  errorAssessmentUnavailable,
  errorIdempotencyKeyReused,
  errorInvalidEnvironment,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorPayloadTooLarge,
  errorRateLimited,
  errorValidationFailed
} from "./ErrorEnvelope.ts"
import { listOf, pageParameters } from "./Page.ts"
import { IsoMillis, RequestId, Uuid } from "./Scalars.ts"
import { idempotencyKeyHeader } from "./validation.ts"

/** Optional fields that the request left out are null. */
const Stated = Schema.NullOr(Schema.String)

export const ActionItem = Schema.Struct({
  assessment_id: Uuid,
  action_id: Uuid,
  request_id: RequestId,
  action_type: Schema.String,
  normalized_action_type: Schema.String,
  action_category: Schema.Literals(actionCategories),
  environment: Schema.Literals(environments),
  agent_id: Stated,
  target_system: Stated,
  target_resource: Stated,
  destination: Stated,
  status: Schema.Literals(["completed", "incomplete"]),
  assessment_status: Schema.Literals(["complete", "incomplete"]),
  action_risk: Schema.Struct({
    score: ActionRisk.fields.score,
    level: ActionRisk.fields.level,
    confidence: ActionRisk.fields.confidence
  }),
  blast_radius: Schema.Struct({ score: WireBlastRadius.fields.score, level: WireBlastRadius.fields.level }),
  recommended_control: Schema.Struct({
    type: WireRecommendedControl.fields.type,
    priority: WireRecommendedControl.fields.priority
  }),
  created_at: IsoMillis
}).annotate({ identifier: "ActionItem" })
export type ActionItem = typeof ActionItem.Encoded

export const ActionList = listOf(ActionItem).annotate({ identifier: "ActionList" })
export type ActionList = typeof ActionList.Encoded

/** Assessing proposed actions and listing those assessed (specification 4.1 and 4.3). */
export const assessPath = "/api/v1/actions/assess"

const assessAction = HttpApiEndpoint.post("assessAction", assessPath, {
  headers: {
    ...idempotencyKeyHeader("The same key and body give the same assessment for 24 hours."),
    prefer: Schema.optionalKey(
      Schema.String.annotate({
        description: "`handling=strict` answers 503 ASSESSMENT_INCOMPLETE instead of an incomplete opinion."
      })
    ),
    "svc-drill": Schema.optionalKey(
      Schema.Literals(["incomplete", "unavailable", "rate-limited", "slow"]).annotate({
        description: "Test keys only: makes that outcome happen, to rehearse the fail-safe path."
      })
    )
  },
  payload: AssessmentRequest,
  success: AssessmentResponse,
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorIdempotencyKeyReused,
    errorPayloadTooLarge,
    errorValidationFailed,
    errorInvalidEnvironment,
    errorRateLimited,
    errorAssessmentIncomplete,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "assess")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "assessAction",
      summary: "Assess one proposed action",
      description:
        "Returns a risk opinion on an action before it runs, complete or incomplete. Any error means that no opinion was produced; it never means low risk, and never that the action was blocked."
    })
  )

const listActions = HttpApiEndpoint.get("listActions", "/api/v1/actions", {
  query: {
    ...pageParameters("actions"),
    q: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(searchMax)).annotate({
        description:
          "Text to find, in any case, in action_type, normalized_action_type, agent_id, target_system, target_resource, destination or action_description; or an exact assessment_id, action_id or request_id."
      })
    )
  },
  success: ActionList,
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorValidationFailed,
    errorRateLimited,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "listActions",
      summary: "List assessed actions",
      description: "The organization's assessed actions in the mode of the key, newest first."
    })
  )

export const ActionsGroup = HttpApiGroup.make("actions")
  .add(assessAction, listActions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Actions", description: "Proposed actions, and opinions on their risk." })
  )
