/** `rules/recommendations.json`: every recommendation code that the model may give, and what it asks of the reader. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { Code, Sentence } from "./vocabulary.ts"

export const Recommendations = Schema.Record(Code, Sentence)

export const RecommendationsFile = fileStruct({ recommendations: Recommendations })
