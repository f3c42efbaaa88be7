/** Stored assessments with the evidence that lets anyone recompute them (specification 4.2): the schema and the endpoint. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import { assessmentResponseFields } from "./AssessmentResponse.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorNotFound,
  errorRateLimited
} from "./ErrorEnvelope.ts"
import { Digest, IsoMillis, Uuid } from "./Scalars.ts"

/** History at the instant of the assessment; null when it could not be read. */
const BehaviorSnapshot = Schema.NullOr(Schema.Record(Schema.String, Schema.Json)).annotate({
  description: "The organization's history as the score saw it; null when it could not be read."
})

const Sealed = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).annotate({ description: "null until the entry is sealed, within a second or two." })

const Evidence = Schema.Struct({
  input_digest: Digest,
  result_digest: Digest,
  behavior_snapshot: BehaviorSnapshot,
  rules_digest: Digest,
  policy_digest: Digest,
  sequence: Sealed(Schema.Int),
  previous_digest: Sealed(Digest),
  entry_digest: Sealed(Digest),
  sealed_at: Sealed(IsoMillis)
}).annotate({ identifier: "Evidence" })

export const AssessmentEvidence = Schema.Struct({
  ...assessmentResponseFields,
  input: AssessmentRequest,
  evidence: Evidence
}).annotate({ identifier: "AssessmentEvidence" })
export type AssessmentEvidence = typeof AssessmentEvidence.Encoded

/** Stored assessments with their evidence (specification 4.2). */
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

export const AssessmentsGroup = HttpApiGroup.make("assessments")
  .add(getAssessment)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Assessments", description: "Immutable evidence of what was assessed." })
  )
