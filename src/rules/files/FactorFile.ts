/** `rules/factors/<category>/<CODE>.json`: one named reason why an action is risky. */

import { Schema } from "effect"
import { factorCategories } from "../../domain/RiskFactor.ts"
import { fileStruct } from "./fileStruct.ts"
import { FactorRuleFile } from "./RuleFile.ts"
import { BasisPoints, Code, Lifecycle, Sentence } from "./vocabulary.ts"

export const FactorFile = fileStruct({
  code: Code.annotate({ description: "What answers call it; the file has the same name." }),
  category: Schema.Literals(factorCategories).annotate({
    description: "The folder that the file stands in."
  }),
  lifecycle: Lifecycle,
  why: Sentence.annotate({ description: "The risk, in one sentence." }),
  misses: Sentence.annotate({ description: "What this factor cannot see." }),
  message: Sentence.annotate({
    description: "What answers say; the name of a fact in braces shows its figure."
  }),
  recommendations: Schema.Array(Code).annotate({
    description: "What the reader of an answer should do; rules/recommendations.json explains each."
  }),
  hazardBp: BasisPoints.annotate({
    description: "The hazard of its rules that state none, in basis points."
  }),
  rules: Schema.Array(FactorRuleFile)
    .check(Schema.isMinLength(1))
    .annotate({ description: "Of several that hold, the highest severity counts." })
})
