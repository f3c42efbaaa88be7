/** `rules/factors/<category>/<CODE>.json`: one named reason why an action is risky. */

import { Schema } from "effect"
import { factorCategories } from "../../domain/RiskFactor.ts"
import { fileStruct } from "./fileStruct.ts"
import { FactorRuleFile } from "./RuleFile.ts"
import { BasisPoints, Code, Lifecycle, Sentence } from "./vocabulary.ts"

export const FactorFile = fileStruct({
  code: Code,
  category: Schema.Literals(factorCategories),
  lifecycle: Lifecycle,
  why: Sentence,
  misses: Sentence,
  message: Sentence,
  recommendations: Schema.Array(Code),
  hazardBp: BasisPoints,
  rules: Schema.Array(FactorRuleFile).check(Schema.isMinLength(1))
})
