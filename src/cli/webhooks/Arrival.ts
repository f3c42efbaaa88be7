/** A delivery as it reached `webhooks listen`, and what came of verifying it. */

import type { Json } from "effect/Schema"

export interface Arrival {
  readonly receivedAt: Date
  /** The header `webhook-id`: the event's id. */
  readonly eventId: string | null
  /** Whether a delivery with this id came before. */
  readonly again: boolean
  /** Null where there is no secret to verify with. */
  readonly verified: boolean | null
  /** Why it is not verified; null where it is. */
  readonly problem: string | null
  /** The status that it was answered with. */
  readonly answered: number
  /** The body as JSON; null where it is none. */
  readonly event: Json
}
