/** What an opinion rests on besides the action and its history: a rule release and a policy set, under one name. */

import type { PreparedPolicySet } from "./policies/PreparedPolicySet.ts"
import type { Prepared } from "./prepareModel.ts"

export interface Rulebook {
  /** What the reviewer called it: `1.0.0`, `draft`, `starter@1.0.0`. */
  readonly label: string
  readonly release: Prepared
  readonly policies: PreparedPolicySet
}
