/** What a walk compares: two evaluations of the same facts, and where the second could come out lower. */

import type { Facts } from "../../scoring/Facts.ts"
import type { Term } from "../analysis/Term.ts"
import type { Lowered } from "./Lowered.ts"
import type { Side } from "./Side.ts"

export interface Comparison {
  readonly from: Side
  readonly to: Side
  /** Facts that the second evaluation has otherwise than the first. */
  readonly moved: Partial<Facts>
  /** Where it is compared at all. */
  readonly where: Term
  /** Figures of the dimensions that fell, and where they count. */
  readonly lowered: ReadonlyArray<Lowered>
}
