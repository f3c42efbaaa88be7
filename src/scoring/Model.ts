/** A risk model (a rule release that is ready to score) and its parts: scales, currencies, and the matches of rules and policies. */

import type { ControlType, FactorCategory, PolicyEffect, Severity } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Numbers.ts"
import type { OrganizationCatalogue } from "./knowledge/OrganizationCatalogue.ts"
import type { Lexicon } from "./reading/callArguments.ts"

export interface Currency {
  /** Digits after the decimal point (ISO 4217). */
  readonly exponent: number
  /** The value of one unit in billionths of a US dollar. */
  readonly usdNanos: bigint
  readonly rate: Rate
}

/** An exchange rate as floats that are all exact integers. `cents / minor` converts minor units to US cents, in lowest terms. */
export interface Rate {
  readonly usdNanos: number
  /** Minor units per unit. */
  readonly scale: number
  readonly cents: number
  readonly minor: number
}

export interface Currencies {
  /** The ISO date of the rates. */
  readonly asOf: string
  readonly table: ReadonlyMap<string, Currency>
  /** The currency codes with the highest and the lowest rate. */
  readonly dearest: string
  readonly cheapest: string
}

/** A factor raised by at least one rule, with the highest severity that matched and the hazard of that rule. */
export interface FactorMatch {
  readonly code: string
  readonly category: FactorCategory
  readonly severity: Severity
  /** A template with `{fact}` placeholders. */
  readonly message: string
  /** The template to use if the factor rests on an assumption. */
  readonly assumedMessage?: string
  /** The subject of the factor. An opinion reports only the most severe factor about each subject. */
  readonly about?: string
  /** The message quotes a stated value, so a factor that rests on an assumption is not reported. */
  readonly statedOnly?: boolean
  readonly recommendations: ReadonlyArray<string>
  readonly hazardBp: number
}

export interface TypologyMatch {
  readonly name: string
  /** Template with `{fact}` placeholders. */
  readonly message: string
  /** The subject of the typology. If several hold for one subject, the reasons name only the one with the highest floor. */
  readonly about?: string
  readonly floor: number
}

export interface RuleMatches {
  /** Ascending by code. */
  readonly factors: ReadonlyArray<FactorMatch>
  /** Ascending by name. */
  readonly typologies: ReadonlyArray<TypologyMatch>
}

/** Matches the rules of a release against a record of facts. */
export interface RuleMatcher {
  (facts: Facts): RuleMatches
  /** A faster matcher that skips factors without weight. Absent in a stub: then all rules are matched. */
  readonly weighing?: Match
}

type Match = (facts: Facts) => RuleMatches

/** A matched customer policy rule and its effect. */
export interface PolicyRuleMatch {
  readonly policy: string
  readonly rule: string
  readonly effect: PolicyEffect
  /** Effect `raise_floor`. */
  readonly floor?: number
  /** Effect `add_factor`. The message is the customer's own sentence and not a template. */
  readonly factor?: { readonly severity: Severity; readonly message: string }
  /** Effect `require_control`. */
  readonly control?: ControlType
  /** Effect `annotate`. */
  readonly note?: string
  /** Effects `add_factor` and `add_recommendation`. */
  readonly recommendations: ReadonlyArray<string>
}

export interface PolicyMatches {
  /** Ascending by rule id. A rule that could not be evaluated counts as matched, which is the worse case. */
  readonly matched: ReadonlyArray<PolicyRuleMatch>
  /** Whether any rule could not be evaluated. */
  readonly incomplete: boolean
}

export interface PolicySet {
  readonly name: string
  readonly version: string
  /** Hex SHA-256 of the set. */
  readonly digest: string
  readonly match: (facts: Facts) => PolicyMatches
  /** The organization's knowledge of its own tools, systems and agents. */
  readonly catalogue?: OrganizationCatalogue
}

/** Every number, word and rule that the pure score uses. */
export interface RiskModel {
  /** Version of the rule release. */
  readonly version: string
  /** Hex SHA-256 of the rule release. */
  readonly digest: string
  readonly numbers: Numbers
  readonly currencies: Currencies
  readonly lexicon: Lexicon
  readonly match: RuleMatcher
}
