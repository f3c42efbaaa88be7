/** A proposed action and a risk opinion as sent on the wire, for a client without dependencies, and the validation of an opinion. */

import type { DataClassification, Environment, Reversibility } from "../domain/Action.ts"
import {
  type ActionRiskLevel,
  actionRiskLevels,
  type ControlType,
  controlTypes,
  type Level,
  levels,
  severities,
  type Severity
} from "../domain/Opinion.ts"
import { either, finite, flag, listOfAll, oneOf, optional, orNull, record, text, wholeFrom } from "./shape.ts"

/** The action that an agent is about to take. State as much as you know: missing fields are never assumed to be harmless. */
export interface ProposedAction {
  readonly action_type: string
  readonly environment: Environment
  readonly agent_id?: string | undefined
  readonly target_system?: string | undefined
  readonly target_resource?: string | undefined
  readonly action_description?: string | undefined
  readonly entities_affected?: number | undefined
  readonly records_affected?: number | undefined
  /** In units of `currency`. */
  readonly financial_value?: number | undefined
  readonly currency?: string | undefined
  readonly destination?: string | undefined
  readonly data_classification?: DataClassification | "unknown" | undefined
  readonly reversibility?: Reversibility | "unknown" | undefined
  readonly privilege_change?: boolean | undefined
  readonly production_impact?: boolean | undefined
  /**
   * Stored with the evidence. Two members are read: `tool_call`, and `command`, the full command if `target_resource` contains only its
   * beginning.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /**
   * Stored with the evidence. One member is read: `instruction_source`, which is `user`, `agent`, or `untrusted_content`, and can only
   * raise the risk.
   */
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

interface RiskFactorShown {
  readonly code: string
  readonly category: string
  readonly severity: Severity
  readonly message: string
  /** Set if the factor rests on an assumed value. */
  readonly assumed?: true
}

interface ReadingShown {
  readonly by: string
  readonly entry?: string
  readonly provider?: string
  readonly verb?: string
  readonly object?: string
  readonly class: string
  readonly impact: ActionRiskLevel
  /** The tool arguments that affected the reading. */
  readonly arguments?: ReadonlyArray<{ readonly path: string; readonly role: string }>
  /** The arguments that could not be read. */
  readonly unread?: ReadonlyArray<string>
}

interface MissingShown {
  readonly field: string
  readonly could_raise_to: number
  readonly could_lower_to: number
  readonly higher?: { readonly level: ActionRiskLevel; readonly from?: string | number | boolean }
}

/** A risk opinion. It advises, and authorizes nothing. Values to which later versions may add are plain strings here. */
export interface Assessment {
  readonly api_version: "v1"
  readonly risk_engine_version: string
  readonly policy_version: string
  readonly assessment_id: string
  readonly action_id: string
  readonly request_id: string
  readonly status: "completed" | "incomplete"
  readonly assessment_status: "complete" | "incomplete"
  readonly environment_mode: "test" | "live"
  readonly normalized_action_type: string
  readonly reading?: ReadingShown
  readonly action_category: string
  readonly action_risk: {
    /** A whole number from 1 to 100. */
    readonly score: number
    readonly level: ActionRiskLevel
    /** From 0 to 1. */
    readonly confidence: number
    readonly range: { readonly low: number; readonly high: number }
  }
  readonly blast_radius: {
    readonly score: number
    readonly level: Level
    readonly dimensions: {
      readonly financial_impact: number
      readonly entity_impact: number
      readonly data_impact: number
      readonly operational_impact: number
      readonly privilege_impact: number
      readonly reversibility: number
    }
  }
  readonly risk_factors: ReadonlyArray<RiskFactorShown>
  readonly recommended_control: {
    readonly type: ControlType
    readonly priority: Severity
    /** The reasons, strongest first. */
    readonly because: ReadonlyArray<string>
  }
  readonly recommendations: ReadonlyArray<string>
  /** Sentences that name safer actions, or steps to take first. */
  readonly safer_alternatives: ReadonlyArray<string>
  readonly behavioral_context: {
    readonly historical_comparison_available: boolean
    readonly baseline_scope: string
    readonly sample_size: number
    readonly window_days: number
    readonly entity_volume_multiplier: number | null
    readonly financial_value_multiplier: number | null
    readonly velocity_multiplier: number | null
    readonly destination_seen_before: boolean
    readonly action_type_seen_before: boolean
  }
  readonly policy_context: ReadonlyArray<{
    readonly policy: string
    readonly rule: string
    readonly effect: string
  }>
  readonly assumptions: ReadonlyArray<{
    readonly field: string
    readonly assumed: string | number | boolean
    readonly entry?: string
    readonly argument?: string
  }>
  /** How stating a field could move the score, most influential first. */
  readonly missing_information: ReadonlyArray<MissingShown>
  readonly summary: string
  readonly timing: {
    readonly total_ms: number
    readonly validation_ms: number
    readonly behavior_ms: number
    readonly scoring_ms: number
    readonly policy_ms: number
  }
  readonly processing_time_ms: number
  readonly created_at: string
  readonly disclaimer: string
}

const score = wholeFrom(0, 100)
const level = oneOf(actionRiskLevels)
const scalar = either(text, either(finite, flag))

const isReading = record<ReadingShown>({
  by: text,
  entry: optional(text),
  provider: optional(text),
  verb: optional(text),
  object: optional(text),
  class: text,
  impact: level,
  arguments: optional(listOfAll(record({ path: text, role: text }))),
  unread: optional(listOfAll(text))
})

const isBlastRadius = record<Assessment["blast_radius"]>({
  score,
  level: oneOf(levels),
  dimensions: record({
    financial_impact: score,
    entity_impact: score,
    data_impact: score,
    operational_impact: score,
    privilege_impact: score,
    reversibility: score
  })
})

const isBehavioralContext = record<Assessment["behavioral_context"]>({
  historical_comparison_available: flag,
  baseline_scope: text,
  sample_size: finite,
  window_days: finite,
  entity_volume_multiplier: orNull(finite),
  financial_value_multiplier: orNull(finite),
  velocity_multiplier: orNull(finite),
  destination_seen_before: flag,
  action_type_seen_before: flag
})

/** Whether the value has everything that the type promises, so that no member of an opinion is missing. */
export const isAssessment = record<Assessment>({
  api_version: oneOf(["v1"]),
  risk_engine_version: text,
  policy_version: text,
  assessment_id: text,
  action_id: text,
  request_id: text,
  status: oneOf(["completed", "incomplete"]),
  assessment_status: oneOf(["complete", "incomplete"]),
  environment_mode: oneOf(["test", "live"]),
  normalized_action_type: text,
  reading: optional(isReading),
  action_category: text,
  action_risk: record({
    score: wholeFrom(1, 100),
    level,
    confidence: finite,
    range: record({ low: score, high: score })
  }),
  blast_radius: isBlastRadius,
  risk_factors: listOfAll(
    record<RiskFactorShown>({
      code: text,
      category: text,
      severity: oneOf(severities),
      message: text,
      assumed: optional(oneOf([true]))
    })
  ),
  recommended_control: record({
    type: oneOf(controlTypes),
    priority: oneOf(severities),
    because: listOfAll(text)
  }),
  recommendations: listOfAll(text),
  safer_alternatives: listOfAll(text),
  behavioral_context: isBehavioralContext,
  policy_context: listOfAll(record({ policy: text, rule: text, effect: text })),
  assumptions: listOfAll(
    record<Assessment["assumptions"][number]>({
      field: text,
      assumed: scalar,
      entry: optional(text),
      argument: optional(text)
    })
  ),
  missing_information: listOfAll(
    record<MissingShown>({
      field: text,
      could_raise_to: score,
      could_lower_to: score,
      higher: optional(record<NonNullable<MissingShown["higher"]>>({ level, from: optional(scalar) }))
    })
  ),
  summary: text,
  timing: record({
    total_ms: finite,
    validation_ms: finite,
    behavior_ms: finite,
    scoring_ms: finite,
    policy_ms: finite
  }),
  processing_time_ms: finite,
  created_at: text,
  disclaimer: text
})
