/** The one control recommended for an action: advice to a human process, never an authorization. */

import type { Severity } from "./RiskFactor.ts"

export const controlTypes = [
  "NO_ADDITIONAL_CONTROL_RECOMMENDED",
  "ENHANCED_LOGGING_RECOMMENDED",
  "CONTEXT_COMPLETION_RECOMMENDED",
  "STAGED_EXECUTION_RECOMMENDED",
  "HUMAN_CONFIRMATION_RECOMMENDED",
  "HUMAN_REVIEW_RECOMMENDED",
  "SECONDARY_APPROVAL_RECOMMENDED",
  "HUMAN_ESCALATION_RECOMMENDED"
] as const
/** Weakest first. */
export type ControlType = (typeof controlTypes)[number]

/** The four priorities are spelled like severities. */
export type Priority = Severity

export interface RecommendedControl {
  readonly type: ControlType
  readonly priority: Priority
  /** One to five sentences, strongest reason first. */
  readonly because: ReadonlyArray<string>
}
