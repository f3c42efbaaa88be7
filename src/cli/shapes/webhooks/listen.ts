/** What `action-risk webhooks listen --json` prints on one line for each delivery. */

import { Schema } from "effect"
import { IsoMillis } from "../../../api/Scalars.ts"

export const webhooksListenShape = Schema.Struct({
  received_at: IsoMillis,
  webhook_id: Schema.NullOr(Schema.String).annotate({
    description: "The header; null where there is none."
  }),
  again: Schema.Boolean.annotate({ description: "Whether a delivery with this id came before." }),
  verified: Schema.NullOr(Schema.Boolean).annotate({ description: "Null without a secret." }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "Why it is not verified; null where it is."
  }),
  answered: Schema.Int.annotate({ description: "The status that it was answered with." }),
  event: Schema.Unknown.annotate({
    description: "The body, as docs/webhooks.md shows it; null where it is no JSON."
  })
})
