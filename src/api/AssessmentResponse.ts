/** The risk opinion on the wire: specification 2.2 and 2.3, with the additional fields of the contract. */

import { Schema } from "effect"
import { actionCategories, actionClasses } from "../domain/Action.ts"
import { modes } from "../domain/Caller.ts"
import {
  actionRiskLevels,
  controlTypes,
  factorCategories,
  levels,
  policyEffects,
  readingSources,
  severities
} from "../domain/Opinion.ts"
import { Count, IsoMillis, NonNegative, RequestId, Score, Uuid } from "./Scalars.ts"

export const ActionRisk = Schema.Struct({
  score: Score,
  level: Schema.Literals(actionRiskLevels),
  confidence: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
    description:
      "How sure the level is, from 0 to 1. It is 1 if no plausible value of a missing field changes the level, less the more of them do, less for statements that contradict each other, and at most 0.5 for a call or a command that could not be read. It is also at most as high as experienced people agree about scores like this one: lowest near the edge of a level."
  }),
  range: Schema.Struct({ low: Score, high: Score }).annotate({
    description: "The scores that plausible values of missing information lead to."
  })
}).annotate({ identifier: "ActionRisk" })

export const WireBlastRadius = Schema.Struct({
  score: Score,
  level: Schema.Literals(levels),
  dimensions: Schema.Struct({
    financial_impact: Score,
    entity_impact: Score,
    data_impact: Score,
    operational_impact: Score,
    privilege_impact: Score,
    reversibility: Score
  })
}).annotate({ identifier: "BlastRadius" })

const RiskFactor = Schema.Struct({
  code: Schema.String.annotate({ description: "Stable identifier, for example SENSITIVE_DATA_EXPORT." }),
  category: Schema.Literals(factorCategories),
  severity: Schema.Literals(severities),
  message: Schema.String,
  assumed: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "The factor rests on a value that was assumed for a field left out."
  })
}).annotate({ identifier: "RiskFactor" })

const Reading = Schema.Struct({
  by: Schema.Literals(readingSources).annotate({
    description:
      "The source: the organization's catalogue, a provider's catalogue, the words of the name, or the command."
  }),
  entry: Schema.optionalKey(Schema.String).annotate({
    description: "The entry of the organization's catalogue that told it."
  }),
  provider: Schema.optionalKey(Schema.String),
  verb: Schema.optionalKey(Schema.String),
  object: Schema.optionalKey(Schema.String),
  class: Schema.Literals(actionClasses),
  impact: Schema.Literals(actionRiskLevels).annotate({
    description: "The attention that the bare call deserves in production."
  }),
  arguments: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        path: Schema.String.annotate({ description: "Its path: `$.items[0].price`." }),
        role: Schema.String.annotate({
          description: "The role of its parameter: `money`, `code`, `unknown`."
        })
      })
    )
  ).annotate({ description: "The arguments of `metadata.tool_call` that counted." }),
  unread: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description:
      "Paths of arguments that were not read, because the call is too large or its code was not understood. The confidence is at most 0.5 then."
  })
}).annotate({
  identifier: "Reading",
  description: "How the call was read."
})

export const WireRecommendedControl = Schema.Struct({
  type: Schema.Literals(controlTypes),
  priority: Schema.Literals(severities),
  because: Schema.Array(Schema.String).annotate({ description: "The reasons, strongest first; never empty." })
}).annotate({ identifier: "RecommendedControl" })

const Multiplier = Schema.NullOr(NonNegative)

const BehavioralContext = Schema.Struct({
  historical_comparison_available: Schema.Boolean,
  baseline_scope: Schema.Literal("organization"),
  sample_size: Count,
  window_days: Count,
  entity_volume_multiplier: Multiplier,
  financial_value_multiplier: Multiplier,
  velocity_multiplier: Multiplier,
  destination_seen_before: Schema.Boolean,
  action_type_seen_before: Schema.Boolean
}).annotate({ identifier: "BehavioralContext" })

const Timing = Schema.Struct({
  total_ms: NonNegative,
  validation_ms: NonNegative,
  behavior_ms: NonNegative,
  scoring_ms: NonNegative,
  policy_ms: NonNegative
}).annotate({ identifier: "Timing", description: "Milliseconds with three decimals." })

export const assessmentResponseFields = {
  api_version: Schema.Literal("v1"),
  risk_engine_version: Schema.String,
  policy_version: Schema.String,
  assessment_id: Uuid,
  action_id: Uuid,
  request_id: RequestId,
  status: Schema.Literals(["completed", "incomplete"]),
  assessment_status: Schema.Literals(["complete", "incomplete"]),
  environment_mode: Schema.Literals(modes),
  normalized_action_type: Schema.String,
  reading: Reading,
  action_category: Schema.Literals(actionCategories),
  action_risk: ActionRisk,
  blast_radius: WireBlastRadius,
  risk_factors: Schema.Array(RiskFactor),
  recommended_control: WireRecommendedControl,
  recommendations: Schema.Array(Schema.String),
  safer_alternatives: Schema.Array(Schema.String).annotate({
    description:
      "Safer actions, or steps to take first, in sentences. Empty if no person needs to look at the action."
  }),
  behavioral_context: BehavioralContext,
  policy_context: Schema.Array(
    Schema.Struct({ policy: Schema.String, rule: Schema.String, effect: Schema.Literals(policyEffects) })
  ),
  assumptions: Schema.Array(
    Schema.Struct({
      field: Schema.String,
      assumed: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]),
      entry: Schema.optionalKey(Schema.String).annotate({
        description:
          "The entry of the organization's catalogue that says so; absent where the model assumes it."
      }),
      argument: Schema.optionalKey(Schema.String).annotate({
        description: "The argument of the tool from which it was read: `$.amount`."
      })
    })
  ).annotate({
    description:
      "The values that were assumed for fields left out, and those of the organization's catalogue that are riskier than what was stated."
  }),
  missing_information: Schema.Array(
    Schema.Struct({
      field: Schema.String,
      could_raise_to: Score,
      could_lower_to: Score,
      higher: Schema.optionalKey(
        Schema.Struct({
          level: Schema.Literals(actionRiskLevels),
          from: Schema.optionalKey(Schema.Union([Schema.String, NonNegative, Schema.Boolean]))
        })
      ).annotate({
        description:
          "The next level, and the value of the field from which on it is reached; a figure is rounded down to two digits."
      })
    })
  ).annotate({
    description:
      "How stating a field could move the score, most influential first. Stating a field that is neither in the request nor listed here does not move the score; a destination of a harmless action may move it within its level."
  }),
  summary: Schema.String,
  timing: Timing,
  processing_time_ms: Count,
  created_at: IsoMillis,
  disclaimer: Schema.String
}

export const AssessmentResponse = Schema.Struct(assessmentResponseFields).annotate({
  identifier: "AssessmentResponse"
})
export type AssessmentResponse = typeof AssessmentResponse.Encoded
