/** The outbox gives each delivery to one process at a time, and never more deliveries to an endpoint than it may have in flight. */

import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { webhookInFlightMax, webhookLeaseMs, webhookPostponedHoursMax } from "../../../src/limits.ts"
import { Secrets } from "../../../src/storage/Secrets.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  claimStart,
  type MarkedRow,
  markParameters,
  markStatement
} from "../../../src/storage/webhooks/ClaimedDelivery.ts"
import { queueRedelivery } from "../../../src/storage/webhooks/DeliveryRecords.ts"
import { WebhookOutbox } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../../src/storage/webhooks/WebhookSecrets.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { deliveriesOf, endpointState, mode, newEndpoint, passTime, queue } from "../../support/queued.ts"
import { untilLockWaited } from "../../support/untilLockWaited.ts"

const secrets = WebhookSecrets.layer.pipe(
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make("pepper")] }))
)
const stores = Layer.mergeAll(WebhookOutbox.layer, secrets).pipe(Layer.provideMerge(TestDatabase.layer))

interface Wanted {
  readonly rowsMax?: number
  readonly pausedEndpoints?: ReadonlyArray<string>
}

const claimOnce = ({ pausedEndpoints = [], rowsMax = 64 }: Wanted = {}) =>
  Effect.flatMap(WebhookOutbox, ({ claim }) => claim({ mode, after: claimStart, pausedEndpoints, rowsMax }))

const claimed = (wanted?: Wanted) => Effect.map(claimOnce(wanted), ({ deliveries }) => deliveries)

const markAs = (
  { deliveryId, organizationId, token, url }: ClaimedDelivery,
  outcome: AttemptOutcome,
  nextAttemptMs: number | null = null
) =>
  Effect.flatMap(WebhookOutbox, ({ mark }) =>
    mark(mode, { organizationId, deliveryId, token, url, outcome, answered: 500, nextAttemptMs })
  )

/** Each test begins with an empty outbox. */
const empty = Effect.gen(function* () {
  const sql = (yield* ModeSql).for(mode)
  for (const table of ["webhook_deliveries", "webhook_events", "webhook_endpoints"])
    yield* sql`DELETE FROM ${sql(table)}`
})

const countBy = (deliveries: ReadonlyArray<ClaimedDelivery>) =>
  Object.fromEntries(
    [...Map.groupBy(deliveries, ({ endpointId }) => endpointId)].map(([endpointId, own]) => [
      endpointId,
      own.length
    ])
  )

layer(stores, { excludeTestServices: true })("the outbox", (it) => {
  const claim = (name: string, body: Effect.Effect<void, unknown, Layer.Success<typeof stores>>) =>
    it.effect(name, () => Effect.andThen(empty, body))

  claim(
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

  claim(
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

  claim(
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

  claim(
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

  claim(
    "marks nothing for who has lost the lease",
    Effect.gen(function* () {
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint)
      const [late] = yield* claimed()
      yield* passTime(webhookLeaseMs)
      const [now] = yield* claimed()
      if (late === undefined || now === undefined) return expect.unreachable()
      expect(yield* markAs(late, "delivered")).toEqual({ held: false, disabled: null })
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "pending", attempts: 0, claimed: true }])
      expect(yield* markAs(now, "failed", 5_000)).toEqual({ held: true, disabled: null })
      expect(yield* deliveriesOf(endpoint)).toMatchObject([
        { status: "failed", attempts: 1, lastStatus: 500, claimed: false }
      ])
      expect(yield* markAs(now, "delivered")).toEqual({ held: false, disabled: null })
    })
  )

  claim(
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

  claim(
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
        yield* empty
      }
    }).pipe(Effect.scoped)
  )

  claim(
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

  claim(
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

  claim(
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

  claim(
    "gives back what its process could not finish",
    Effect.gen(function* () {
      const { release } = yield* WebhookOutbox
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 2)
      const taken = yield* claimed()
      yield* release(mode, taken)
      const again = yield* claimed()
      expect(again.map(({ deliveryId }) => deliveryId)).toEqual(taken.map(({ deliveryId }) => deliveryId))
      yield* release(mode, taken)
      expect(yield* claimed(), "an old lease gives nothing back").toEqual([])
      yield* release(mode, again)
      expect((yield* claimed()).length).toBe(2)
    })
  )

  claim(
    "puts off what could not be made, alone or with all that is due for its endpoint, until it is too old",
    Effect.gen(function* () {
      const { postpone } = yield* WebhookOutbox
      const [endpoint, other] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* queue(endpoint, 8)
      yield* queue(endpoint, 1, 3_600_000)
      yield* queue(other)
      const all = yield* claimed()
      const [first, second] = all.filter(({ endpointId }) => endpointId === endpoint.endpointId)
      if (first === undefined || second === undefined) return expect.unreachable()
      const putOff = Effect.map(deliveriesOf(endpoint), (rows) =>
        rows.filter(({ nextInMs }) => nextInMs !== null && nextInMs > 240_000 && nextInMs < 3_000_000)
      )
      yield* postpone(mode, first, false)
      expect(yield* putOff).toMatchObject([
        { deliveryId: first.deliveryId, status: "pending", attempts: 0, claimed: false }
      ])
      yield* postpone(mode, first, false)
      yield* postpone(mode, second, true)
      // What else is under way is whose attempt it is; those that were not claimed are put off with it.
      expect((yield* putOff).length).toBe(5)
      expect((yield* claimed()).length).toBe(0)
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })

      yield* passTime(3_600_000 * webhookPostponedHoursMax)
      yield* queue(endpoint)
      const [late] = yield* claimed({ rowsMax: 1 })
      if (late === undefined) return expect.unreachable()
      yield* postpone(mode, late, true)
      const statuses = (yield* deliveriesOf(endpoint)).map(({ attempts, status }) => `${status} ${attempts}`)
      expect(statuses.toSorted()).toEqual([...Array<string>(9).fill("dead 0"), "pending 0"])
      expect(yield* deliveriesOf(other)).toMatchObject([{ status: "pending" }])
    })
  )

  claim(
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

  claim(
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

  claim(
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

  claim(
    "marks in the order in which others lock, so that it holds nothing that who it waits for will want",
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for(mode)
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 5)
      const taken = (yield* claimed()).toSorted((a, b) => (a.deliveryId < b.deliveryId ? 1 : -1))
      const markings = taken.map(
        (one) => ({ ...one, outcome: "delivered", answered: 200, nextAttemptMs: null }) as const
      )
      const locking = yield* Deferred.make<void>()
      const marking = yield* Deferred.await(locking).pipe(
        Effect.andThen(sql.unsafe<MarkedRow>(markStatement, markParameters(markings))),
        Effect.forkChild({ startImmediately: true })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const { deliveryId } of taken.toReversed()) {
            yield* sql`SELECT FROM webhook_deliveries WHERE delivery_id = ${deliveryId} FOR UPDATE NOWAIT`
            yield* Deferred.succeed(locking, undefined)
            yield* untilLockWaited(sql)
          }
        })
      )
      expect((yield* Fiber.join(marking)).length).toBe(5)
    })
  )

  claim(
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

  claim(
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
        const found = yield* claim({ mode, after, pausedEndpoints: [], rowsMax: 64 })
        for (const { endpointId } of found.deliveries) seen.add(endpointId)
        after = found.next
        claims += 1
      } while (seen.size < 700 && claims < 40)
      console.info(`${claims} claims over 700 endpoints: ${(performance.now() - beganMs).toFixed(0)} ms`)
      expect(seen.size).toBe(700)
    })
  )
})
