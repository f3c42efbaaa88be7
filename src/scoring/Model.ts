/** A risk model (a rule release that is ready to score) and its parts: scales, currencies, and the matches of rules and policies. */

import type { ControlType, FactorCategory, PolicyEffect, Severity } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Numbers.ts"
import type { OrganizationCatalogue } from "./knowledge/OrganizationCatalogue.ts"
import type { Lexicon } from "./reading/callArguments.ts"

export interface Currency {
  /** Digits after the decimal point (ISO 4217). */
  readonly exponent: number
  /** US dollars per unit, in billionths. */
  readonly usdNanos: bigint
  readonly rate: Rate
}

/** A rate in floats, each of them exact. `cents / minor`: US cents of so many minor units, in lowest terms. */
export interface Rate {
  readonly usdNanos: number
  /** Minor units in one unit. */
  readonly scale: number
  readonly cents: number
  readonly minor: number
}

export interface Currencies {
  /** ISO date of the rates. */
  readonly asOf: string
  readonly table: ReadonlyMap<string, Currency>
  /** Codes of the highest and the lowest rate. */
  readonly dearest: string
  readonly cheapest: string
}

/** A factor that at least one of its rules raised, with the highest severity that matched and the hazard of that rule. */
export interface FactorMatch {
  readonly code: string
  readonly category: FactorCategory
  readonly severity: Severity
  /** Template with `{fact}` placeholders. */
  readonly message: string
  /** Template for a factor that rests on an assumption. */
  readonly assumedMessage?: string
  /** An opinion reports only the most severe factor about one subject. */
  readonly about?: string
  /** The message quotes a stated value, so the factor is not reported where it rests on an assumption. */
  readonly statedOnly?: boolean
  readonly recommendations: ReadonlyArray<string>
  readonly hazardBp: number
}

export interface TypologyMatch {
  readonly name: string
  /** Template with `{fact}` placeholders. */
  readonly message: string
  /** Among several typologies about one subject, the reasons name only the one with the highest floor. */
  readonly about?: string
  readonly floor: number
}

export interface RuleMatches {
  /** Ascending by code. */
  readonly factors: ReadonlyArray<FactorMatch>
  /** Ascending by name. */
  readonly typologies: ReadonlyArray<TypologyMatch>
}

/** Gives the matches of a release's rules in a record of facts. */
export interface RuleMatcher {
  (facts: Facts): RuleMatches
  /** A faster matcher that leaves out factors that do not weigh. Absent in a substitute for a matcher: then all rules are matched. */
  readonly weighing?: Match
}

type Match = (facts: Facts) => RuleMatches

/** A matched customer policy rule and its effect. */
export interface PolicyRuleMatch {
  readonly policy: string
  readonly rule: string
  readonly effect: PolicyEffect
  /** raise_floor */
  readonly floor?: number
  /** add_factor: the message is a sentence of the customer, not a template. */
  readonly factor?: { readonly severity: Severity; readonly message: string }
  /** require_control */
  readonly control?: ControlType
  /** annotate */
  readonly note?: string
  /** add_factor, add_recommendation */
  readonly recommendations: ReadonlyArray<string>
}

export interface PolicyMatches {
  /** Ascending by rule id. A rule that could not be evaluated counts as matched, because that is the worse case. */
  readonly matched: ReadonlyArray<PolicyRuleMatch>
  /** Whether any rule could not be evaluated. */
  readonly incomplete: boolean
}

export interface PolicySet {
  readonly name: string
  readonly version: string
  /** SHA-256 of the set, hex. */
  readonly digest: string
  readonly match: (facts: Facts) => PolicyMatches
  /** The organization's knowledge of its own tools, systems and agents. */
  readonly catalogue?: OrganizationCatalogue
}

/** Every number, word and rule that the pure score uses. */
export interface RiskModel {
  /** Version of the rule release. */
  readonly version: string
  /** SHA-256 of the rule release, hex. */
  readonly digest: string
  readonly numbers: Numbers
  readonly currencies: Currencies
  readonly lexicon: Lexicon
  readonly match: RuleMatcher
}
