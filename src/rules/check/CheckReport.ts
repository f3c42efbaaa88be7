/** What a check of rule or policy files says. */

import type { LocatedFinding } from "../LocatedFinding.ts"

export interface CheckReport {
  /** Nothing found. */
  readonly ok: boolean
  /** Ascending by file, line, column. */
  readonly findings: ReadonlyArray<LocatedFinding>
  /** How many files were looked at. */
  readonly files: number
}
