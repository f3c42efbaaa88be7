/** What became of telling an endpoint of an event, and the deliveries that somebody asks for. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import type { Mode } from "../domain/Mode.ts"
import type { DeliveryStatus, WebhookEventType } from "../domain/WebhookEvent.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { OutboxBell } from "./OutboxBell.ts"
import { ResourceSql } from "./Sql.ts"
import { deliveryOfRow, type DeliveryRow } from "./webhookDeliveries/row.ts"
import { queueAgain, type QueuedRow, queuePing, selectDeliveries } from "./webhookDeliveries/statements.ts"

export interface WebhookDelivery {
  /** UUIDv7 of its creation. */
  readonly id: string
  readonly eventId: string
  readonly type: WebhookEventType
  readonly status: DeliveryStatus
  readonly attempts: number
  /** The HTTP status of the last attempt; null where none was answered. */
  readonly lastStatus: number | null
  /** Null where none is to come. */
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
}

export interface DeliveryPage {
  /** Only ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
  /** At least one. */
  readonly statuses: ReadonlyArray<DeliveryStatus>
}

/** `unknown`: no such endpoint or delivery. `disabled`: its endpoint is, so that nothing was queued. */
export type Queued =
  | { readonly _tag: "queued"; readonly deliveryId: string }
  | { readonly _tag: "unknown" }
  | { readonly _tag: "disabled" }

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Newest first; undefined where there is no such endpoint. */
    readonly page: (
      owner: Owner,
      endpointId: string,
      query: DeliveryPage
    ) => Stored<ReadonlyArray<WebhookDelivery> | undefined>
    /** Queues a `ping` to the endpoint, whatever it subscribes to. */
    readonly ping: (owner: Owner, endpointId: string) => Stored<Queued>
    /** Queues the delivery's event for the delivery's endpoint once more. */
    readonly redeliver: (owner: Owner, deliveryId: string) => Stored<Queued>
  }
>()("action-risk/storage/WebhookDeliveries") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const bell = yield* OutboxBell

      const page = Effect.fn("WebhookDeliveries.page")(function* (
        { mode, organizationId }: Owner,
        endpointId: string,
        query: DeliveryPage
      ) {
        const rows = yield* selectDeliveries(clients.for(mode), organizationId, endpointId, query)
        if (rows.length === 0) return undefined
        return rows.filter((row): row is DeliveryRow => row.delivery_id !== null).map(deliveryOfRow)
      })

      const queue = Effect.fnUntraced(function* (
        mode: Mode,
        queueing: Stored<ReadonlyArray<QueuedRow>>
      ): Effect.fn.Return<Queued, SqlError.SqlError> {
        const [row] = yield* queueing
        if (row === undefined) return { _tag: "unknown" }
        if (row.delivery_id === null) return { _tag: "disabled" }
        bell.ring(mode)
        return { _tag: "queued", deliveryId: row.delivery_id }
      })

      const ping = Effect.fn("WebhookDeliveries.ping")((owner: Owner, endpointId: string) => {
        const eventId = `evt_${randomBytes(16).toString("hex")}`
        return queue(
          owner.mode,
          queuePing(clients.for(owner.mode), owner.organizationId, endpointId, eventId)
        )
      })

      const redeliver = Effect.fn("WebhookDeliveries.redeliver")((owner: Owner, deliveryId: string) =>
        queue(owner.mode, queueAgain(clients.for(owner.mode), owner.organizationId, deliveryId))
      )

      return WebhookDeliveries.of({ page, ping, redeliver })
    })
  ).pipe(Layer.provide(OutboxBell.layer))
}
