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

/** The version of the scoring code. It rises whenever the same request, history and rules could score differently. */
export const engineVersion = "1.0.0"

/** `<engine semver>+<rules version>.<8 hex>`, as an assessment names the release that scored it. */
export const riskEngineVersionOf = ({ digest, version }: Pick<RiskModel, "digest" | "version">): string =>
  `${engineVersion}+${version}.${digest.slice(0, 8)}`
