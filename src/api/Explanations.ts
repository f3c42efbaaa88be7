/** Schemas and operations that reconsider a stored assessment: what-if, replay, explanation. None of them stores anything. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import { assessmentResponseFields } from "./AssessmentResponse.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import { bodyErrors, errorInvalidEnvironment, errorNotFound, operationErrors } from "./Failures.ts"
import { answerHead, Count, Digest, RequestId, Uuid } from "./Scalars.ts"

const considered = {
  ...answerHead,
  assessment_id: Uuid,
  risk_engine_version: assessmentResponseFields.risk_engine_version,
  policy_version: assessmentResponseFields.policy_version
}

const exchanged = { request_id: RequestId, disclaimer: Schema.String }

const {
  action_category,
  action_risk,
  assessment_status,
  assumptions,
  blast_radius,
  missing_information,
  normalized_action_type,
  policy_context,
  reading,
  recommendations,
  recommended_control,
  risk_factors,
  summary
} = assessmentResponseFields

const Opinion = Schema.Struct({
  assessment_status,
  normalized_action_type,
  reading,
  action_category,
  action_risk,
  blast_radius,
  risk_factors,
  recommended_control,
  recommendations,
  policy_context,
  assumptions,
  missing_information,
  summary
}).annotate({ identifier: "ConsideredOpinion" })

export const WhatIfRequest = Schema.Struct({
  changes: Schema.Record(Schema.String, Schema.Json).annotate({
    message: "must be an object",
    description:
      "Fields of the assessed request with other values; null leaves a field out. The changed request is checked like a new one."
  })
}).annotate({ identifier: "WhatIfRequest" })

export const WhatIf = Schema.Struct({
  ...considered,
  input: AssessmentRequest.annotate({ description: "The changed request." }),
  recorded: Schema.Struct({ action_risk, blast_radius }).annotate({ description: "As it was answered." }),
  opinion: Opinion,
  ...exchanged
}).annotate({ identifier: "WhatIf" })
export type WhatIf = typeof WhatIf.Encoded

export const Replay = Schema.Struct({
  ...considered,
  equal: Schema.Boolean.annotate({
    description: "Whether the answer, computed again, has the digest that was recorded with it."
  }),
  result_digest: Digest.annotate({ description: "Recorded with the answer." }),
  recomputed_digest: Schema.NullOr(Digest).annotate({
    description: "The digest of the answer computed now; null if it cannot be computed again."
  }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "Why it cannot be computed again; null where it can."
  }),
  ...exchanged
}).annotate({ identifier: "Replay" })
export type Replay = typeof Replay.Encoded

const FactValue = Schema.Union([Schema.String, Schema.Boolean, Count])

const ExplainedCondition = Schema.Struct({
  depth: Count.annotate({
    description: "The depth of the line: the conditions of a rule as a tree, from the root on."
  }),
  group: Schema.optionalKey(Schema.Literals(["all", "any"])).annotate({
    description: "A group, of the deeper lines that follow. Without it the line is a condition on one fact."
  }),
  fact: Schema.optionalKey(Schema.String),
  operator: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Union([FactValue, Schema.Array(FactValue)])),
  actual: Schema.optionalKey(FactValue).annotate({ description: "The value that the condition saw." }),
  assumed: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "The value was assumed for a field that was left out."
  }),
  short_by: Schema.optionalKey(Count).annotate({
    description: "For a comparison that fails: the distance to the threshold, in the unit of the fact."
  }),
  result: Schema.Boolean,
  text: Schema.String.annotate({ description: "In words." })
}).annotate({ identifier: "ExplainedCondition" })

const ExplainedRule = Schema.Struct({
  kind: Schema.Literals(["factor", "typology", "policy"]),
  code: Schema.String.annotate({
    description: "The factor's code, the typology's name, or the policy rule's id."
  }),
  name: Schema.String.annotate({ description: "The rule's own name, HIGH_ENTITY_COUNT.high." }),
  gives: Schema.Union([Schema.String, Count]).annotate({
    description: "The effect of the rule if it holds: a severity, the least score, or the effect of a policy."
  }),
  result: Schema.Boolean.annotate({ description: "Whether it held." }),
  near: Schema.Boolean.annotate({
    description: "Whether one number alone missed its threshold by a little."
  }),
  conditions: Schema.Array(ExplainedCondition)
}).annotate({ identifier: "ExplainedRule" })

export const AssessmentExplanation = Schema.Struct({
  ...considered,
  rules: Schema.Array(ExplainedRule).annotate({
    description: "Every rule of the release and of the policies: factors, then typologies, then policies."
  }),
  ...exchanged
}).annotate({ identifier: "AssessmentExplanation" })

const params = { assessment_id: Uuid }

const askWhatIf = HttpApiEndpoint.post("askWhatIf", "/api/v1/assessments/:assessment_id/what-if", {
  params,
  payload: WhatIfRequest,
  success: WhatIf,
  error: [...operationErrors, ...bodyErrors, errorNotFound, errorInvalidEnvironment]
})
  .annotate(RequiredScope, "explain")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "askWhatIf",
      summary: "Ask what other statements would have changed",
      description:
        "The opinion on the assessed request with some of its fields stated otherwise, by the release, the policies and the history of the assessment. Nothing is stored, and it is no assessment: an agent that acts needs one of its own. NOT_FOUND also where the rules that scored it are not in this installation."
    })
  )

const replayAssessment = HttpApiEndpoint.post(
  "replayAssessment",
  "/api/v1/assessments/:assessment_id/replay",
  { params, success: Replay, error: [...operationErrors, ...bodyErrors, errorNotFound] }
)
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "replayAssessment",
      summary: "Compute an assessment again",
      description:
        "Computes the answer again from the stored request, history, release and policies, and compares its SHA-256 with the digest that was recorded with it."
    })
  )

const explainAssessment = HttpApiEndpoint.get(
  "explainAssessment",
  "/api/v1/assessments/:assessment_id/explanation",
  { params, success: AssessmentExplanation, error: [...operationErrors, errorNotFound] }
)
  .annotate(RequiredScope, "explain")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "explainAssessment",
      summary: "Explain an assessment",
      description:
        "Every rule that evaluated the assessment, with its conditions and the values that each one saw. NOT_FOUND also where the rules that scored it are not in this installation."
    })
  )

export const ExplanationsGroup = HttpApiGroup.make("explanations")
  .add(askWhatIf, replayAssessment, explainAssessment)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Explanations",
      description: "Stored assessments considered again by their own rules. Nothing here is stored."
    })
  )
