/** `policies/<set>/policy.json`: whose rules these are, and which version of them. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { Recommendations } from "./RecommendationsFile.ts"
import { SemVer, Sentence, Slug } from "./vocabulary.ts"

export const PolicySetFile = fileStruct({
  name: Slug,
  version: SemVer,
  owner: Sentence,
  description: Sentence,
  /** Recommendation codes of the set's own, beside those of `rules/recommendations.json`. */
  recommendations: Schema.optionalKey(Recommendations)
})
