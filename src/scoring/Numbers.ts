/** The numbers of the model, as in `rules/ruleset.json`. Basis points unless a name says otherwise. */

import type {
  ActionCategory,
  ActionClass,
  DataClassification,
  Environment,
  Reversibility
} from "../domain/Action.ts"
import type { Level, Severity } from "../domain/Opinion.ts"
import type { Anchors } from "./arithmetic.ts"
import type { ActExtent, Impact } from "./reading/Act.ts"
import type { ObjectKind } from "./reading/Vocabulary.ts"

export interface ClassNumbers {
  readonly category: ActionCategory
  /** Harmless by nature: a missing field is taken at the ordinary case, and no factor reports that it is missing. */
  readonly harmless: boolean
  /** Data or value goes to a destination. A missing destination counts as one that was never seen. */
  readonly egress: boolean
  readonly dataLeaves: boolean
  /** The class has both counts, so that one zero and one positive count contradict each other. */
  readonly countsGoTogether: boolean
  /** An easier stated reversibility is raised to this one. */
  readonly reversibilityFloor: Reversibility
  readonly alwaysChangesPrivilege: boolean
  readonly entityEffectBp: number
  readonly dataEffectBp: number
  /** How much of a stated amount such an act can move. A price that is only read moves nothing. */
  readonly moneyEffectBp: number
  /** The same where the object is a claim: an invoice asks for its amount and moves no money. Absent: `moneyEffectBp` counts. */
  readonly askedMoneyEffectBp?: number | undefined
  /** How much the act by itself can disturb in production, by its impact. */
  readonly weightBp: Readonly<Record<Impact, number>>
  /**
   * The same for an act that can be undone fully, that no live system depends on, and that weakens no protection. Absent: `weightBp`
   * counts.
   */
  readonly undoneWeightBp?: Readonly<Record<Impact, number>> | undefined
  /** How far a change of rights reaches, by the impact of the act. */
  readonly privilegeBp: Readonly<Record<Impact, number>>
  /** How much of such an act counts outside production, where it differs from the environment's own. */
  readonly factorBp?: Partial<Readonly<Record<Environment, number>>> | undefined
  readonly references: ClassReferences
}

/** The values assumed for missing fields. The extent of the act gives the counts, and its object gives the classification. */
export interface ClassReferences {
  /** Whole US dollars. */
  readonly usd: Readonly<Record<Impact, number>>
  /** The least number of records, whatever the extent. */
  readonly recordsMin: number
  readonly reversibility: Readonly<Record<Impact, Reversibility>>
  /** The reversibility of an act that is undone easily by nature (archive, close). */
  readonly softReversibility: Reversibility
  /** In production, acts of this impact or above are taken to affect live dependencies. Absent: none. */
  readonly productionImpactFrom?: Impact | undefined
  /** Whether data of unstated sensitivity counts as one step more sensitive when it is many items or leaves. */
  readonly liftsClassification: boolean
}

/** How far from its reference a missing field can plausibly be. */
export interface Plausible {
  /** For the counts and the amount: the least value is the reference divided by this, the most is the reference times this. */
  readonly times: number
  /** Steps of classification and reversibility up and down. */
  readonly steps: number
  /** Whether rights or live dependencies could be touched. */
  readonly flags: boolean
}

export interface Numbers {
  readonly classes: Readonly<Record<ActionClass, ClassNumbers>>
  /** How many things an act of an extent touches where no count is stated. */
  readonly extents: Readonly<Record<ActExtent, { readonly entities: number; readonly records: number }>>
  readonly plausible: { readonly harmless: Plausible; readonly cautious: Plausible }
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
  /** `baseBp`: how much any act there disturbs. `factorBp`: how much of an act counts there. `moneyBp`: how much of an amount. */
  readonly environment: Readonly<
    Record<
      Environment,
      {
        readonly baseBp: number
        readonly factorBp: number
        readonly dataBp: number
        readonly moneyBp: number
      }
    >
  >
  /** How much of an act that takes a protection or a trace away counts outside production: attackers start there. */
  readonly weakenedFactorBp: Readonly<Record<Environment, number>>
  /** How much depends on an object of this kind, whatever is done to it. */
  readonly kindBp: Readonly<Record<Exclude<ObjectKind, "claim">, number>>
  readonly productionImpactBp: number
  /** `undoneWeightBp` counts up to this many entities: a change for many is looked at, even if it can be undone. */
  readonly undoneEntitiesMax: number
  readonly privilege: {
    readonly changedBp: number
    readonly changedInProductionBp: number
    readonly entityShareBp: number
  }
  readonly reversibility: Readonly<Record<Reversibility, number>>
  readonly blastRadius: { readonly otherDimensionsBp: number; readonly reversibilityBp: number }
  readonly actionRisk: {
    readonly hazardBaseBp: number
    readonly hazardBlastRadiusBp: number
    readonly scoreMin: number
  }
  /** A factor of that severity gives the score at least this value. */
  readonly severityFloors: Readonly<Record<Severity, number>>
  /** The first score of each level. */
  readonly levels: Readonly<Record<Level, number>>
  readonly confidence: {
    readonly percentMin: number
    readonly contradictionPercent: number
    readonly incompletePercentMax: number
    /** The highest confidence of an opinion on an unknown or unread call. */
    readonly unreadPercentMax: number
    /** Below this confidence, the opinion recommends context completion. */
    readonly sufficientPercent: number
    /** The highest confidence at a score, in percent by score: experienced people differ most near the edge of a level. */
    readonly atScore: Anchors
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
    /** The sums of a whole organization count from this multiple of its usual day on. */
    readonly usualDayMultiple: number
    /** Only days that ended at least this many hours ago are evidence. */
    readonly evidenceHoursMin: number
    /** An assumed count of entities adds at most this many to later sums. */
    readonly assumedEntitiesMax: number
    /**
     * One request of a caller without a name adds at most this percentage of the highest step to later sums: all such callers share one
     * pool.
     */
    readonly unnamedPercentMax: number
    /** An action takes part in a step of a shared sum from this percentage of the step on. */
    readonly slicePercentMin: number
    /** Every payment from this many USD on takes part in the sum of a destination that is not established. */
    readonly newPayeeUsdMin: number
    /** Destinations that differ only in up to this many digits at their end count as siblings. */
    readonly counterDigitsMax: number
  }
  readonly summary: {
    /**
     * Codes of factors that report missing fields. In the reasons for the control and in the summary, they follow the kind of the
     * action and the other factors.
     */
    readonly toldLast: ReadonlyArray<string>
  }
  /** The thresholds of HIGH_ENTITY_COUNT and HIGH_FINANCIAL_VALUE, for sums of small actions. */
  readonly cumulativeSteps: { readonly entities: ReadonlyArray<number>; readonly usd: ReadonlyArray<number> }
}

/** The thresholds that a behaviour snapshot is read with. */
export type BaselineSettings = Pick<
  Numbers["behavior"],
  | "windowDays"
  | "establishedDaysMin"
  | "establishedHoursMin"
  | "evidenceHoursMin"
  | "velocityDaysMin"
  | "velocityHoursMin"
  | "counterDigitsMax"
>
