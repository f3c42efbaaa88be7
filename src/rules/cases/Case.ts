/** One expectation of a case file, ready to be tried against any rulebook. */

import type { ActionRiskLevel } from "../../domain/Level.ts"
import type { Severity } from "../../domain/RiskFactor.ts"
import type { Situation } from "../cases.ts"

/** A part of the evaluation that the case supposes to have failed. */
export type Fault = "history" | "policy"

interface Placed {
  /** A factor's code, a typology's name, a policy rule's id, or `calibration`. */
  readonly of: string
  readonly name: string
  readonly file: string
  /** Where in the file the expectation stands. */
  readonly path: ReadonlyArray<PropertyKey>
}

interface Asked extends Placed {
  readonly situation: Situation
  readonly fault?: Fault
}

export interface FactorCase extends Asked {
  readonly kind: "factor"
  readonly expect: Severity | "none"
}

export interface MatchCase extends Asked {
  readonly kind: "typology" | "policy"
  readonly expect: "matched" | "none"
}

export interface LevelCase extends Asked {
  readonly kind: "level"
  readonly levels: ReadonlyArray<ActionRiskLevel>
  /** Least and greatest. */
  readonly scores: readonly [number, number]
}

/** The first must score strictly higher. */
export interface OrderingCase extends Placed {
  readonly kind: "ordering"
  readonly higher: Situation
  readonly lower: Situation
}

export type Case = FactorCase | MatchCase | LevelCase | OrderingCase

/** All cases of one file, in its order. */
export interface CaseFile {
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<Case>
}
