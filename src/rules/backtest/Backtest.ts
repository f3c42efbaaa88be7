/** The result of a backtest: how recorded assessments move from one rulebook to another. */

import type { JsonObject } from "../../json/json.ts"
import type { ActionRiskLevel, ControlType, Severity } from "../../domain/Opinion.ts"
import type { ScoreAndControl } from "../ScoreAndControl.ts"
import type { LevelMatrix } from "../levelMatrix.ts"

/** The outcome of a record under one of the two rulebooks. */
export interface Position extends ScoreAndControl {
  readonly level: ActionRiskLevel
  readonly complete: boolean
}

/** A factor that differs between the two sides. Null on a side that does not raise it. */
export interface FactorMove {
  readonly code: string
  readonly from: Severity | null
  readonly to: Severity | null
}

/** A record whose score, level or control differs between the two rulebooks. */
export interface Move {
  /** From 1. For a history read from the database, the position of the record. */
  readonly line: number
  readonly assessmentId: string
  /** The request as it was recorded. */
  readonly request: JsonObject
  readonly from: Position
  readonly to: Position
  /** Ascending by code. */
  readonly factors: ReadonlyArray<FactorMove>
}

/** `falls` and `rises` count moves between levels. The other fields count every move of the score or the control. */
export interface Shift {
  readonly records: number
  readonly falls: number
  readonly rises: number
  readonly lowered: number
  readonly raised: number
  readonly weakened: number
  readonly strengthened: number
}

/** How one factor changed over all records. */
export interface FactorShift {
  readonly code: string
  readonly appeared: number
  readonly vanished: number
  readonly severityRaised: number
  readonly severityLowered: number
}

export interface ControlShift {
  readonly from: ControlType
  readonly to: ControlType
  readonly records: number
}

/** The policy set named in records, and the set with which both sides scored them. */
export interface PolicyUse {
  /** `<set>@<version>+<8 hex>`, as recorded. */
  readonly recorded: string
  readonly scoredWith: string
  /** Whether both have the same rules. If not, the recorded rules are not installed here. */
  readonly exact: boolean
  readonly records: number
}

/** Records of one action type in one environment that moved from the same level and control to the same level and control. */
export interface ActionMove {
  readonly actionType: string
  readonly environment: string
  readonly records: number
  /** The largest of these moves. */
  readonly largest: Move
}

export interface UnreadableLine {
  readonly line: number
  readonly message: string
}

export interface Backtest {
  /** The labels of the two rulebooks. */
  readonly from: string
  readonly to: string
  /** `records`: how many were scored. Together with `unreadable`, all lines of the history. */
  readonly counts: Shift & {
    readonly unchanged: number
    /** Records that the service itself answered as incomplete. They are scored without history, assuming the worst. */
    readonly incomplete: number
    readonly unreadable: number
  }
  /** How many records have the row's level under the first rulebook and the column's level under the second. */
  readonly transitions: LevelMatrix
  /** How many records moved by how many points (`by` = to − from). Ascending, without zero. */
  readonly scoreChanges: ReadonlyArray<{ readonly by: number; readonly records: number }>
  /** The first falls in level, in history order. `counts.falls` is the total. */
  readonly falls: ReadonlyArray<Move>
  /** The first weaker controls, in history order. `counts.weakened` is the total. */
  readonly weakened: ReadonlyArray<Move>
  /** The largest moves of the score, then of the control, in either direction. Ties in history order. */
  readonly movers: ReadonlyArray<Move>
  /** The largest fall first, the largest rise last. At most `backtestActionsMax`. */
  readonly actions: ReadonlyArray<ActionMove>
  /** Factors that changed in any record: most changes first, then by code. */
  readonly factors: ReadonlyArray<FactorShift>
  /** By action category and by class, as read by the first rulebook. Ascending by name. */
  readonly categories: ReadonlyArray<Shift & { readonly name: string }>
  readonly classes: ReadonlyArray<Shift & { readonly name: string }>
  /** Most records first. */
  readonly controls: ReadonlyArray<ControlShift>
  /** The first lines that could not be read. */
  readonly unreadable: ReadonlyArray<UnreadableLine>
  /** Ascending by `recorded`. */
  readonly policies: ReadonlyArray<PolicyUse>
}
