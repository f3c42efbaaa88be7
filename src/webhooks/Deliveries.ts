/** Webhook deliveries (contract 4): lists them, tests an endpoint with a `ping`, and redelivers. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { type AssessmentUnavailable, NotFound, ValidationFailed } from "../api/Failures.ts"
import { listBody } from "../api/Scalars.ts"
import type { DeliveryQueued, WebhookDelivery, WebhookDeliveryList } from "../api/Webhooks.ts"
import type { Caller } from "../domain/Caller.ts"
import { type DeliveryStatus, deliveryStatuses } from "../domain/WebhookEvent.ts"
import { cursorPage, idAtCursor } from "../storage/timeOrderedId.ts"
import { DeliveryRecords, type Queued, type StoredDelivery } from "../storage/webhooks/DeliveryRecords.ts"
import { type EndpointQuery, idOrNotFound, readOrUnavailable, writeOrUnavailable } from "./Endpoints.ts"

export interface DeliveryQuery extends EndpointQuery {
  /** Null: every status. */
  readonly status: DeliveryStatus | null
}

/** Nothing is queued: no process would send the delivery, and an id in the answer would suggest otherwise. */
const endpointDisabled = () =>
  new ValidationFailed({
    message: "the webhook endpoint is disabled, so nothing was queued; enable it first",
    details: [{ field: "enabled", message: "must be true for anything to be sent" }]
  })

const deliveryItem = (delivery: StoredDelivery): WebhookDelivery => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString()
})

type QueueEffect = Effect.Effect<DeliveryQueued, NotFound | ValidationFailed | AssessmentUnavailable>

/**
 * An id is the text of a path segment. A malformed id, an unknown id, and an id of another organization or mode all give the same
 * `NotFound`.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly list: (
      caller: Caller,
      endpointId: string,
      query: DeliveryQuery,
      requestId: string
    ) => Effect.Effect<WebhookDeliveryList, NotFound | AssessmentUnavailable>
    readonly test: (caller: Caller, endpointId: string, requestId: string) => QueueEffect
    readonly redeliver: (caller: Caller, deliveryId: string, requestId: string) => QueueEffect
  }
>()("action-risk/webhooks/Deliveries") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const stored = yield* DeliveryRecords

      const list = Effect.fn("Deliveries.list")(function* (
        caller: Caller,
        id: string,
        { cursor, limit, status }: DeliveryQuery,
        requestId: string
      ) {
        const endpointId = yield* idOrNotFound(id)
        const query = {
          before: cursor === null ? undefined : idAtCursor(cursor),
          limit: limit + 1,
          statuses: status === null ? deliveryStatuses : [status]
        }
        const page = yield* readOrUnavailable(
          "list webhook deliveries",
          stored.page(caller, endpointId, query)
        )
        if (page === undefined) return yield* new NotFound()
        const { nextCursor, rows } = cursorPage(page, limit, (delivery) => delivery.id)
        return listBody(caller.mode, rows.map(deliveryItem), nextCursor, requestId)
      })

      const queue = Effect.fnUntraced(function* (
        task: string,
        caller: Caller,
        requestId: string,
        queued: Effect.Effect<Queued, SqlError.SqlError>
      ) {
        const result = yield* writeOrUnavailable(task, queued)
        if (result._tag === "unknown") return yield* new NotFound()
        if (result._tag === "disabled") return yield* endpointDisabled()
        return {
          api_version: "v1",
          environment_mode: caller.mode,
          delivery_id: result.deliveryId,
          request_id: requestId
        } as const
      })

      const test = Effect.fn("Deliveries.test")(function* (caller: Caller, id: string, requestId: string) {
        const endpointId = yield* idOrNotFound(id)
        return yield* queue("queue a ping", caller, requestId, stored.ping(caller, endpointId))
      })

      const redeliver = Effect.fn("Deliveries.redeliver")(function* (
        caller: Caller,
        id: string,
        requestId: string
      ) {
        const deliveryId = yield* idOrNotFound(id)
        return yield* queue("queue a redelivery", caller, requestId, stored.redeliver(caller, deliveryId))
      })

      return Deliveries.of({ list, test, redeliver })
    })
  ).pipe(Layer.provide(DeliveryRecords.layer))
}
