/** The risk model as data: every number, word and rule that the pure score uses, from one frozen rule release. */

import type {
  ActionCategory,
  ActionClass,
  DataClassification,
  Environment,
  Reversibility
} from "../domain/Action.ts"
import type { ControlType, FactorCategory, Level, PolicyEffect, Severity } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { Lexicon } from "./edition1/lexicon/Lexicon.ts"

/** Points of a scale, ascending in both: the value at `x` is `bp`. Integer interpolation between points, flat beyond the ends. */
export type Anchors = ReadonlyArray<readonly [x: number, bp: number]>

/** One value for each field that a caller can leave out. Counts are integers, `usd` is whole US dollars. */
export interface Completion {
  readonly entities: number
  readonly records: number
  readonly usd: number
  readonly dataClassification: DataClassification
  readonly reversibility: Reversibility
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
}

export interface ClassModel {
  readonly category: ActionCategory
  /** Data or value goes to a destination. If the destination is missing, it could be a novel one. */
  readonly egress: boolean
  readonly dataLeaves: boolean
  /** The class has both counts, so that one zero and one positive count contradict each other. */
  readonly countsGoTogether: boolean
  /** An easier stated reversibility becomes this one. */
  readonly reversibilityFloor: Reversibility
  readonly alwaysChangesPrivilege: boolean
  readonly entityEffectBp: number
  readonly sensitivityLiftsEntityEffect: boolean
  readonly dataEffectBp: number
  readonly operationalWeightBp: number
  readonly addedPrivilegeBp: number
  /** The values of missing fields at their reference, in production and elsewhere. */
  readonly references: { readonly production: Completion; readonly other: Completion }
  /** The worst values of missing fields. */
  readonly ceilings: Completion
}

export interface Currency {
  /** Digits after the decimal point (ISO 4217). */
  readonly exponent: number
  /** US dollars per unit, in billionths. */
  readonly usdNanos: bigint
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
  readonly recommendations: ReadonlyArray<string>
  readonly hazardBp: number
}

export interface TypologyMatch {
  readonly name: string
  /** Template with `{fact}` placeholders. */
  readonly message: string
  readonly floor: number
}

export interface RuleMatches {
  /** Ascending by code. */
  readonly factors: ReadonlyArray<FactorMatch>
  /** Ascending by name. */
  readonly typologies: ReadonlyArray<TypologyMatch>
}

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

/** The numbers of scoring.md §3-§6, as `rules/ruleset.json` states them. Basis points unless a name says otherwise. */
export interface Numbers {
  readonly classes: Readonly<Record<ActionClass, ClassModel>>
  /** Counts of a verb that touches one thing. They replace larger counts of its class. */
  readonly single: {
    readonly references: { readonly entities: number; readonly records: number }
    readonly ceilings: { readonly entities: number; readonly records: number }
  }
  readonly anchors: {
    /** Over whole US dollars. */
    readonly usd: Anchors
    readonly entities: Anchors
    readonly records: Anchors
  }
  readonly dataClassification: Readonly<
    Record<DataClassification, { readonly baseBp: number; readonly sensitivityBp: number }>
  >
  readonly dataVolumeBp: number
  readonly dataLeavesBp: number
  /** If true, data leaves and its destination counts also where only `also_exports` says so. */
  readonly alsoExportsLeave?: boolean
  readonly environment: Readonly<
    Record<Environment, { readonly baseBp: number; readonly classFactorBp: number }>
  >
  readonly productionImpactBp: number
  readonly privilege: {
    readonly unchangedBp: number
    readonly changedBp: number
    readonly changedInProductionBp: number
    readonly entityShareBp: number
  }
  readonly reversibility: Readonly<Record<Reversibility, number>>
  readonly blastRadius: { readonly otherDimensionsBp: number; readonly reversibilityBp: number }
  readonly actionRisk: {
    readonly blastRadiusBp: number
    readonly hazardBaseBp: number
    readonly hazardBlastRadiusBp: number
    readonly scoreMin: number
  }
  /** A factor of that severity gives the score at least this value. */
  readonly severityFloors: Readonly<Record<Severity, number>>
  /** If the high end of the range reaches `highFrom`, the score is at least `floor`. */
  readonly gates: ReadonlyArray<{
    readonly highFrom: number
    readonly productionOnly: boolean
    readonly floor: number
  }>
  /** The first score of each level. */
  readonly levels: Readonly<Record<Level, number>>
  readonly confidence: {
    readonly percentMin: number
    readonly percentMax: number
    readonly contradictionPercent: number
    readonly incompletePercentMax: number
    /** Below this confidence, the opinion recommends context completion. */
    readonly sufficientPercent: number
  }
  readonly incompleteScoreMin: number
  readonly behavior: {
    readonly windowDays: number
    readonly baselineUnitsMin: number
    readonly velocityDaysMin: number
    readonly velocityHoursMin: number
    readonly establishedDaysMin: number
    readonly establishedHoursMin: number
    readonly stepUpMultiple: number
    readonly stepUpEntitiesMin: number
    readonly stepUpUsdMin: number
  }
  /** The thresholds of HIGH_ENTITY_COUNT and HIGH_FINANCIAL_VALUE, for sums of small actions. */
  readonly cumulativeSteps: { readonly entities: ReadonlyArray<number>; readonly usd: ReadonlyArray<number> }
}

export interface Model {
  /** Version of the rule release. */
  readonly version: string
  /** SHA-256 of the rule release, hex. */
  readonly digest: string
  readonly numbers: Numbers
  readonly currencies: Currencies
  readonly lexicon: Lexicon
  readonly match: (facts: Facts) => RuleMatches
}

export interface PolicySet {
  readonly name: string
  readonly version: string
  /** SHA-256 of the set, hex. */
  readonly digest: string
  readonly match: (facts: Facts) => PolicyMatches
}
