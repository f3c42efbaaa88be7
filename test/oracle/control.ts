/** Contract section 5: the strongest control that applies, and its priority. */

import {
  type ActionRiskLevel,
  type ControlType,
  controlTypes,
  type Priority
} from "../../src/domain/Opinion.ts"
import type { Policy } from "./Question.ts"
import { categoryOf, type Found } from "./catalogue.ts"
import { numbers } from "./numbers.ts"

interface Judged {
  readonly level: ActionRiskLevel
  /** Percent. */
  readonly confidence: number
  readonly incomplete: boolean
  readonly typology: boolean
  readonly factors: ReadonlyArray<Found>
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

const ownControl = ({ level, confidence, incomplete, typology, factors }: Judged): ControlType => {
  const has = (severity: string): boolean => factors.some((factor) => factor.severity === severity)
  const isStaged = factors
    .map(categoryOf)
    .some((category) => category === "volume" || category === "operational")
  if (incomplete) return "HUMAN_ESCALATION_RECOMMENDED"
  if (level === "critical" || has("critical") || typology) return "SECONDARY_APPROVAL_RECOMMENDED"
  if (level === "high") return "HUMAN_REVIEW_RECOMMENDED"
  if (has("high")) return "HUMAN_CONFIRMATION_RECOMMENDED"
  if (level === "moderate")
    return isStaged ? "STAGED_EXECUTION_RECOMMENDED" : "HUMAN_CONFIRMATION_RECOMMENDED"
  if (confidence < numbers.confidence.sufficient_percent) return "CONTEXT_COMPLETION_RECOMMENDED"
  return has("moderate") ? "ENHANCED_LOGGING_RECOMMENDED" : "NO_ADDITIONAL_CONTROL_RECOMMENDED"
}

export const controlOf = (judged: Judged, policies: ReadonlyArray<Policy>) => {
  const required = policies.flatMap(({ control }) => control ?? [])
  const rank = Math.max(...[ownControl(judged), ...required].map((type) => controlTypes.indexOf(type)))
  const type = controlTypes[rank] ?? "HUMAN_ESCALATION_RECOMMENDED"
  const critical = type === "SECONDARY_APPROVAL_RECOMMENDED" && judged.level === "critical"
  return { type, priority: critical ? "critical" : priorities[type] }
}
