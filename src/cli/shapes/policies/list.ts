/** What `action-risk policies list --json` prints. */

import { Schema } from "effect"

export const policiesListShape = Schema.Struct({
  sets: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      working: Schema.NullOr(
        Schema.Struct({
          version: Schema.String,
          owner: Schema.String,
          description: Schema.String,
          rules: Schema.Int.annotate({ description: "How many." })
        })
      ).annotate({ description: "The working folder; null where there is none that can be read." }),
      frozen: Schema.Array(Schema.String).annotate({
        description: "Versions, oldest first; the newest is the one that is served."
      })
    })
  )
})
