/** The recommended control of an opinion: the strongest one that applies, with its reasons (contract §5). */

import {
  type ActionRiskLevel,
  type ControlType,
  controlTypes,
  type FactorCategory,
  type Priority,
  type RecommendedControl,
  type RiskFactor,
  type Severity
} from "../domain/Opinion.ts"
import type { Matches } from "./evaluate.ts"
import { toldLast } from "./telling/toldFactors.ts"

const reasonsMax = 3

interface ReasonedGrounds extends ControlGrounds {
  /** The factors that the opinion reports, in the same order. */
  readonly told: ReadonlyArray<RiskFactor>
  /** The messages of the typologies that matched. */
  readonly typologies: ReadonlyArray<string>
  /** The kind of the action, worded as a reason, which then comes first. Undefined: the kind explains nothing. */
  readonly kind: string | undefined
  readonly toldLast: ReadonlyArray<string>
}

const messages = (list: ReadonlyArray<RiskFactor>) => list.map(({ message }) => message)

const factorsOfSeverity = ({ told }: ReasonedGrounds, ...wanted: ReadonlyArray<Severity>) =>
  told.filter(({ severity }) => wanted.includes(severity))

/** Where only assumptions are severe, what was stated comes first: the assumptions do not say what the action does. */
const severeReasons = (grounds: ReasonedGrounds): ReadonlyArray<string> => {
  const severe = factorsOfSeverity(grounds, "critical", "high")
  if (severe.length === 0 || severe.some(({ assumed }) => assumed !== true)) return messages(severe)
  const stated = factorsOfSeverity(grounds, "moderate").filter(
    ({ assumed, code }) => assumed !== true && !grounds.toldLast.includes(code)
  )
  return messages([...stated.slice(0, reasonsMax - 1), ...severe])
}

/** Builds the reasons for each control. Strongest control first. */
const reasons: Readonly<Record<ControlType, (grounds: ReasonedGrounds) => ReadonlyArray<string>>> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: () => [],
  ENHANCED_LOGGING_RECOMMENDED: (grounds) => messages(factorsOfSeverity(grounds, "moderate")),
  CONTEXT_COMPLETION_RECOMMENDED: (grounds) =>
    messages(grounds.told.filter(({ category }) => category === "completeness")),
  STAGED_EXECUTION_RECOMMENDED: (grounds) => messages(grounds.told.filter(isStaged)),
  HUMAN_CONFIRMATION_RECOMMENDED: severeReasons,
  HUMAN_REVIEW_RECOMMENDED: severeReasons,
  SECONDARY_APPROVAL_RECOMMENDED: (grounds) => {
    const forced = [...grounds.typologies, ...messages(factorsOfSeverity(grounds, "critical"))]
    return forced.length > 0 ? forced : severeReasons(grounds)
  },
  HUMAN_ESCALATION_RECOMMENDED: (grounds) =>
    messages(grounds.told.filter(({ category }) => category === "completeness" || category === "policy"))
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

/** Reasons for a control that no factor asks for: the weightiest factors, or the level if there are none. */
const byLevel = (grounds: ReasonedGrounds): ReadonlyArray<string> => {
  const weighs = factorsOfSeverity(grounds, "moderate", "high", "critical")
  const ordered = messages(toldLast(weighs, grounds.toldLast))
  const weighing = [...(grounds.kind === undefined ? [] : [grounds.kind]), ...ordered].slice(0, reasonsMax)
  return weighing.length > 0
    ? weighing
    : [`Action risk is ${grounds.level} at ${grounds.confidencePercent} % confidence.`]
}

export const recommendControl = (grounds: ReasonedGrounds): RecommendedControl => {
  const { own, type } = strongestControl(grounds)
  const byPolicy = grounds.matches.policies.matched
    .filter(({ control }) => control === type)
    .map(({ policy, rule }) => `Policy ${policy}, rule ${rule}, requires this control.`)
  const because = [...(type === own ? reasons[type](grounds) : []), ...byPolicy].slice(0, reasonsMax)
  return {
    type,
    priority: priorityOf(type, grounds.level),
    because: because.length > 0 ? because : byLevel(grounds)
  }
}

/** The parts of an opinion that decide which control applies. */
interface ControlGrounds {
  readonly complete: boolean
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  readonly sufficientPercent: number
  readonly factors: ReadonlyArray<Pick<RiskFactor, "category" | "severity">>
  readonly matches: Matches
}

const stagedCategories: ReadonlySet<FactorCategory> = new Set(["volume", "operational"])

/** Whether staged execution addresses the factor. At a moderate level, staged execution is a weaker control than confirmation. */
export const isStaged = ({ category }: Pick<RiskFactor, "category">): boolean =>
  stagedCategories.has(category)

const hasFactorOfSeverity = ({ factors }: ControlGrounds, wanted: Severity): boolean =>
  factors.some(({ severity }) => severity === wanted)

const applies: Readonly<Record<ControlType, (grounds: ControlGrounds) => boolean>> = {
  NO_ADDITIONAL_CONTROL_RECOMMENDED: () => true,
  ENHANCED_LOGGING_RECOMMENDED: (grounds) =>
    grounds.level === "low" && hasFactorOfSeverity(grounds, "moderate"),
  CONTEXT_COMPLETION_RECOMMENDED: (grounds) =>
    grounds.level === "low" && grounds.confidencePercent < grounds.sufficientPercent,
  STAGED_EXECUTION_RECOMMENDED: (grounds) => grounds.level === "moderate" && grounds.factors.some(isStaged),
  HUMAN_CONFIRMATION_RECOMMENDED: (grounds) =>
    (grounds.level === "moderate" && !grounds.factors.some(isStaged)) ||
    hasFactorOfSeverity(grounds, "high") ||
    hasFactorOfSeverity(grounds, "critical"),
  HUMAN_REVIEW_RECOMMENDED: (grounds) => grounds.level === "high",
  SECONDARY_APPROVAL_RECOMMENDED: (grounds) =>
    grounds.level === "critical" ||
    hasFactorOfSeverity(grounds, "critical") ||
    grounds.matches.rules.typologies.length > 0,
  HUMAN_ESCALATION_RECOMMENDED: (grounds) => !grounds.complete
}

/**
 * The strongest control that applies (contract §5). `own`: according to the model only. `type`: with the policies too, never weaker than
 * `own`.
 */
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
