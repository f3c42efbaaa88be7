/** A delivery as `webhooks listen --json` prints it. */

import type { webhooksListenShape } from "../shapes/webhooks/listen.ts"
import type { Arrival } from "./Arrival.ts"

export const arrivalJson = (arrival: Arrival): typeof webhooksListenShape.Encoded => ({
  received_at: arrival.receivedAt.toISOString(),
  webhook_id: arrival.eventId,
  again: arrival.again,
  verified: arrival.verified,
  problem: arrival.problem,
  answered: arrival.answered,
  event: arrival.event
})
