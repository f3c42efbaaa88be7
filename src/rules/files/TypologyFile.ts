/** `rules/typologies/<name>.json`: a named combination that no score may stay below. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { PlainRuleFile } from "./RuleFile.ts"
import { Lifecycle, Points, Sentence, Slug } from "./vocabulary.ts"

export const TypologyFile = fileStruct({
  name: Slug,
  title: Sentence,
  lifecycle: Lifecycle,
  why: Sentence,
  misses: Sentence,
  message: Sentence,
  floor: Points,
  rules: Schema.Tuple([PlainRuleFile])
})
