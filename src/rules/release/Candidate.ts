/** What is about to be released, and what the gates ask about it: alike for the rules and for a policy set. */

import type { CasesReport } from "../cases/CasesReport.ts"
import type { ChangelogEntry } from "../changelog.ts"
import type { CheckReport } from "../check/CheckReport.ts"
import type { ReleaseKind } from "../digests.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"
import type { Rulebook } from "../Rulebook.ts"

/** What of a rulebook can move a score, to be compared with another's. */
export type ScoringParts = unknown

export interface Candidate {
  readonly root: Root
  readonly kind: ReleaseKind
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  readonly version: string
  /** The newest version released before; null where there is none. */
  readonly newest: string | null
  /** Where the working files state their version. */
  readonly stated: { readonly file: string; readonly version: string | null }
  readonly changelog: { readonly file: string; readonly entries: ReadonlyArray<ChangelogEntry> }
  readonly draft: Read<Rulebook>
  /** The newest release; null where there is none. */
  readonly before: Read<Rulebook> | null
  readonly scoringParts: (rulebook: Rulebook) => ScoringParts
  readonly check: () => CheckReport
  readonly test: (draft: Rulebook) => CasesReport
  /** Names of what the two evaluators differ on. */
  readonly differing: (draft: Rulebook) => Promise<ReadonlyArray<string>>
  /** What is frozen, without its digest. */
  readonly document: (draft: Rulebook, releasedAt: string) => { readonly released_at: string }
}
