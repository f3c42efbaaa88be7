/** The strongest control that applies, with the reasons that forced it (contract §5). */

import { type ControlType, controlTypes, type Priority, type RecommendedControl } from "../domain/Control.ts"
import type { ActionRiskLevel } from "../domain/Level.ts"
import type { FactorCategory, RiskFactor, Severity } from "../domain/RiskFactor.ts"
import type { Evaluation } from "./Evaluation.ts"
import { renderMessage } from "./renderMessage.ts"

const reasonsMax = 5

export interface ControlGrounds {
  readonly complete: boolean
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  readonly sufficientPercent: number
  readonly factors: ReadonlyArray<RiskFactor>
  readonly evaluation: Pick<Evaluation, "facts" | "matches">
}

interface Step {
  readonly applies: boolean
  /** Strongest first. */
  readonly reasons: ReadonlyArray<string>
}

const stagedCategories: ReadonlySet<FactorCategory> = new Set(["volume", "operational"])

/** Every step with whether it applies; the last that does is recommended. */
const steps = (grounds: ControlGrounds): Readonly<Record<ControlType, Step>> => {
  const { complete, confidencePercent, evaluation, factors, level, sufficientPercent } = grounds
  const of = (...wanted: ReadonlyArray<Severity>) =>
    factors.filter(({ severity }) => wanted.includes(severity))
  const messages = (list: ReadonlyArray<RiskFactor>) => list.map(({ message }) => message)
  const typologies = evaluation.matches.rules.typologies.map(({ message }) =>
    renderMessage(message, evaluation.facts)
  )
  const staged = factors.filter(({ category }) => stagedCategories.has(category))
  const grave = of("critical", "high")
  return {
    NO_ADDITIONAL_CONTROL_RECOMMENDED: { applies: true, reasons: [] },
    ENHANCED_LOGGING_RECOMMENDED: {
      applies: level === "low" && of("moderate").length > 0,
      reasons: messages(of("moderate"))
    },
    CONTEXT_COMPLETION_RECOMMENDED: {
      applies: level === "low" && confidencePercent < sufficientPercent,
      reasons: messages(factors.filter(({ category }) => category === "completeness"))
    },
    STAGED_EXECUTION_RECOMMENDED: {
      applies: level === "moderate" && staged.length > 0,
      reasons: messages(staged)
    },
    HUMAN_CONFIRMATION_RECOMMENDED: {
      applies: (level === "moderate" && staged.length === 0) || grave.length > 0,
      reasons: messages(grave)
    },
    HUMAN_REVIEW_RECOMMENDED: { applies: level === "high", reasons: messages(grave) },
    SECONDARY_APPROVAL_RECOMMENDED: {
      applies: level === "critical" || of("critical").length > 0 || typologies.length > 0,
      reasons:
        of("critical").length + typologies.length > 0
          ? [...typologies, ...messages(of("critical"))]
          : messages(grave)
    },
    HUMAN_ESCALATION_RECOMMENDED: {
      applies: !complete,
      reasons: messages(
        factors.filter(({ category }) => category === "completeness" || category === "policy")
      )
    }
  }
}

const priorities: Readonly<Record<ControlType, Priority>> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: "low",
  ENHANCED_LOGGING_RECOMMENDED: "low",
  CONTEXT_COMPLETION_RECOMMENDED: "moderate",
  STAGED_EXECUTION_RECOMMENDED: "moderate",
  HUMAN_CONFIRMATION_RECOMMENDED: "moderate",
  HUMAN_REVIEW_RECOMMENDED: "high",
  SECONDARY_APPROVAL_RECOMMENDED: "high",
  HUMAN_ESCALATION_RECOMMENDED: "critical"
}

const priorityOf = (type: ControlType, level: ActionRiskLevel): Priority =>
  type === "SECONDARY_APPROVAL_RECOMMENDED" && level === "critical" ? "critical" : priorities[type]

export const recommendControl = (grounds: ControlGrounds): RecommendedControl => {
  const table = steps(grounds)
  const own = controlTypes.findLastIndex((type) => table[type].applies)
  const asked = grounds.evaluation.matches.policies.matched.flatMap(({ control, policy, rule }) =>
    control === undefined ? [] : [{ at: controlTypes.indexOf(control), policy, rule }]
  )
  const at = Math.max(own, ...asked.map((ask) => ask.at))
  const type = controlTypes[at] ?? "HUMAN_ESCALATION_RECOMMENDED"
  const byPolicy = asked
    .filter((ask) => ask.at === at)
    .map(({ policy, rule }) => `Policy ${policy}, rule ${rule}, requires this control.`)
  const because = [...(at === own ? table[type].reasons : []), ...byPolicy].slice(0, reasonsMax)
  const byLevel = `Action risk is ${grounds.level} at ${grounds.confidencePercent} % confidence.`
  return {
    type,
    priority: priorityOf(type, grounds.level),
    because: because.length > 0 ? because : [byLevel]
  }
}
