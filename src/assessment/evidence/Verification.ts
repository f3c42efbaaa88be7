/** What a verification of evidence has found. */

import type { Break, Head } from "../../storage/evidence/walk.ts"

export interface Verification {
  /** Entries of the chain, from its first one on, that are whole. */
  readonly sealed: number
  /** Those of them whose assessment was erased, on record and signed. */
  readonly erased: number
  /** Assessments that wait for their seal, as new ones do. */
  readonly waiting: number
  /** The last entry that is whole. */
  readonly head: Head
  /** Null where everything is whole. */
  readonly broken: Break | null
}
