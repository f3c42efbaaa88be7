/** A figure of the ruleset that lets something score lower than before, and the facts for which it counts. */

import type { Term } from "../analysis/Term.ts"

export interface Lowered {
  /** As a reviewer finds it in the file: `anchors.usd`. */
  readonly what: string
  readonly where: Term
}
