/** `policies/<set>/<rule id>.json`: one rule of a customer and the one thing it asks for. */

import { Schema } from "effect"
import { controlTypes } from "../../domain/Control.ts"
import { fileStruct } from "./fileStruct.ts"
import { PlainRuleFile } from "./RuleFile.ts"
import { Code, Points, Sentence, SeverityName, Slug } from "./vocabulary.ts"

/** Exactly one effect; its name is what `policy_context[].effect` says. */
export const PolicyThen = fileStruct({
  raiseFloor: Schema.optionalKey(fileStruct({ score: Points })),
  addFactor: Schema.optionalKey(
    fileStruct({ severity: SeverityName, message: Sentence, recommendations: Schema.Array(Code) })
  ),
  requireControl: Schema.optionalKey(fileStruct({ type: Schema.Literals(controlTypes) })),
  addRecommendation: Schema.optionalKey(fileStruct({ code: Code })),
  annotate: Schema.optionalKey(fileStruct({ note: Sentence }))
}).check(Schema.makeFilter((then: object) => Object.keys(then).length === 1 || "expected exactly one effect"))

export const PolicyRuleFile = fileStruct({
  id: Slug,
  owner: Sentence.annotate({ description: "Who answers for the rule." }),
  description: Sentence,
  why: Sentence.annotate({ description: "The reason for the rule, in one sentence." }),
  /** What the rule cannot see. Optional so that sets frozen before there was one still open; a check asks for it. */
  misses: Schema.optionalKey(Sentence.annotate({ description: "What the rule cannot see." })),
  rules: Schema.Tuple([PlainRuleFile]),
  // oxlint-disable-next-line unicorn/no-thenable -- the file format's word; what a file decodes to is never awaited
  then: PolicyThen
})
