/** What a process holds that has claimed deliveries: each of them its own until the lease ends. */

import type { Json } from "../../domain/Action.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import type { WebhookEventType } from "../../domain/WebhookEvent.ts"
import { leastId } from "../assessmentId.ts"

/** A place between endpoints: claims go round, so that each of them is looked at before any is looked at again. */
export interface Place {
  readonly organizationId: string
  readonly endpointId: string
}

export const firstPlace: Place = { organizationId: leastId, endpointId: leastId }

/** A delivery that is this process's alone until its lease ends, with everything that sending it takes. */
export interface ClaimedDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** Whoever marks the delivery must show it. */
  readonly token: string
  /** Those that were made before. */
  readonly attempts: number
  readonly url: string
  /** Sealed by `WebhookSecrets`. */
  readonly secret: Uint8Array
  /** Null where none is valid beside `secret`. */
  readonly previousSecret: Uint8Array | null
  /** Null where there is nothing to tell any more: what it tells of was erased. */
  readonly event: DeliveredEvent | null
}

export interface DeliveredEvent {
  readonly id: string
  readonly type: WebhookEventType
  readonly createdAt: Date
  readonly tells: ToldAssessment | ToldData
}

export interface ToldAssessment {
  readonly of: "assessment"
  readonly assessmentId: string
  /** The stored bytes of the answer. */
  readonly response: Uint8Array
  /** As the caller stated it. */
  readonly environment: Json
  /** Of the closed review; null while it is open, and where there is none. */
  readonly outcome: ReviewOutcome | null
}

/** The event itself says what there is to say. */
export interface ToldData {
  readonly of: "data"
  readonly data: Json
}

export interface Claim {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Where the next claim goes on; `firstPlace` where this one saw the last endpoint. */
  readonly next: Place
  /** Something waits for an endpoint that is disabled or gone. */
  readonly stray: boolean
}
