/** Stored assessments with their evidence (specification 4.2). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AssessmentEvidence } from "./AssessmentEvidence.ts"
import { Authorization } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorRateLimited
} from "./errors.ts"
import { RequiredScope } from "./RequiredScope.ts"
import { Uuid } from "./Scalars.ts"

const getAssessment = HttpApiEndpoint.get("getAssessment", "/api/v1/assessments/:assessment_id", {
  params: { assessment_id: Uuid },
  headers: {
    "if-none-match": Schema.optionalKey(
      Schema.String.annotate({
        description: "The `etag` of an earlier answer: 304 when nothing changed since."
      })
    )
  },
  success: [AssessmentEvidence, HttpApiSchema.Empty(304)],
  error: [
    errorMalformedJson,
    errorMethodNotAllowed,
    errorNotFound,
    errorRateLimited,
    errorAssessmentUnavailable
  ]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "getAssessment",
      summary: "Get an assessment with its evidence",
      description:
        "The stored opinion unchanged, the request it answers, and the evidence that lets anyone recompute it."
    })
  )

export const Assessments = HttpApiGroup.make("assessments")
  .add(getAssessment)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Assessments", description: "Immutable evidence of what was assessed." })
  )
