/** The first edition's model as data: every number, word and rule that its score uses, from one frozen rule release. */

import type { ActionCategory, DataClassification, Environment, Reversibility } from "../../domain/Action.ts"
import type { Level, Severity } from "../../domain/Opinion.ts"
import type { Facts } from "../Facts.ts"
import type { Anchors, Currencies, RuleMatches } from "../Model.ts"
import type { Edition1Class } from "./NormalizedAction.ts"
import type { Lexicon } from "./lexicon/Lexicon.ts"

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

/** The numbers of scoring.md §3-§6, as `rules/ruleset.json` states them. Basis points unless a name says otherwise. */
export interface Numbers {
  readonly classes: Readonly<Record<Edition1Class, ClassModel>>
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
