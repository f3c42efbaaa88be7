/** Which control is the strongest that applies (contract §5), from what an opinion comes to. */

import { type ControlType, controlTypes } from "../domain/Control.ts"
import type { ActionRiskLevel } from "../domain/Level.ts"
import type { FactorCategory, RiskFactor, Severity } from "../domain/RiskFactor.ts"
import type { Matches } from "./Evaluation.ts"

export interface ControlGrounds {
  readonly complete: boolean
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  readonly sufficientPercent: number
  readonly factors: ReadonlyArray<Pick<RiskFactor, "category" | "severity">>
  readonly matches: Matches
}

const stagedCategories: ReadonlySet<FactorCategory> = new Set(["volume", "operational"])

export const isStaged = ({ category }: Pick<RiskFactor, "category">): boolean =>
  stagedCategories.has(category)

const has = ({ factors }: ControlGrounds, wanted: Severity): boolean =>
  factors.some(({ severity }) => severity === wanted)

const applies: Readonly<Record<ControlType, (grounds: ControlGrounds) => boolean>> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: () => true,
  ENHANCED_LOGGING_RECOMMENDED: (it) => it.level === "low" && has(it, "moderate"),
  CONTEXT_COMPLETION_RECOMMENDED: (it) => it.level === "low" && it.confidencePercent < it.sufficientPercent,
  STAGED_EXECUTION_RECOMMENDED: (it) => it.level === "moderate" && it.factors.some(isStaged),
  HUMAN_CONFIRMATION_RECOMMENDED: (it) =>
    (it.level === "moderate" && !it.factors.some(isStaged)) || has(it, "high") || has(it, "critical"),
  HUMAN_REVIEW_RECOMMENDED: (it) => it.level === "high",
  SECONDARY_APPROVAL_RECOMMENDED: (it) =>
    it.level === "critical" || has(it, "critical") || it.matches.rules.typologies.length > 0,
  HUMAN_ESCALATION_RECOMMENDED: (it) => !it.complete
}

/** `own`: by the model alone; `type`: with what policies require, which may be the same and is never weaker. */
export const strongestControl = (
  grounds: ControlGrounds
): { readonly own: ControlType; readonly type: ControlType } => {
  const own = controlTypes.findLastIndex((type) => applies[type](grounds))
  let at = own
  for (const { control } of grounds.matches.policies.matched) {
    if (control !== undefined) at = Math.max(at, controlTypes.indexOf(control))
  }
  const typeAt = (index: number) => controlTypes[index] ?? "HUMAN_ESCALATION_RECOMMENDED"
  return { own: typeAt(own), type: typeAt(at) }
}
