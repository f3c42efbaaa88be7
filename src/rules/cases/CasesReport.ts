/** What running the cases of a rulebook gives: how many fail, where, and on demand what none of them reaches. */

import type { LocatedFinding } from "../LocatedFinding.ts"
import type { Coverage } from "./Coverage.ts"

export interface CasesReport {
  /** Whether there are cases, and no findings. */
  readonly ok: boolean
  /** One for each case that fails, at its expectation; with coverage also one for each gap. */
  readonly findings: ReadonlyArray<LocatedFinding>
  readonly cases: { readonly total: number; readonly failed: number }
  /** By file of cases, in the order of the files. */
  readonly groups: ReadonlyArray<CaseGroup>
  readonly coverage?: Coverage
}

/** The cases of one file. */
export interface CaseGroup {
  /** A factor's code, a typology's name, a policy rule's id, or `calibration`. */
  readonly of: string
  readonly file: string
  readonly cases: number
  readonly failed: number
}
