/** What `action-risk rules facts --json` prints. */

import { Schema } from "effect"

export const factsShape = Schema.Struct({
  version: Schema.String.annotate({ description: "The release whose rules `used_by` is about, or draft." }),
  facts: Schema.Array(
    Schema.Struct({
      fact: Schema.String,
      kind: Schema.Literals(["name", "text", "flag", "count", "rank"]),
      says: Schema.String.annotate({ description: "What it says of an action." }),
      operators: Schema.Array(Schema.String).annotate({
        description:
          "lessThan and lessThanInclusive only in policy rules that annotate or add_recommendation."
      }),
      unit: Schema.optionalKey(Schema.String).annotate({ description: "Of a count." }),
      max: Schema.optionalKey(Schema.Int).annotate({
        description: "Of a rank: the riskiest; the least is 0."
      }),
      names: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
        description: "Of a name: all that it can be."
      }),
      only: Schema.optionalKey(Schema.Literal("completeness")).annotate({
        description: "Only factors of this category may ask it."
      }),
      used_by: Schema.Array(Schema.String).annotate({ description: "Codes of the files that ask it." })
    })
  )
})
