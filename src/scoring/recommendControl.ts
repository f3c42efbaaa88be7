/** The strongest control that applies, with the reasons that forced it (contract §5). */

import type { ControlType, Priority, RecommendedControl } from "../domain/Control.ts"
import type { ActionRiskLevel } from "../domain/Level.ts"
import type { RiskFactor, Severity } from "../domain/RiskFactor.ts"
import type { Evaluation } from "./Evaluation.ts"
import { renderMessage } from "./renderMessage.ts"
import { type ControlGrounds, isStaged, strongestControl } from "./strongestControl.ts"

const reasonsMax = 5

export interface ReasonedGrounds extends Omit<ControlGrounds, "factors" | "matches"> {
  readonly factors: ReadonlyArray<RiskFactor>
  readonly evaluation: Pick<Evaluation, "facts" | "matches">
}

const messages = (list: ReadonlyArray<RiskFactor>) => list.map(({ message }) => message)

const of = ({ factors }: ReasonedGrounds, ...wanted: ReadonlyArray<Severity>) =>
  factors.filter(({ severity }) => wanted.includes(severity))

const graveReasons = (grounds: ReasonedGrounds) => messages(of(grounds, "critical", "high"))

/** Strongest first. */
const reasons: Readonly<Record<ControlType, (grounds: ReasonedGrounds) => ReadonlyArray<string>>> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: () => [],
  ENHANCED_LOGGING_RECOMMENDED: (it) => messages(of(it, "moderate")),
  CONTEXT_COMPLETION_RECOMMENDED: (it) =>
    messages(it.factors.filter(({ category }) => category === "completeness")),
  STAGED_EXECUTION_RECOMMENDED: (it) => messages(it.factors.filter(isStaged)),
  HUMAN_CONFIRMATION_RECOMMENDED: graveReasons,
  HUMAN_REVIEW_RECOMMENDED: graveReasons,
  SECONDARY_APPROVAL_RECOMMENDED: (it) => {
    const { facts, matches } = it.evaluation
    const typologies = matches.rules.typologies.map(({ message }) => renderMessage(message, facts))
    const forced = [...typologies, ...messages(of(it, "critical"))]
    return forced.length > 0 ? forced : graveReasons(it)
  },
  HUMAN_ESCALATION_RECOMMENDED: (it) =>
    messages(it.factors.filter(({ category }) => category === "completeness" || category === "policy"))
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

export const recommendControl = (grounds: ReasonedGrounds): RecommendedControl => {
  const { matches } = grounds.evaluation
  const { own, type } = strongestControl({ ...grounds, matches })
  const byPolicy = matches.policies.matched
    .filter(({ control }) => control === type)
    .map(({ policy, rule }) => `Policy ${policy}, rule ${rule}, requires this control.`)
  const because = [...(type === own ? reasons[type](grounds) : []), ...byPolicy].slice(0, reasonsMax)
  const byLevel = `Action risk is ${grounds.level} at ${grounds.confidencePercent} % confidence.`
  return {
    type,
    priority: priorityOf(type, grounds.level),
    because: because.length > 0 ? because : [byLevel]
  }
}
