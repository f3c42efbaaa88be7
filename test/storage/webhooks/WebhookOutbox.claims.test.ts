/** Which deliveries a claim gives, to whom, and how many of one endpoint. */

import { expect } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import {
  webhookCommitMs,
  webhookHostAttemptsMax,
  webhookInFlightAheadMax,
  webhookInFlightMax,
  webhookLeaseMs,
  webhookOrganizationAttemptsMax
} from "../../../src/limits.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { type AttemptRooms, claimStart } from "../../../src/storage/webhooks/ClaimedDelivery.ts"
import { WebhookOutbox } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { claimed, countBy, describeOutbox, markAs, roomForAll } from "../../support/outboxTests.ts"
import { endpointState, mode, newEndpoint, passTime, queue } from "../../support/queued.ts"

describeOutbox("what the outbox gives", (onEmptyOutbox) => {
  onEmptyOutbox(
    "gives what is due with everything that sending it takes, once, until its lease ends",
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox
      const endpoint = yield* newEndpoint({ url: "https://hooks.example/a" })
      expect(yield* outbox.isDue(mode)).toBe(false)
      yield* queue(endpoint)
      yield* queue(endpoint, 1, 60_000)
      expect(yield* outbox.isDue(mode)).toBe(true)
      const [first, ...others] = yield* claimed()
      expect(others).toEqual([])
      expect(first).toMatchObject({
        organizationId: endpoint.organizationId,
        endpointId: endpoint.endpointId,
        attempts: 0,
        url: "https://hooks.example/a",
        previousSecret: null,
        event: { type: "ping", content: { of: "data", data: { endpoint_id: endpoint.endpointId } } }
      })
      expect(yield* outbox.isDue(mode)).toBe(false)
      expect(yield* claimed()).toEqual([])
      yield* passTime(webhookLeaseMs)
      const [second] = yield* claimed()
      expect(second).toEqual({ ...first, token: second?.token })
      expect(second?.token).not.toBe(first?.token)
    })
  )

  onEmptyOutbox(
    "gives the oldest that waits however old it is, and later ones without looking further back",
    Effect.gen(function* () {
      const { isDue, outboxStats } = yield* WebhookOutbox
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 1, -3_600_000)
      yield* outboxStats(mode)
      expect(yield* isDue(mode)).toBe(true)
      expect((yield* claimed()).length).toBe(1)
      yield* passTime(webhookLeaseMs)
      yield* outboxStats(mode)
      const [again, ...others] = yield* claimed()
      expect(others).toEqual([])
      yield* markAs(again ?? expect.fail("what nobody sends any more waits again"), "delivered")

      yield* outboxStats(mode)
      // Queued by a transaction that ended only now.
      yield* queue(endpoint, 1, -webhookCommitMs / 2)
      expect(yield* isDue(mode)).toBe(true)
      expect((yield* claimed()).length).toBe(1)
      // By one that took longer than expected: found by the next count.
      yield* queue(endpoint, 1, -webhookCommitMs * 2)
      expect(yield* isDue(mode)).toBe(false)
      expect(yield* claimed()).toEqual([])
      yield* outboxStats(mode)
      expect(yield* isDue(mode)).toBe(true)
      expect((yield* claimed()).length).toBe(1)
    })
  )

  onEmptyOutbox(
    "never gives one endpoint more than its five over all processes, however many ask at once",
    Effect.gen(function* () {
      const { release } = yield* WebhookOutbox
      const endpoints = [yield* newEndpoint(), yield* newEndpoint(), yield* newEndpoint()]
      for (const endpoint of endpoints) yield* queue(endpoint, 50)
      const replicas = yield* Effect.forEach([1, 2, 3, 4], () =>
        Layer.build(Layer.fresh(WebhookOutbox.layer))
      )
      const full = Object.fromEntries(endpoints.map(({ endpointId }) => [endpointId, webhookInFlightMax]))
      for (let round = 1; round <= 20; round++) {
        // Deliveries that are due earlier arrive meanwhile, so that the claims do not all see the same five first.
        const earlier = Effect.forEach(endpoints, (endpoint) => queue(endpoint, 1, -1_000 * round))
        const taken = yield* Effect.forEach(
          replicas.flatMap((replica) => [replica, replica]),
          (replica, place) => Effect.provide(Effect.delay(claimed({ rowsMax: 7 }), place), replica),
          { concurrency: "unbounded" }
        ).pipe(Effect.zipWith(earlier, (deliveries) => deliveries.flat(), { concurrent: true }))
        const rest = yield* claimed()
        const deliveries = [...taken, ...rest]
        expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(deliveries.length)
        expect(countBy(deliveries)).toEqual(full)
        yield* release(mode, deliveries)
      }
    }).pipe(Effect.scoped)
  )

  onEmptyOutbox(
    "takes the first delivery of every endpoint before the second of any",
    Effect.gen(function* () {
      const busy = yield* newEndpoint()
      yield* queue(busy, 10_000)
      const others = yield* Effect.forEach(Array(6).keys(), () => newEndpoint())
      for (const endpoint of others) yield* queue(endpoint, 2)
      const beganMs = performance.now()
      const first = countBy(yield* claimed({ rowsMax: 7 }))
      console.info(`a claim beside 10,000 waiting: ${(performance.now() - beganMs).toFixed(1)} ms`)
      expect(first).toEqual(Object.fromEntries([busy, ...others].map(({ endpointId }) => [endpointId, 1])))
    })
  )

  onEmptyOutbox(
    "lets organizations take turns, and gives no organization and no host more than there is room for",
    Effect.gen(function* () {
      const [crowd, lone] = [randomUUID(), randomUUID()]
      const crowded = yield* Effect.forEach(Array(10).keys(), (n) =>
        newEndpoint({ organizationId: crowd, url: `https://Shared.example/${n}` })
      )
      for (const endpoint of crowded) yield* queue(endpoint, 2, -1_000)
      yield* queue(yield* newEndpoint({ organizationId: lone, url: "https://shared.example:8443/" }), 4)
      const given = Effect.fnUntraced(function* (rowsMax: number, rooms: AttemptRooms) {
        const { release } = yield* WebhookOutbox
        const deliveries = yield* claimed({ rowsMax, rooms })
        yield* release(mode, deliveries)
        const count = (id: string) => deliveries.filter(({ organizationId }) => organizationId === id).length
        return [count(crowd), count(lone)]
      })
      expect(yield* given(6, roomForAll)).toEqual([3, 3])
      expect(yield* given(64, { ...roomForAll, organization: 2 })).toEqual([2, 2])
      expect(yield* given(64, { ...roomForAll, organizations: { [crowd]: 0 } })).toEqual([0, 4])
      expect(yield* given(64, { ...roomForAll, host: 3 })).toEqual([3, 3])
      expect(yield* given(64, { ...roomForAll, hosts: { "shared.example": 1 } })).toEqual([1, 4])
      const ofCrowd = { [`${crowd} shared.example`]: 2, "shared.example": 1 }
      expect(yield* given(64, { ...roomForAll, hosts: ofCrowd })).toEqual([2, 4])
    })
  )

  onEmptyOutbox(
    "lets an endpoint go ahead while half of the shares of its organization and its host is free, and leaves that half to others",
    Effect.gen(function* () {
      const organizationId = randomUUID()
      const free = {
        ...roomForAll,
        organization: webhookOrganizationAttemptsMax,
        host: webhookHostAttemptsMax
      }
      const [busy, other] = [
        yield* newEndpoint({ organizationId, url: "https://one.example/" }),
        yield* newEndpoint({ organizationId, url: "https://one.example/other" })
      ]
      yield* queue(busy, 100)
      const first = yield* claimed({ rooms: free })
      expect(first.length).toBe(webhookInFlightAheadMax)
      yield* queue(other, 100)
      const taken = { ...free, host: free.host - first.length }
      const ofHost = webhookHostAttemptsMax / 2 - first.length
      expect(countBy(yield* claimed({ rooms: taken }))).toEqual({ [other.endpointId]: ofHost })
      const late = yield* newEndpoint({ organizationId, url: "https://one.example/late" })
      yield* queue(late, 100)
      const half = { ...free, host: webhookHostAttemptsMax / 2 }
      expect(countBy(yield* claimed({ rooms: half }))).toEqual({ [late.endpointId]: webhookInFlightMax })
    })
  )

  onEmptyOutbox(
    "gives an endpoint that has failed one delivery at a time until it succeeds, and one that rests none",
    Effect.gen(function* () {
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 20)
      const [first, ...others] = yield* claimed()
      expect(others.length).toBe(4)
      for (const one of others) yield* markAs(one, "failed", 5_000)
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: true })
      expect(yield* claimed()).toEqual([])
      if (first !== undefined) yield* markAs(first, "failed", 5_000)
      expect(yield* claimed({ pausedEndpoints: [endpoint.endpointId] })).toEqual([])
      const [probe, ...more] = yield* claimed()
      expect(more).toEqual([])
      if (probe !== undefined) yield* markAs(probe, "delivered")
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
      expect((yield* claimed()).length).toBe(5)
    })
  )

  onEmptyOutbox(
    "tells apart what is late because of us from what waits for a receiver",
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox
      const [healthy, failing, full] = [yield* newEndpoint(), yield* newEndpoint(), yield* newEndpoint()]
      yield* queue(failing, 2)
      yield* queue(full, 9)
      const taken = yield* claimed()
      const [failed, ...others] = taken.filter(({ endpointId }) => endpointId === failing.endpointId)
      if (failed !== undefined) yield* markAs(failed, "failed", 60_000)
      yield* outbox.release(mode, others)
      const sql = (yield* ModeSql).for(mode)
      yield* sql`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '90 s'`
      const blamingNobody = yield* outbox.outboxStats(mode)
      expect(blamingNobody).toMatchObject({ waiting: 11, due: 6, lateSeconds: 0 })
      expect(blamingNobody.oldestDueSeconds).toBeGreaterThan(89)
      yield* queue(healthy, 1, -70_000)
      expect((yield* outbox.outboxStats(mode)).lateSeconds).toBeGreaterThan(69)
    })
  )

  onEmptyOutbox(
    "goes round endpoint by endpoint where there are more than one claim looks at",
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for(mode)
      const template = yield* newEndpoint()
      yield* sql`
        INSERT INTO webhook_endpoints (organization_id, endpoint_id, url, events, least_rank, enabled, created_at, secret)
        SELECT organization_id, gen_random_uuid(), url, events, 0, true, now(), secret
        FROM webhook_endpoints CROSS JOIN generate_series(1, 700) WHERE endpoint_id = ${template.endpointId}
      `
      yield* sql`
        INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
          next_attempt_at, created_at)
        SELECT organization_id, gen_random_uuid(), endpoint_id, 'evt_x', 'ping', 'pending', 0, now(), now()
        FROM webhook_endpoints WHERE endpoint_id <> ${template.endpointId}
      `
      const { claim } = yield* WebhookOutbox
      const seen = new Set<string>()
      let after = claimStart
      let claims = 0
      const beganMs = performance.now()
      do {
        const found = yield* claim({ mode, after, pausedEndpoints: [], rowsMax: 64, rooms: roomForAll })
        for (const { endpointId } of found.deliveries) seen.add(endpointId)
        after = found.next
        claims += 1
      } while (seen.size < 700 && claims < 40)
      console.info(`${claims} claims over 700 endpoints: ${(performance.now() - beganMs).toFixed(0)} ms`)
      expect(seen.size).toBe(700)
    })
  )
})
