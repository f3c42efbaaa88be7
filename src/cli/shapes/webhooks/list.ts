/** What `action-risk webhooks list --json` prints. */

import { Schema } from "effect"
import { IsoMillis, Uuid } from "../../../api/Scalars.ts"
import { modes } from "../../../domain/Mode.ts"
import { actionRiskLevels } from "../../../domain/Level.ts"
import { deliveryStatuses, webhookEventTypes } from "../../../domain/WebhookEvent.ts"

const Delivery = Schema.Struct({
  delivery_id: Uuid,
  event_id: Schema.String.annotate({ description: "The header webhook-id of every delivery of the event." }),
  type: Schema.Literals(webhookEventTypes),
  status: Schema.Literals(deliveryStatuses),
  attempts: Schema.Int,
  last_status: Schema.NullOr(Schema.Int).annotate({
    description: "Null where the last attempt got no answer."
  }),
  next_attempt_at: Schema.NullOr(IsoMillis).annotate({ description: "Null where none is to come." }),
  created_at: IsoMillis
})

const Endpoint = Schema.Struct({
  endpoint_id: Uuid,
  url: Schema.String,
  events: Schema.Array(Schema.Literals(webhookEventTypes)),
  min_level: Schema.Literals(actionRiskLevels),
  enabled: Schema.Boolean,
  description: Schema.NullOr(Schema.String),
  created_at: IsoMillis,
  deliveries: Schema.Array(Delivery).annotate({ description: "Newest first." }),
  more_deliveries: Schema.Boolean.annotate({ description: "Whether older ones were left out by `--limit`." })
})

export const webhooksListShape = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  endpoints: Schema.Array(Endpoint).annotate({ description: "Newest first." })
})
