/** Contract section 5: the strongest control that applies, and its priority. */

import {
  type ActionRiskLevel,
  type ControlType,
  controlTypes,
  type FactorCategory,
  type Priority,
  type Severity
} from "../../src/domain/Opinion.ts"
import type { Policy } from "./Question.ts"
import { numbers } from "./files.ts"

interface Judged {
  readonly level: ActionRiskLevel
  /** Percent. */
  readonly confidence: number
  readonly incomplete: boolean
  readonly typology: boolean
  /** The reported factors. */
  readonly factors: ReadonlyArray<{ readonly category: FactorCategory; readonly severity: Severity }>
}

const priorities: Record<ControlType, Priority> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: "low",
  ENHANCED_LOGGING_RECOMMENDED: "low",
  CONTEXT_COMPLETION_RECOMMENDED: "moderate",
  STAGED_EXECUTION_RECOMMENDED: "moderate",
  HUMAN_CONFIRMATION_RECOMMENDED: "moderate",
  HUMAN_REVIEW_RECOMMENDED: "high",
  SECONDARY_APPROVAL_RECOMMENDED: "high",
  HUMAN_ESCALATION_RECOMMENDED: "critical"
}

const ownControl = ({ confidence, factors, incomplete, level, typology }: Judged): ControlType => {
  const has = (wanted: Severity): boolean => factors.some(({ severity }) => severity === wanted)
  if (incomplete) return "HUMAN_ESCALATION_RECOMMENDED"
  if (level === "critical" || has("critical") || typology) return "SECONDARY_APPROVAL_RECOMMENDED"
  if (level === "high") return "HUMAN_REVIEW_RECOMMENDED"
  if (has("high")) return "HUMAN_CONFIRMATION_RECOMMENDED"
  if (level === "moderate") {
    const staged = factors.some(({ category }) => category === "volume" || category === "operational")
    return staged ? "STAGED_EXECUTION_RECOMMENDED" : "HUMAN_CONFIRMATION_RECOMMENDED"
  }
  if (confidence < numbers.confidence.sufficient_percent) return "CONTEXT_COMPLETION_RECOMMENDED"
  return has("moderate") ? "ENHANCED_LOGGING_RECOMMENDED" : "NO_ADDITIONAL_CONTROL_RECOMMENDED"
}

export const controlOf = (judged: Judged, policies: ReadonlyArray<Policy>) => {
  const required = policies.flatMap(({ control }) => control ?? [])
  const strongest = [ownControl(judged), ...required].toSorted(
    (a, b) => controlTypes.indexOf(b) - controlTypes.indexOf(a)
  )
  const type = strongest[0] ?? "HUMAN_ESCALATION_RECOMMENDED"
  const critical = type === "SECONDARY_APPROVAL_RECOMMENDED" && judged.level === "critical"
  return { type, priority: critical ? "critical" : priorities[type] }
}
