/** What a backtest finds: how recorded assessments move from one rulebook to another. */

import type { JsonObject } from "../../json/json.ts"
import type { ActionRiskLevel, ControlType, Severity } from "../../domain/Opinion.ts"

/** One side of a move: what one rulebook says of the record. */
export interface Position {
  /** Integer 1-100. */
  readonly score: number
  readonly level: ActionRiskLevel
  readonly complete: boolean
  readonly control: ControlType
}

/** A factor that the two sides do not agree on; null where a side does not raise it. */
export interface FactorMove {
  readonly code: string
  readonly from: Severity | null
  readonly to: Severity | null
}

/** A record that the two rulebooks score differently. */
export interface Move {
  /** From 1; in a history read from the database, the record's place in it. */
  readonly line: number
  readonly assessmentId: string
  /** The request as it was recorded. */
  readonly request: JsonObject
  readonly from: Position
  readonly to: Position
  /** Ascending by code. */
  readonly factors: ReadonlyArray<FactorMove>
}

/** `falls` and `rises` are moves between levels; `lowered` and `raised` count every move of the score. */
export interface Shift {
  readonly records: number
  readonly falls: number
  readonly rises: number
  readonly lowered: number
  readonly raised: number
}

/** A factor over all records. */
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

/** The policy set that records name, and the one that they were scored with on both sides. */
export interface PolicyUse {
  /** `<set>@<version>+<8 hex>`, as recorded. */
  readonly recorded: string
  readonly scoredWith: string
  /** Whether those are the same rules; where not, this installation does not have the recorded ones. */
  readonly exact: boolean
  readonly records: number
}

export interface UnreadableLine {
  readonly line: number
  readonly message: string
}

/** `transitions[from][to]`: how many records have which level under which rulebook. */
export type Transitions = Readonly<Record<ActionRiskLevel, Readonly<Record<ActionRiskLevel, number>>>>

export interface Backtest {
  /** The labels of the two rulebooks. */
  readonly from: string
  readonly to: string
  /** `records` are those that were scored; with `unreadable` they make all lines of the history. */
  readonly counts: Shift & {
    readonly unchanged: number
    /** Scored without history, at its worst: what the service itself answered as incomplete. */
    readonly incomplete: number
    readonly controlsChanged: number
    readonly unreadable: number
  }
  readonly transitions: Transitions
  /** How many records moved by how many points, `by` = to − from; ascending, zero left out. */
  readonly scoreChanges: ReadonlyArray<{ readonly by: number; readonly records: number }>
  /** Every fall in level is counted; the first of them in the order of the history are kept. */
  readonly falls: ReadonlyArray<Move>
  /** The largest moves of the score, up or down; ties in the order of the history. */
  readonly movers: ReadonlyArray<Move>
  /** Factors that changed anywhere, most changes first, then by code. */
  readonly factors: ReadonlyArray<FactorShift>
  /** By action category, and by class as the first rulebook reads the action; ascending by name. */
  readonly categories: ReadonlyArray<Shift & { readonly name: string }>
  readonly classes: ReadonlyArray<Shift & { readonly name: string }>
  /** Most records first. */
  readonly controls: ReadonlyArray<ControlShift>
  /** The first of the lines that could not be read. */
  readonly unreadable: ReadonlyArray<UnreadableLine>
  /** Ascending by what was recorded. */
  readonly policies: ReadonlyArray<PolicyUse>
}
