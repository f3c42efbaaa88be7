/** Assessing proposed actions and listing those assessed (specification 4.1 and 4.3). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { searchMax } from "../Limits.ts"
import { ActionList } from "./ActionList.ts"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import { AssessmentResponse } from "./AssessmentResponse.ts"
import { Authorization } from "./Authorization.ts"
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
} from "./errors.ts"
import { idempotencyKeyHeader } from "./idempotencyKeyHeader.ts"
import { pageParameters } from "./pageParameters.ts"
import { RequiredScope } from "./RequiredScope.ts"

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

export const Actions = HttpApiGroup.make("actions")
  .add(assessAction, listActions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Actions", description: "Proposed actions, and opinions on their risk." })
  )
