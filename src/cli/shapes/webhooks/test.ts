/** What `action-risk webhooks test --json` prints. */

import { Schema } from "effect"
import { Uuid } from "../../../api/Scalars.ts"

export const webhooksTestShape = Schema.Struct({
  endpoint_id: Uuid,
  delivery_id: Uuid.annotate({ description: "The delivery of the ping, as `webhooks list` shows it." })
})
