/** The numbers of the model, from `rules/ruleset.json`. In basis points unless a name says otherwise. */

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
  /** Harmless by nature: a missing field is assumed to be the ordinary case, and no factor reports it as missing. */
  readonly harmless: boolean
  /** Data or value goes to a destination. A missing destination counts as one that was never seen before. */
  readonly egress: boolean
  readonly dataLeaves: boolean
  /** Such acts have both counts (entities and records), so zero for one and a positive value for the other contradict each other. */
  readonly countsGoTogether: boolean
  /** A stated reversibility that is easier than this is raised to it. */
  readonly reversibilityFloor: Reversibility
  readonly alwaysChangesPrivilege: boolean
  readonly entityEffectBp: number
  readonly dataEffectBp: number
  /** How much of a stated amount such an act can move. Merely reading a price moves nothing. */
  readonly moneyEffectBp: number
  /** The same for a claim: an invoice asks for its amount but moves no money. Absent: `moneyEffectBp` applies. */
  readonly askedMoneyEffectBp?: number | undefined
  /** How much the act alone can disturb production, by its impact. */
  readonly weightBp: Readonly<Record<Impact, number>>
  /**
   * The same for an act that can be undone fully, on which no live system depends, and that weakens no safeguard. Absent: `weightBp`
   * applies.
   */
  readonly undoneWeightBp?: Readonly<Record<Impact, number>> | undefined
  /** How far a change of rights reaches, by the act's impact. */
  readonly privilegeBp: Readonly<Record<Impact, number>>
  /** How much of such an act counts outside production, if that differs from the general factor of the environment. */
  readonly factorBp?: Partial<Readonly<Record<Environment, number>>> | undefined
  readonly references: ClassReferences
}

/** The values assumed for missing fields. Counts depend on the extent of the act, and the classification on its object. */
export interface ClassReferences {
  /** In whole US dollars. */
  readonly usd: Readonly<Record<Impact, number>>
  /** The minimum number of records, whatever the extent. */
  readonly recordsMin: number
  readonly reversibility: Readonly<Record<Impact, Reversibility>>
  /** The reversibility of an act that is easy to undo by nature (archive, close). */
  readonly softReversibility: Reversibility
  /** In production, acts of this impact or above are assumed to affect live dependencies. Absent: none are. */
  readonly productionImpactFrom?: Impact | undefined
  /** Whether data of unstated sensitivity counts as one step more sensitive if there is a lot of it or it leaves. */
  readonly liftsClassification: boolean
}

/** How far a missing field's true value can plausibly be from its reference. */
export interface Plausible {
  /** For counts and the amount: the plausible range reaches from the reference divided by this to the reference times this. */
  readonly times: number
  /** How many steps classification and reversibility can be off, up or down. */
  readonly steps: number
  /** Whether the act may plausibly touch rights or live dependencies. */
  readonly flags: boolean
}

export interface Numbers {
  readonly classes: Readonly<Record<ActionClass, ClassNumbers>>
  /** How many things an act of each extent touches if no count is stated. */
  readonly extents: Readonly<Record<ActExtent, { readonly entities: number; readonly records: number }>>
  readonly plausible: { readonly harmless: Plausible; readonly cautious: Plausible }
  readonly anchors: {
    /** Maps whole US dollars to basis points. */
    readonly usd: Anchors
    readonly entities: Anchors
    readonly records: Anchors
  }
  readonly dataClassification: Readonly<
    Record<DataClassification, { readonly baseBp: number; readonly sensitivityBp: number }>
  >
  readonly dataVolumeBp: number
  readonly dataLeavesBp: number
  /**
   * `baseBp`: how much any act disturbs in this environment. `factorBp`: how much of an act counts. `moneyBp`: how much of an amount
   * counts.
   */
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
  /** How much of an act that removes a safeguard or an audit trail counts outside production. Attackers start there. */
  readonly weakenedFactorBp: Readonly<Record<Environment, number>>
  /** How much of a change to another machine or service counts at least, where no name says that the place is a rehearsal. */
  readonly remoteFactorBp: number
  /** How much depends on objects of each kind, whatever is done to them. */
  readonly kindBp: Readonly<Record<Exclude<ObjectKind, "claim">, number>>
  readonly productionImpactBp: number
  /** `undoneWeightBp` applies up to this many entities. A change for more people deserves attention even if it can be undone. */
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
  /** The minimum score if a factor of this severity is present. */
  readonly severityFloors: Readonly<Record<Severity, number>>
  /** The lowest score of each level. */
  readonly levels: Readonly<Record<Level, number>>
  readonly confidence: {
    readonly percentMin: number
    readonly contradictionPercent: number
    readonly incompletePercentMax: number
    /** The highest confidence of an opinion on a call that is unknown or was not read. */
    readonly unreadPercentMax: number
    /** Below this confidence, the opinion recommends context completion. */
    readonly sufficientPercent: number
    /** The highest confidence, in percent, by score. Lower near the edges of a level, where experienced people disagree most. */
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
    /** Organization-wide sums count only from this multiple of the organization's usual day. */
    readonly usualDayMultiple: number
    /** Only days that ended at least this many hours ago count as evidence. */
    readonly evidenceHoursMin: number
    /** An assumed count of entities adds at most this many to later sums. */
    readonly assumedEntitiesMax: number
    /**
     * One request of an unnamed caller adds at most this percentage of the highest step to later sums, because all such callers share one
     * pool.
     */
    readonly unnamedPercentMax: number
    /** The minimum size of an action, in percent of a step, to be counted as part of that step of a shared sum. */
    readonly slicePercentMin: number
    /** Payments of at least this many USD to a destination that is not established all count in that destination's sum. */
    readonly newPayeeUsdMin: number
    /** Destinations that differ only in up to this many trailing digits count as siblings. */
    readonly counterDigitsMax: number
  }
  readonly summary: {
    /** Codes of factors that report missing fields. In the reasons for the control and in the summary, they come last. */
    readonly toldLast: ReadonlyArray<string>
  }
  /** The thresholds of HIGH_ENTITY_COUNT and HIGH_FINANCIAL_VALUE, applied to sums of small actions. */
  readonly cumulativeSteps: { readonly entities: ReadonlyArray<number>; readonly usd: ReadonlyArray<number> }
}

/** The thresholds needed to read a behavior snapshot. */
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
