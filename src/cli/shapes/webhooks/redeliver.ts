/** What `action-risk webhooks redeliver --json` prints. */

import { Schema } from "effect"
import { Uuid } from "../../../api/Scalars.ts"

export const webhooksRedeliverShape = Schema.Struct({
  queued: Schema.Array(
    Schema.Struct({
      delivery_id: Uuid.annotate({ description: "The new delivery." }),
      redelivers: Uuid.annotate({ description: "The delivery whose event it sends again." })
    })
  ),
  refused: Schema.Array(Schema.Struct({ redelivers: Schema.String, problem: Schema.String })).annotate({
    description: "Where there are some, the command ends with 1."
  })
})
