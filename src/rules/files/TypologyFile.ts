/** `rules/typologies/<name>.json`: a named combination that no score may stay below. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { PlainRuleFile } from "./RuleFile.ts"
import { Lifecycle, Points, Sentence, Slug } from "./vocabulary.ts"

export const TypologyFile = fileStruct({
  name: Slug,
  title: Sentence,
  lifecycle: Lifecycle,
  why: Sentence.annotate({ description: "The risk, in one sentence." }),
  misses: Sentence.annotate({ description: "What this typology cannot see." }),
  message: Sentence.annotate({
    description: "What answers say; the name of a fact in braces shows its figure."
  }),
  floor: Points.annotate({ description: "No action that matches scores lower." }),
  rules: Schema.Tuple([PlainRuleFile])
})
