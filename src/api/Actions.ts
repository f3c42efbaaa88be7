/** Schemas and operations for assessing actions, getting an assessment with its evidence, and listing actions (specification 4.1 to 4.3). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { actionCategories, environments } from "../domain/Action.ts"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { actionTypeMax, agentIdMax, searchMax } from "../limits.ts"
import { AssessmentRequest, drills } from "./AssessmentRequest.ts"
import {
  ActionRisk,
  AssessmentResponse,
  assessmentResponseFields,
  WireBlastRadius,
  WireRecommendedControl
} from "./AssessmentResponse.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  bodyErrors,
  errorAssessmentIncomplete,
  errorIdempotencyKeyReused,
  errorInvalidEnvironment,
  errorNotFound,
  errorValidationFailed,
  operationErrors
} from "./Failures.ts"
import { Count, Digest, IsoMillis, listOf, pageParameters, RequestId, Uuid } from "./Scalars.ts"
import { idempotencyKeyHeader } from "./validation.ts"

/** Null if the request left the field out. */
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
      Schema.Literals(drills).annotate({
        description:
          "Makes that outcome happen, to rehearse the fail-safe path. For test keys, with which any other value is VALIDATION_FAILED; live keys ignore it."
      })
    )
  },
  payload: AssessmentRequest,
  success: AssessmentResponse,
  error: [
    errorAssessmentIncomplete,
    ...operationErrors,
    ...bodyErrors,
    errorIdempotencyKeyReused,
    errorInvalidEnvironment
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

const several = (names: ReadonlyArray<string>, description: string) =>
  Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^(${names.join("|")})(,(${names.join("|")}))*$`, "u"))
    ).annotate({ description: `${description} One of ${names.join(", ")}, or several with commas.` })
  )

const instant = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** `things`: the plural noun for the listed items. */
export const filterParameters = (things: string) => ({
  level: several(actionRiskLevels, `Only ${things} whose action risk has this level.`),
  assessment_status: Schema.optionalKey(
    Schema.Literals(["complete", "incomplete"]).annotate({
      description: `Only ${things} whose opinion is complete, or only those whose opinion is not.`
    })
  ),
  environment: several(environments, `Only ${things} in this environment.`),
  category: several(actionCategories, `Only ${things} of this action_category.`),
  agent_id: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(agentIdMax)).annotate({
      description: `Only ${things} of this agent, as it was stated.`
    })
  ),
  action_type: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(actionTypeMax)).annotate({
      description: `Only ${things} of this action_type, as it was stated.`
    })
  ),
  factor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[A-Z][A-Z0-9_]*$/u)).annotate({
      description: `Only ${things} for which the risk factor of this code was raised.`
    })
  ),
  from: instant(
    `Only ${things} assessed at this date-time or later; a date alone stands for its first instant, in UTC.`
  ),
  to: instant(
    `Only ${things} assessed before this date-time; a date alone stands for the end of that day, in UTC.`
  )
})

/** A note for clients that page through a filtered list. */
export const filteredPages =
  "A filtered page looks at a bounded number of rows: it may hold fewer items than asked for, even none, while has_more is true, and goes on with next_cursor. Filters know an assessment about a second after its answer."

const listActions = HttpApiEndpoint.get("listActions", "/api/v1/actions", {
  query: {
    ...pageParameters("actions"),
    ...filterParameters("actions"),
    has_review: Schema.optionalKey(
      Schema.Literals(["true", "false"]).annotate({
        description:
          "Only actions with a review, open or closed, or only those without: level high or critical, or an incomplete opinion, opens one."
      })
    ),
    q: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(searchMax)).annotate({
        description:
          "Text to find, in any case, in action_type, normalized_action_type, agent_id, target_system, target_resource, destination or action_description; or an exact assessment_id, action_id or request_id. With another filter only text is found, no id."
      })
    )
  },
  success: ActionList,
  error: [...operationErrors, errorValidationFailed]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "listActions",
      summary: "List assessed actions",
      description: `The organization's assessed actions in the mode of the key, newest first. ${filteredPages}`
    })
  )

export const ActionsGroup = HttpApiGroup.make("actions")
  .add(assessAction, listActions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Actions", description: "Proposed actions, and opinions on their risk." })
  )

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
  sequence: Sealed(Count),
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
  error: [...operationErrors, errorNotFound]
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
