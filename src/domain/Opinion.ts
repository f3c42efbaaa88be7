/** The risk opinion with its parts: levels, blast radius, risk factors, control, policy matches. It advises; it never authorizes. */

import type { ActionCategory, ActionClass } from "./Action.ts"
import type { BehavioralContext } from "./Behavior.ts"

/** `assumed` is a value that the request would accept in `field`. `field` is spelled as on the wire. */
export interface Assumption {
  readonly field: string
  readonly assumed: string | number | boolean
  /** The entry of the organization's catalogue that says so; absent where the model assumes it. */
  readonly entry?: string
  /** The argument of the tool that says so: `$.amount`. */
  readonly argument?: string
}

/** The highest and the lowest score over the values that the caller could state for `field`. */
export interface MissingInformation {
  readonly field: string
  readonly couldRaiseTo: number
  readonly couldLowerTo: number
  /** The next level, and the value of the field from which on it is reached. Absent where the field cannot reach it. */
  readonly higher?: { readonly level: ActionRiskLevel; readonly from?: number | string | boolean }
}

export const readingSources = ["catalogue", "provider", "name", "command"] as const

/** How the call was read: a wrong reading is the first thing that an integrator looks for. */
export interface ReportedReading {
  readonly by: (typeof readingSources)[number]
  readonly provider?: string
  readonly verb?: string
  readonly object?: string
  /** The entry of the organization's catalogue, where that told it. */
  readonly entry?: string
  readonly class: ActionClass
  /** The attention that the bare act deserves in production. */
  readonly impact: ActionRiskLevel
  /** The arguments of the tool that counted, by path. Absent where the call states none. */
  readonly arguments?: ReadonlyArray<{ readonly path: string; readonly role: string }>
  /** The paths of arguments that were not read. */
  readonly unread?: ReadonlyArray<string>
}

export interface Opinion {
  readonly complete: boolean
  readonly normalizedActionType: string
  readonly reading: ReportedReading
  readonly actionCategory: ActionCategory
  readonly actionRisk: {
    /** Integer 1-100. */
    readonly score: number
    readonly level: ActionRiskLevel
    /** 0.01-1, two decimals. */
    readonly confidence: number
    /** The scores that missing information leaves open; low ≤ score ≤ high. */
    readonly range: { readonly low: number; readonly high: number }
  }
  readonly blastRadius: BlastRadius
  /** Severity descending, then code. */
  readonly riskFactors: ReadonlyArray<RiskFactor>
  readonly recommendedControl: RecommendedControl
  /** Sorted, unique. */
  readonly recommendations: ReadonlyArray<string>
  /** Sentences: a safer alternative to the action, or what to do before it. Empty where no person needs to look at the action. */
  readonly saferAlternatives: ReadonlyArray<string>
  readonly behavioralContext: BehavioralContext
  readonly policyContext: ReadonlyArray<PolicyMatch>
  readonly assumptions: ReadonlyArray<Assumption>
  /** Most influential first. */
  readonly missingInformation: ReadonlyArray<MissingInformation>
  readonly summary: string
}

/** The five levels of a score of 0-100. */
export const levels = ["minimal", "low", "moderate", "high", "critical"] as const
export type Level = (typeof levels)[number]

/** Action risk is at least 1 and its level is never minimal (specification 2.2). Weakest first. */
export const actionRiskLevels = [
  "low",
  "moderate",
  "high",
  "critical"
] as const satisfies ReadonlyArray<Level>
export type ActionRiskLevel = (typeof actionRiskLevels)[number]

/** The dimensions that measure an impact. The sixth, `reversibility`, amplifies them and is not an impact itself. */
export const impactDimensions = [
  "financialImpact",
  "entityImpact",
  "dataImpact",
  "operationalImpact",
  "privilegeImpact"
] as const
type ImpactDimension = (typeof impactDimensions)[number]

/** Integers 0-100 in a report, basis points 0-10000 inside scoring; higher is worse for all six. */
export type Dimensions = Readonly<Record<ImpactDimension | "reversibility", number>>

/** How far the consequences of an action reach. */
interface BlastRadius {
  readonly score: number
  readonly level: Level
  readonly dimensions: Dimensions
}

export const severities = ["low", "moderate", "high", "critical"] as const
/** Weakest first. */
export type Severity = (typeof severities)[number]

export const factorCategories = [
  "destination",
  "volume",
  "data",
  "environment",
  "financial",
  "privilege",
  "reversibility",
  "operational",
  "communication",
  "behavior",
  "identity",
  "action",
  "completeness",
  "policy"
] as const
export type FactorCategory = (typeof factorCategories)[number]

/** A named reason why an action is risky. */
export interface RiskFactor {
  readonly code: string
  readonly category: FactorCategory
  readonly severity: Severity
  readonly message: string
  /** It rests on a value that was assumed. */
  readonly assumed?: true
}

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

/** The four priorities have the names of the severities. */
export type Priority = Severity

/** The control that an opinion recommends: advice to a human process, never an authorization. */
export interface RecommendedControl {
  readonly type: ControlType
  readonly priority: Priority
  /** One to five sentences, strongest reason first. */
  readonly because: ReadonlyArray<string>
}

/** The effects of customer policy rules. A policy can raise an opinion and never lower it. */
export const policyEffects = [
  "raise_floor",
  "add_factor",
  "require_control",
  "add_recommendation",
  "annotate"
] as const
export type PolicyEffect = (typeof policyEffects)[number]

/** One matched rule, as `policy_context` reports it. */
interface PolicyMatch {
  readonly policy: string
  readonly rule: string
  readonly effect: PolicyEffect
  /** The text of an `annotate` rule. */
  readonly note?: string
}

/** Every opinion and every error contains this sentence. */
export const disclaimer =
  "Action risk intelligence for decision support only. It does not authorize, approve, deny, block or execute the action; the customer remains responsible for authorization, execution and final decisions."

/** The destination that the arguments of a tool name; undefined where a field states it, or none is known. */
export const destinationInArguments = (assumptions: ReadonlyArray<Assumption>): string | undefined => {
  const read = assumptions.find(({ argument, field }) => field === "destination" && argument !== undefined)
  return read === undefined ? undefined : String(read.assumed)
}
