/** What a command has found, ready to be printed in any format. */

import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"

export interface FindingsPage {
  /** The command's words below the root: `rules check`. */
  readonly command: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** What was looked at, counted: `112 files`. */
  readonly scope: string
}
