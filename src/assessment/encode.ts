/** Encodes an assessment: the answer of specification 2.2, its list item, its evidence, and its behavior snapshot. */

import type { ActionItem, ActionList } from "../api/Actions.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Action } from "../domain/Action.ts"
import type { BehaviorSnapshot, Sum } from "../domain/Behavior.ts"
import type { Mode } from "../domain/Caller.ts"
import { disclaimer, type Opinion } from "../domain/Opinion.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"

/** In milliseconds. */
export interface Timing {
  readonly total: number
  readonly validation: number
  readonly behavior: number
  readonly scoring: number
  readonly policy: number
}

/** The parts of an answer that do not come from the opinion. */
interface Stamp {
  readonly riskEngineVersion: string
  readonly policyVersion: string
  readonly assessmentId: string
  readonly actionId: string
  readonly requestId: string
  readonly mode: Mode
  readonly createdAtMicros: number
  readonly timing: Timing
}

export const encodeAssessment = (opinion: Opinion, stamp: Stamp): AssessmentResponse => ({
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
  reading: opinion.reading,
  action_category: opinion.actionCategory,
  action_risk: {
    score: opinion.actionRisk.score,
    level: opinion.actionRisk.level,
    confidence: opinion.actionRisk.confidence,
    range: { low: opinion.actionRisk.range.low, high: opinion.actionRisk.range.high }
  },
  blast_radius: encodeBlastRadius(opinion.blastRadius),
  risk_factors: opinion.riskFactors.map(({ assumed, category, code, message, severity }) => ({
    code,
    category,
    severity,
    message,
    ...(assumed === undefined ? {} : { assumed })
  })),
  recommended_control: {
    type: opinion.recommendedControl.type,
    priority: opinion.recommendedControl.priority,
    because: opinion.recommendedControl.because
  },
  recommendations: opinion.recommendations,
  safer_alternatives: opinion.saferAlternatives,
  behavioral_context: encodeBehavioralContext(opinion.behavioralContext),
  policy_context: opinion.policyContext.map(({ effect, policy, rule }) => ({ policy, rule, effect })),
  assumptions: opinion.assumptions.map(({ argument, assumed, entry, field }) => ({
    field,
    assumed,
    ...(entry === undefined ? {} : { entry }),
    ...(argument === undefined ? {} : { argument })
  })),
  missing_information: opinion.missingInformation.map((missing) => ({
    field: missing.field,
    could_raise_to: missing.couldRaiseTo,
    could_lower_to: missing.couldLowerTo,
    ...(missing.higher === undefined ? {} : { higher: missing.higher })
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

/** Milliseconds rounded to three decimals. */
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

/** The item of an assessment in lists (contract 3.3). Encoded once and stored with the assessment. */
export const encodeListItem = (action: Action, response: AssessmentResponse): ActionItem => ({
  assessment_id: response.assessment_id,
  action_id: response.action_id,
  request_id: response.request_id,
  action_type: action.actionType,
  normalized_action_type: response.normalized_action_type,
  action_category: response.action_category,
  environment: action.environment,
  agent_id: action.agentId ?? null,
  target_system: action.targetSystem ?? null,
  target_resource: action.targetResource ?? null,
  destination: action.destination ?? null,
  status: response.status,
  assessment_status: response.assessment_status,
  action_risk: {
    score: response.action_risk.score,
    level: response.action_risk.level,
    confidence: response.action_risk.confidence
  },
  blast_radius: { score: response.blast_radius.score, level: response.blast_radius.level },
  recommended_control: {
    type: response.recommended_control.type,
    priority: response.recommended_control.priority
  },
  created_at: response.created_at
})

/** The body of a stored assessment: its response, byte for byte, with `input` and `evidence` appended as members. */
export const encodeEvidence = (stored: StoredEvidence): Uint8Array => {
  const { behaviorSnapshot, seal } = stored
  const digests = {
    input_digest: hex(stored.inputDigest),
    result_digest: hex(stored.resultDigest)
  }
  const rest = {
    rules_digest: hex(stored.rulesDigest),
    policy_digest: hex(stored.policyDigest),
    sequence: seal?.sequence ?? null,
    previous_digest: seal === null ? null : hex(seal.previousDigest),
    entry_digest: seal === null ? null : hex(seal.entryDigest),
    sealed_at: seal?.sealedAt.toISOString() ?? null
  }
  // Joined as bytes: parsing and printing again could change the bytes whose digest was taken.
  return Buffer.concat([
    stored.response.subarray(0, -1),
    Buffer.from(`,"input":`),
    stored.input,
    Buffer.from(`,"evidence":${JSON.stringify(digests).slice(0, -1)},"behavior_snapshot":`),
    behaviorSnapshot ?? Buffer.from("null"),
    Buffer.from(`,${JSON.stringify(rest).slice(1)}}`)
  ])
}

const encodeSum = ({ entities, usdCents }: Sum) => ({ entities, usd_cents: usdCents })

/** The behavior snapshot as evidence: all the history that the score used, so that the score can be recomputed. */
export const encodeSnapshot = (snapshot: BehaviorSnapshot) => ({
  taken_at: snapshot.takenAt,
  window_days: snapshot.windowDays,
  sample_size: snapshot.sampleSize,
  entity_volume: { units: snapshot.entityVolume.units, median: snapshot.entityVolume.median },
  financial_value: {
    units: snapshot.financialValue.units,
    median_usd_cents: snapshot.financialValue.medianUsdCents
  },
  velocity: {
    last_hour: snapshot.velocity.lastHour,
    p95_per_hour: snapshot.velocity.p95PerHour,
    days: snapshot.velocity.days,
    hours: snapshot.velocity.hours
  },
  destination:
    snapshot.destination === null
      ? null
      : {
          days: snapshot.destination.days,
          first_seen_hours: snapshot.destination.firstSeenHours,
          largest_entities: snapshot.destination.largestEntities,
          largest_usd_cents: snapshot.destination.largestUsdCents,
          lookalike: snapshot.destination.lookalike
        },
  action_type_seen: snapshot.actionTypeSeen,
  agent_seen: snapshot.agentSeen,
  last_24_hours: encodeSum(snapshot.last24Hours),
  other_sums: {
    destination: snapshot.otherSums.destination === null ? null : encodeSum(snapshot.otherSums.destination),
    organization: encodeSum(snapshot.otherSums.organization)
  },
  usual_day: { days: snapshot.usualDay.days, ...encodeSum(snapshot.usualDay) },
  today: {
    units: snapshot.today.units,
    action_type_seen: snapshot.today.actionTypeSeen,
    destination_seen: snapshot.today.destinationSeen
  }
})

/** A page of the list (contract 3.3) as JSON bytes. `itemsJson` contains the stored items, separated by commas. */
export const encodeListPage = (
  { api_version, environment_mode, ...rest }: Omit<ActionList, "data">,
  itemsJson: string
): Uint8Array => {
  const start = JSON.stringify({ api_version, environment_mode }).slice(0, -1)
  // Joined as text: parsing and printing every item would take longer than reading the page.
  return Buffer.from(`${start},"data":[${itemsJson}],${JSON.stringify(rest).slice(1)}`)
}
