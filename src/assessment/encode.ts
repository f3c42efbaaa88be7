/** The opinion in the words and the order of specification 2.2. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { disclaimer } from "../domain/Disclaimer.ts"
import type { Mode } from "../domain/Mode.ts"
import type { Opinion } from "../domain/Opinion.ts"

/** Milliseconds. */
export interface Timing {
  readonly total: number
  readonly validation: number
  readonly behavior: number
  readonly scoring: number
  readonly policy: number
}

export interface Stamp {
  readonly riskEngineVersion: string
  readonly policyVersion: string
  readonly assessmentId: string
  readonly actionId: string
  readonly requestId: string
  readonly mode: Mode
  readonly createdAtMicros: number
  readonly timing: Timing
}

export const encode = (opinion: Opinion, stamp: Stamp): AssessmentResponse => ({
  api_version: "v1",
  risk_engine_version: stamp.riskEngineVersion,
  policy_version: stamp.policyVersion,
  assessment_id: stamp.assessmentId,
  action_id: stamp.actionId,
  request_id: stamp.requestId,
  status: opinion.complete ? "completed" : "incomplete",
  assessment_status: opinion.complete ? "complete" : "incomplete",
  environment_mode: stamp.mode,
  normalized_action_type: opinion.normalizedActionType,
  action_category: opinion.actionCategory,
  action_risk: {
    score: opinion.actionRisk.score,
    level: opinion.actionRisk.level,
    confidence: opinion.actionRisk.confidence,
    range: { low: opinion.actionRisk.range.low, high: opinion.actionRisk.range.high }
  },
  blast_radius: encodeBlastRadius(opinion.blastRadius),
  risk_factors: opinion.riskFactors.map(({ category, code, message, severity }) => ({
    code,
    category,
    severity,
    message
  })),
  recommended_control: {
    type: opinion.recommendedControl.type,
    priority: opinion.recommendedControl.priority,
    because: opinion.recommendedControl.because
  },
  recommendations: opinion.recommendations,
  behavioral_context: encodeBehavioralContext(opinion.behavioralContext),
  policy_context: opinion.policyContext.map(({ effect, policy, rule }) => ({ policy, rule, effect })),
  assumptions: opinion.assumptions.map(({ assumed, field }) => ({ field, assumed })),
  missing_information: opinion.missingInformation.map((missing) => ({
    field: missing.field,
    could_raise_to: missing.couldRaiseTo,
    could_lower_to: missing.couldLowerTo
  })),
  summary: opinion.summary,
  timing: {
    total_ms: toMicros(stamp.timing.total),
    validation_ms: toMicros(stamp.timing.validation),
    behavior_ms: toMicros(stamp.timing.behavior),
    scoring_ms: toMicros(stamp.timing.scoring),
    policy_ms: toMicros(stamp.timing.policy)
  },
  processing_time_ms: Math.ceil(toMicros(stamp.timing.total)),
  created_at: new Date(Math.floor(stamp.createdAtMicros / microsPerMilli)).toISOString(),
  disclaimer
})

const microsPerMilli = 1_000

/** Milliseconds with three decimals. */
const toMicros = (ms: number): number => Math.round(ms * microsPerMilli) / microsPerMilli

const encodeBlastRadius = ({ dimensions, level, score }: Opinion["blastRadius"]) => ({
  score,
  level,
  dimensions: {
    financial_impact: dimensions.financialImpact,
    entity_impact: dimensions.entityImpact,
    data_impact: dimensions.dataImpact,
    operational_impact: dimensions.operationalImpact,
    privilege_impact: dimensions.privilegeImpact,
    reversibility: dimensions.reversibility
  }
})

const encodeBehavioralContext = (context: Opinion["behavioralContext"]) => ({
  historical_comparison_available: context.historicalComparisonAvailable,
  baseline_scope: context.baselineScope,
  sample_size: context.sampleSize,
  window_days: context.windowDays,
  entity_volume_multiplier: context.entityVolumeMultiplier,
  financial_value_multiplier: context.financialValueMultiplier,
  velocity_multiplier: context.velocityMultiplier,
  destination_seen_before: context.destinationSeenBefore,
  action_type_seen_before: context.actionTypeSeenBefore
})
