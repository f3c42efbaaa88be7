/** The risk opinion with its parts: levels, blast radius, risk factors, control, policy matches. It advises and never authorizes. */

import type { ActionCategory, ActionClass } from "./Action.ts"
import type { BehavioralContext } from "./Behavior.ts"

/** `assumed` is a value that the request would accept for `field`. `field` is the name on the wire. */
export interface Assumption {
  readonly field: string
  readonly assumed: string | number | boolean
  /** The entry of the organization's catalogue that states the value; absent if the model assumes it. */
  readonly entry?: string
  /** The tool argument that states the value: `$.amount`. */
  readonly argument?: string
}

/** The highest and the lowest score over all values that the caller could state for `field`. */
export interface MissingInformation {
  readonly field: string
  readonly couldRaiseTo: number
  readonly couldLowerTo: number
  /** The next level, and the value of the field that first reaches it. Absent if the field cannot reach it. */
  readonly higher?: { readonly level: ActionRiskLevel; readonly from?: number | string | boolean }
}

export const readingSources = ["catalogue", "provider", "name", "command"] as const

/** How the call was read. Reported because a misreading is the first thing that an integrator looks for. */
export interface ReportedReading {
  readonly by: (typeof readingSources)[number]
  readonly provider?: string
  readonly verb?: string
  readonly object?: string
  /** The entry of the organization's catalogue that decided the reading, if one did. */
  readonly entry?: string
  readonly class: ActionClass
  /** How much attention the act alone deserves in production. */
  readonly impact: ActionRiskLevel
  /** The tool arguments that affected the reading, by path. Absent if the call states none. */
  readonly arguments?: ReadonlyArray<{ readonly path: string; readonly role: string }>
  /** The paths of arguments that could not be read. */
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
    /** From 0.01 to 1, two decimals. */
    readonly confidence: number
    /** The range of scores that missing information leaves open; low ≤ score ≤ high. */
    readonly range: { readonly low: number; readonly high: number }
  }
  readonly blastRadius: BlastRadius
  /** By descending severity, then by code. */
  readonly riskFactors: ReadonlyArray<RiskFactor>
  readonly recommendedControl: RecommendedControl
  /** Sorted, without duplicates. */
  readonly recommendations: ReadonlyArray<string>
  /** Sentences that name a safer alternative to the action, or something to do first. Empty if no person needs to look at the action. */
  readonly saferAlternatives: ReadonlyArray<string>
  readonly behavioralContext: BehavioralContext
  readonly policyContext: ReadonlyArray<PolicyMatch>
  readonly assumptions: ReadonlyArray<Assumption>
  /** Most influential first. */
  readonly missingInformation: ReadonlyArray<MissingInformation>
  readonly summary: string
}

/** The five levels of a score from 0 to 100. */
export const levels = ["minimal", "low", "moderate", "high", "critical"] as const
export type Level = (typeof levels)[number]

/** Action risk is at least 1, and its level is never minimal (specification 2.2). Lowest first. */
export const actionRiskLevels = [
  "low",
  "moderate",
  "high",
  "critical"
] as const satisfies ReadonlyArray<Level>
export type ActionRiskLevel = (typeof actionRiskLevels)[number]

/** The dimensions that measure an impact. The sixth, `reversibility`, only amplifies them. */
export const impactDimensions = [
  "financialImpact",
  "entityImpact",
  "dataImpact",
  "operationalImpact",
  "privilegeImpact"
] as const
type ImpactDimension = (typeof impactDimensions)[number]

/** Integers 0-100 in a report, basis points 0-10000 within scoring. Higher is worse for all six. */
export type Dimensions = Readonly<Record<ImpactDimension | "reversibility", number>>

/** How far the consequences of an action reach. */
interface BlastRadius {
  readonly score: number
  readonly level: Level
  readonly dimensions: Dimensions
}

export const severities = ["low", "moderate", "high", "critical"] as const
/** Least severe first. */
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
  /** Set if the factor rests on an assumed value. */
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

/** The four priorities have the same names as the severities. */
export type Priority = Severity

/** The recommended control: advice for a human process, never an authorization. */
export interface RecommendedControl {
  readonly type: ControlType
  readonly priority: Priority
  /** One to five sentences, strongest reason first. */
  readonly because: ReadonlyArray<string>
}

/** The effects that customer policy rules can have. A policy can only raise an opinion, never lower it. */
export const policyEffects = [
  "raise_floor",
  "add_factor",
  "require_control",
  "add_recommendation",
  "annotate"
] as const
export type PolicyEffect = (typeof policyEffects)[number]

/** A matched policy rule, as reported in `policy_context`. */
interface PolicyMatch {
  readonly policy: string
  readonly rule: string
  readonly effect: PolicyEffect
  /** The text of an `annotate` rule. */
  readonly note?: string
}

/** The sentence included in every opinion and every error. */
export const disclaimer =
  "Action risk intelligence for decision support only. It does not authorize, approve, deny, block or execute the action; the customer remains responsible for authorization, execution and final decisions."

/** The destination found in the tool's arguments; undefined if a field states it or none is known. */
export const destinationInArguments = (assumptions: ReadonlyArray<Assumption>): string | undefined => {
  const read = assumptions.find(({ argument, field }) => field === "destination" && argument !== undefined)
  return read === undefined ? undefined : String(read.assumed)
}
