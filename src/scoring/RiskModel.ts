/** The risk model as data: a rule release that is ready to score. */

import type { Currencies, RuleMatcher } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import type { Lexicon } from "./reading/callArguments.ts"

/** Every number, word and rule that the pure score uses. */
export interface RiskModel {
  /** Version of the rule release. */
  readonly version: string
  /** SHA-256 of the rule release, hex. */
  readonly digest: string
  readonly numbers: Numbers
  readonly currencies: Currencies
  readonly lexicon: Lexicon
  readonly match: RuleMatcher
}
