/** When an endpoint is disabled, who is told about it, and what happens to its waiting deliveries. */

import { expect } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { WebhookOutbox } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { claimOnce, claimed, describeOutbox, emptyOutbox, markAs } from "../../support/outboxTests.ts"
import { deliveriesOf, endpointState, mode, newEndpoint, passTime, queue } from "../../support/queued.ts"

describeOutbox("an endpoint that fails", (onEmptyOutbox) => {
  onEmptyOutbox(
    "disables an endpoint that is gone at once, tells the others that asked to hear so, and lets the rest of it die",
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox
      const organizationId = randomUUID()
      const gone = yield* newEndpoint({ organizationId, events: ["ping", "webhook_endpoint.disabled"] })
      const listener = yield* newEndpoint({ organizationId, events: ["webhook_endpoint.disabled"] })
      yield* newEndpoint({ organizationId, events: ["assessment.completed"] })
      const foreign = yield* newEndpoint({ events: ["webhook_endpoint.disabled"] })
      yield* queue(gone, 7)
      const taken = yield* claimed()
      const marks = yield* Effect.forEach(taken, (one) => markAs(one, "gone"), { concurrency: "unbounded" })
      expect(marks.filter(({ held }) => held).length).toBe(5)
      expect(marks.some(({ disabled }) => disabled === "gone")).toBe(true)
      expect(yield* endpointState(gone)).toMatchObject({ enabled: false })
      expect(yield* outbox.markDead(mode)).toBe(2)
      const [told, ...others] = yield* claimed()
      expect(others).toEqual([])
      expect(told).toMatchObject({
        endpointId: listener.endpointId,
        event: {
          type: "webhook_endpoint.disabled",
          content: { of: "data", data: { endpoint_id: gone.endpointId, reason: "gone" } }
        }
      })
      const dead = (yield* deliveriesOf(gone)).filter(({ endpointId }) => endpointId === gone.endpointId)
      expect(dead.map(({ attempts, status }) => `${status} ${attempts}`).toSorted()).toEqual([
        "dead 0",
        "dead 0",
        ...Array<string>(5).fill("dead 1")
      ])
      expect(yield* deliveriesOf(foreign)).toEqual([])
    })
  )

  onEmptyOutbox(
    "tells of a disabled endpoint once, although two processes hear at the same moment that it is gone",
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for(mode)
      const replicas = yield* Effect.forEach([1, 2], () => Layer.build(Layer.fresh(WebhookOutbox.layer)))
      for (let n = 0; n < 10; n++) {
        const organizationId = randomUUID()
        const gone = yield* newEndpoint({ organizationId })
        yield* newEndpoint({ organizationId, events: ["webhook_endpoint.disabled"] })
        yield* queue(gone, 2)
        const taken = yield* claimed()
        expect(taken.length).toBe(2)
        const marks = yield* Effect.forEach(
          replicas,
          (replica, place) =>
            Effect.provide(
              Effect.forEach(taken.slice(place, place + 1), (one) => markAs(one, "gone")),
              replica
            ),
          { concurrency: "unbounded" }
        )
        expect(
          marks
            .flat()
            .map(({ disabled }) => disabled)
            .toSorted()
        ).toEqual(["gone", null])
        const [told] = yield* sql<{ readonly events: number }>`
          SELECT count(*)::int AS events FROM webhook_events
          WHERE organization_id = ${organizationId} AND type = 'webhook_endpoint.disabled'
        `
        expect(told).toEqual({ events: 1 })
        yield* emptyOutbox
      }
    }).pipe(Effect.scoped)
  )

  onEmptyOutbox(
    "says nothing of an endpoint by what its URL of before answered, once it has another",
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for(mode)
      const endpoint = yield* newEndpoint({ url: "https://old.example/" })
      yield* queue(endpoint, 4)
      const [gone, failed, now] = yield* claimed({ rowsMax: 3 })
      if (gone === undefined || failed === undefined || now === undefined) return expect.unreachable()
      yield* sql`UPDATE webhook_endpoints SET url = 'https://new.example/'`
      expect(yield* markAs(gone, "gone")).toEqual({ held: true, disabled: null })
      expect(yield* markAs(failed, "failed", 5_000)).toEqual({ held: true, disabled: null })
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
      const [later] = yield* claimed()
      if (later === undefined) return expect.unreachable()
      expect(yield* markAs(later, "failed", 5_000)).toEqual({ held: true, disabled: null })
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: true })
      yield* markAs(now, "delivered")
      expect(yield* endpointState(endpoint), "the old one's success").toEqual({
        enabled: true,
        failing: true
      })
    })
  )

  onEmptyOutbox(
    "disables an endpoint by its first failure after five days without a success, and by none before",
    Effect.gen(function* () {
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 3)
      const days = 86_400_000
      const failOne = Effect.gen(function* () {
        const [one] = yield* claimed({ rowsMax: 1 })
        return one === undefined ? undefined : yield* markAs(one, "failed", 5_000)
      })
      expect(yield* failOne).toEqual({ held: true, disabled: null })
      yield* passTime(5 * days - 60_000)
      expect(yield* failOne).toEqual({ held: true, disabled: null })
      yield* passTime(60_000)
      expect(yield* failOne).toEqual({ held: true, disabled: "failing" })
      expect(yield* endpointState(endpoint)).toEqual({ enabled: false, failing: true })
    })
  )

  onEmptyOutbox(
    "counts five days from the first failure after the last success",
    Effect.gen(function* () {
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 3)
      const days = 86_400_000
      for (const outcome of ["failed", "delivered", "failed"] as const) {
        const [one] = yield* claimed({ rowsMax: 1 })
        if (one === undefined) return expect.unreachable()
        expect(yield* markAs(one, outcome, outcome === "failed" ? 5_000 : null)).toMatchObject({
          disabled: null
        })
        yield* passTime(3 * days)
      }
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: true })
    })
  )

  onEmptyOutbox(
    "sends nothing to an endpoint that is disabled, and forgets what waits for one that is deleted",
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox
      const sql = (yield* ModeSql).for(mode)
      const [off, deleted] = [yield* newEndpoint(), yield* newEndpoint()]
      for (const endpoint of [off, deleted]) {
        yield* queue(endpoint, 2)
        yield* queue(endpoint, 1, 3_600_000)
      }
      yield* sql`UPDATE webhook_endpoints SET enabled = false WHERE endpoint_id = ${off.endpointId}`
      yield* sql`DELETE FROM webhook_endpoints WHERE endpoint_id = ${deleted.endpointId}`
      expect(yield* claimOnce()).toMatchObject({ deliveries: [], stray: true })
      expect(yield* outbox.markDead(mode)).toBe(6)
      expect((yield* deliveriesOf(off)).map(({ status }) => status)).toEqual(["dead", "dead", "dead"])
      expect(yield* deliveriesOf(deleted)).toEqual([])
      expect(yield* outbox.markDead(mode)).toBe(0)
    })
  )
})
