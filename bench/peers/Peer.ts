/** A rule engine that is asked the same question: which of these rules hold for these facts? */

import type { Condition } from "../../src/rules/language/Rule.ts"
import type { Facts } from "../../src/scoring/Facts.ts"

export interface PeerRule {
  readonly name: string
  readonly condition: Condition
}

/** Names of the rules that hold, ascending. */
export interface Peer {
  readonly name: string
  readonly match: (facts: Facts) => Promise<ReadonlyArray<string>> | ReadonlyArray<string>
}
