/** How much of finished deliveries the outbox keeps, and for how long. */

import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { queueRedelivery } from "../../../src/storage/webhooks/DeliveryRecords.ts"
import { WebhookOutbox } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { claimed, describeOutbox } from "../../support/outboxTests.ts"
import { deliveriesOf, mode, newEndpoint, queue } from "../../support/queued.ts"

describeOutbox("what is over", (onEmptyOutbox) => {
  onEmptyOutbox(
    "keeps what is over for 30 days, and an event as long as a delivery of it",
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox
      const sql = (yield* ModeSql).for(mode)
      const endpoint = yield* newEndpoint()
      const rows = [
        { status: "delivered", days: 29, stays: true },
        { status: "delivered", days: 31, stays: false },
        { status: "dead", days: 29, stays: true },
        { status: "dead", days: 31, stays: false }
      ]
      for (const { days, status } of rows) {
        yield* sql`
          WITH event AS (
            INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
            VALUES (${endpoint.organizationId}, ${`evt_${status}_${days}`}, 'ping', now() - ${`${days} days`}::interval, '{}')
          )
          INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts, created_at)
          VALUES (${endpoint.organizationId}, time_ordered_id(now() - ${`${days} days`}::interval), ${endpoint.endpointId},
            ${`evt_${status}_${days}`}, 'ping', ${status}, 1, now() - ${`${days} days`}::interval)
        `
      }
      expect(yield* outbox.sweepEvents(mode)).toBe(0)
      expect(yield* outbox.sweepDeliveries(mode)).toBe(2)
      expect(yield* outbox.sweepDeliveries(mode)).toBe(0)
      expect(yield* outbox.sweepEvents(mode)).toBe(2)
      expect(yield* outbox.sweepEvents(mode)).toBe(0)
      const stay = rows.filter(({ stays }) => stays).map(({ days, status }) => `evt_${status}_${days}`)
      const events = yield* sql<{ readonly event_id: string }>`SELECT event_id FROM webhook_events`
      expect(events.map(({ event_id }) => event_id).toSorted()).toEqual(stay.toSorted())
      expect((yield* deliveriesOf(endpoint)).map(({ eventId }) => eventId).toSorted()).toEqual(
        stay.toSorted()
      )
    })
  )

  onEmptyOutbox(
    "keeps an event that is queued again while the last delivery of it is swept",
    Effect.gen(function* () {
      const { sweepDeliveries, sweepEvents } = yield* WebhookOutbox
      const sql = (yield* ModeSql).for(mode)
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint)
      yield* sql`UPDATE webhook_events SET created_at = now() - interval '31 days'`
      yield* sql`
        UPDATE webhook_deliveries SET delivery_id = time_ordered_id(now() - interval '31 days'), status = 'dead',
          next_attempt_at = NULL
      `
      const [old] = yield* deliveriesOf(endpoint)
      if (old === undefined) return expect.unreachable()
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const queued = yield* queueRedelivery(sql, endpoint.organizationId, old.deliveryId)
          expect(queued.length).toBe(1)
          expect([yield* sweepDeliveries(mode), yield* sweepEvents(mode)]).toEqual([1, 0])
        })
      )
      expect(yield* sweepEvents(mode)).toBe(0)
      expect(yield* claimed()).toMatchObject([{ event: { type: "ping" } }])
    })
  )
})
