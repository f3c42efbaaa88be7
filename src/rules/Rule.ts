/** A rule once read: when its condition holds, its match is part of the opinion. */

import type { FactorMatch, PolicyRuleMatch, TypologyMatch } from "../scoring/Model.ts"
import type { Condition } from "./Condition.ts"

export interface Rule<Match> {
  /** Unique in its set. */
  readonly name: string
  readonly condition: Condition
  readonly match: Match
}

/** Of several rules of one factor that hold, the highest severity counts. */
export type FactorRule = Rule<FactorMatch>
export type TypologyRule = Rule<TypologyMatch>
export type PolicyRule = Rule<PolicyRuleMatch>

export interface RuleSet {
  readonly factors: ReadonlyArray<FactorRule>
  readonly typologies: ReadonlyArray<TypologyRule>
}
