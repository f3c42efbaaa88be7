/** What `action-risk serve --json` prints once it listens. */

import { Schema } from "effect"

export const serveShape = Schema.Struct({
  url: Schema.String.annotate({ description: "Where it listens, with the real port." }),
  organization: Schema.NullOr(Schema.String).annotate({
    description: "The organization made on an empty embedded database; else null."
  }),
  key: Schema.NullOr(Schema.String).annotate({ description: "Its test key, shown this once; else null." })
})
