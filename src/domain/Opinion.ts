/** The risk opinion: everything that the pure score says of one action. It advises; it never authorizes. */

import type { ActionCategory } from "./ActionType.ts"
import type { BehavioralContext } from "./Behavior.ts"
import type { BlastRadius } from "./BlastRadius.ts"
import type { RecommendedControl } from "./Control.ts"
import type { ActionRiskLevel } from "./Level.ts"
import type { PolicyMatch } from "./Policy.ts"
import type { RiskFactor } from "./RiskFactor.ts"

/** `assumed` is a value that the request would accept in `field`. `field` is spelled as on the wire. */
export interface Assumption {
  readonly field: string
  readonly assumed: string | number | boolean
}

/** Where stating `field` could move the score: at its ceiling and at its least. */
export interface MissingInformation {
  readonly field: string
  readonly couldRaiseTo: number
  readonly couldLowerTo: number
}

export interface Opinion {
  readonly complete: boolean
  readonly normalizedActionType: string
  readonly actionCategory: ActionCategory
  readonly actionRisk: {
    /** Integer 1-100. */
    readonly score: number
    readonly level: ActionRiskLevel
    /** 0.01-0.99, two decimals. */
    readonly confidence: number
    /** The scores that missing information could still lead to; low ≤ score ≤ high. */
    readonly range: { readonly low: number; readonly high: number }
  }
  readonly blastRadius: BlastRadius
  /** Severity descending, then code. */
  readonly riskFactors: ReadonlyArray<RiskFactor>
  readonly recommendedControl: RecommendedControl
  /** Sorted, unique. */
  readonly recommendations: ReadonlyArray<string>
  readonly behavioralContext: BehavioralContext
  readonly policyContext: ReadonlyArray<PolicyMatch>
  readonly assumptions: ReadonlyArray<Assumption>
  /** Most influential first. */
  readonly missingInformation: ReadonlyArray<MissingInformation>
  readonly summary: string
}
