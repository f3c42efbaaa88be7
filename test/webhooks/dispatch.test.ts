/** Deliveries reach real receivers when they are due, however these behave, and each process dies or stops without loss. */

import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Redacted, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Webhook } from "standardwebhooks"
import {
  webhookCircuitFailuresMax,
  webhookCircuitOpenMs,
  webhookDelaysSeconds,
  webhookDrainMs,
  webhookLeaseMs
} from "../../src/limits.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { makeDispatcher } from "../../src/webhooks/worker.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import {
  deliveriesOf,
  endpointState,
  mode,
  newEndpoint,
  newSecret,
  passTime,
  queue
} from "../support/queued.ts"
import { type Received, webhookReceiver } from "../support/webhookReceiver.ts"

const secretsUnder = (pepper: string) =>
  Layer.fresh(WebhookSecrets.layer).pipe(
    Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] }))
  )

const stores = Layer.mergeAll(WebhookOutbox.layer, secretsUnder("pepper"), Logger.layer([])).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const dispatching = makeDispatcher({ mode, allowInsecure: "loopback", onAttemptEnded: () => undefined })

type Dispatch = Effect.Success<typeof dispatching>

/** Sends what is due, until nothing is that may be sent now. */
const sendAll = ({ idle, claimAndSend }: Dispatch) =>
  Effect.gen(function* () {
    let before = -1
    const { isDue } = yield* WebhookOutbox
    for (let rounds = 0; rounds < 100; rounds++) {
      yield* claimAndSend
      yield* idle
      if (!(yield* isDue(mode))) return
      before += 1
    }
    expect(before).toBeLessThan(100)
  })

const sendOnce = ({ idle, claimAndSend }: Dispatch) => Effect.andThen(claimAndSend, idle)

const verified = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, { ...headers })

const empty = Effect.gen(function* () {
  const sql = (yield* ModeSql).for(mode)
  for (const table of ["webhook_deliveries", "webhook_events", "webhook_endpoints"])
    yield* sql`DELETE FROM ${sql(table)}`
})

type Body = Effect.Effect<void, unknown, Layer.Success<typeof stores> | Scope.Scope>

layer(stores, { excludeTestServices: true })("a dispatch", (it) => {
  const claim = (name: string, body: Body) => it.effect(name, () => Effect.andThen(empty, body))

  claim(
    "attempts a delivery ten times, at the schedule's intervals, with one id and one body, and then no more",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/down", 503)
      const endpoint = yield* newEndpoint({ url: receiver.url("/down") })
      yield* queue(endpoint)
      const waits: Array<number> = []
      for (const delay of webhookDelaysSeconds) {
        yield* sendOnce(dispatch)
        const [row] = yield* deliveriesOf(endpoint)
        expect(row).toMatchObject({
          status: "failed",
          attempts: waits.length + 1,
          lastStatus: 503,
          claimed: false
        })
        const seconds = (row?.nextInMs ?? 0) / 1_000
        waits.push(seconds / delay)
        yield* passTime(1_000 * seconds - 500)
        yield* sendOnce(dispatch)
        expect(receiver.received.length, "not before its time").toBe(waits.length)
        yield* passTime(500)
      }
      yield* sendOnce(dispatch)
      expect(yield* deliveriesOf(endpoint)).toMatchObject([
        { status: "dead", attempts: 10, lastStatus: 503, nextInMs: null, claimed: false }
      ])
      yield* passTime(30 * 86_400_000)
      yield* sendOnce(dispatch)
      expect(receiver.received.length).toBe(10)
      expect(Math.min(...waits)).toBeGreaterThan(0.85)
      expect(Math.max(...waits)).toBeLessThan(1.1001)
      expect(new Set(waits.map((share) => share.toFixed(3))).size, "waits have their jitter").toBeGreaterThan(
        3
      )
      const [first] = receiver.received
      for (const one of receiver.received) {
        expect(one.headers["webhook-id"]).toBe(first?.headers["webhook-id"])
        expect(one.body).toBe(first?.body)
        verified(one, endpoint.secret)
      }
      // Three days and a bit of failing do not disable it; that takes five.
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: true })
    })
  )

  claim(
    "signs with both secrets for a day while they rotate, and with the new one alone afterwards",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      const old = newSecret()
      const endpoint = yield* newEndpoint({
        url: receiver.url("/"),
        previous: { secret: old, hoursLeft: 24 }
      })
      yield* queue(endpoint)
      yield* sendOnce(dispatch)
      yield* passTime(86_400_000)
      yield* queue(endpoint)
      yield* sendOnce(dispatch)
      const [during, after] = receiver.received
      if (during === undefined || after === undefined) return expect.unreachable()
      verified(during, endpoint.secret)
      verified(during, old)
      expect(during.headers["webhook-signature"]).toMatch(/^v1,[\w+/=]+ v1,[\w+/=]+$/)
      verified(after, endpoint.secret)
      expect(() => verified(after, old)).toThrow("No matching signature")
    })
  )

  claim(
    "counts 2xx alone as success, follows no redirect, and waits as long as a receiver asks but never less",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      const replies = {
        "/200": 200,
        "/204": 204,
        "/301": { status: 301, headers: { location: receiver.url("/elsewhere") } },
        "/404": 404,
        "/500": 500,
        "/later": { status: 503, headers: { "retry-after": "3600" } },
        "/sooner": { status: 429, headers: { "retry-after": "0" } },
        "/never": { status: 503, headers: { "retry-after": "99999999" } }
      }
      const outcomes: Record<string, unknown> = {}
      for (const [path, reply] of Object.entries(replies)) {
        receiver.reply(path, reply)
        const endpoint = yield* newEndpoint({ url: receiver.url(path) })
        yield* queue(endpoint)
        yield* sendOnce(dispatch)
        const [row] = yield* deliveriesOf(endpoint)
        const seconds = row?.nextInMs === null ? null : Math.round((row?.nextInMs ?? 0) / 1_000)
        outcomes[path] = [row?.status, row?.lastStatus, seconds !== null && seconds <= 6 ? 5 : seconds]
      }
      expect(outcomes).toEqual({
        "/200": ["delivered", 200, null],
        "/204": ["delivered", 204, null],
        "/301": ["failed", 301, 5],
        "/404": ["failed", 404, 5],
        "/500": ["failed", 500, 5],
        "/later": ["failed", 503, 3_600],
        "/sooner": ["failed", 429, 5],
        "/never": ["failed", 503, 86_400]
      })
      expect(receiver.at("/elsewhere")).toEqual([])
    })
  )

  claim(
    "stops at 410: the delivery is dead, and so is what waits for the endpoint",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/gone", 410)
      const endpoint = yield* newEndpoint({ url: receiver.url("/gone") })
      yield* queue(endpoint, 12)
      yield* sendOnce(dispatch)
      expect(receiver.received.length).toBe(5)
      expect(yield* endpointState(endpoint)).toMatchObject({ enabled: false })
      const rows = yield* deliveriesOf(endpoint)
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["dead"]))
    })
  )

  claim(
    "keeps nobody waiting for an endpoint that hangs with hundreds of deliveries, of which five are under way",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/hangs", "never")
      const slow = yield* newEndpoint({ url: receiver.url("/hangs") })
      const quick = yield* newEndpoint({ url: receiver.url("/quick") })
      yield* queue(slow, 100)
      yield* dispatch.claimAndSend
      yield* receiver.arrived("/hangs", 5)
      yield* queue(quick, 3)
      yield* dispatch.claimAndSend
      yield* receiver.arrived("/quick", 3)
      yield* dispatch.claimAndSend
      expect(receiver.at("/hangs").length).toBe(5)
      receiver.let("/hangs", 200)
      yield* sendAll(dispatch)
      const statuses = (yield* deliveriesOf(slow)).map(({ status }) => status)
      expect([statuses.length, new Set(statuses)]).toEqual([100, new Set(["delivered"])])
    })
  )

  claim(
    "has room for others beside a hundred endpoints that hang, with five requests to each",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/hangs", "never")
      const organizationId = randomUUID()
      for (let n = 0; n < 100; n++)
        yield* queue(yield* newEndpoint({ organizationId, url: receiver.url("/hangs") }), 8)
      yield* Effect.repeat(dispatch.claimAndSend, { while: (more) => more })
      yield* receiver.arrived("/hangs", 500)
      const quick = yield* newEndpoint({ url: receiver.url("/quick") })
      yield* queue(quick, 3)
      const beganMs = performance.now()
      yield* dispatch.claimAndSend
      yield* receiver.arrived("/quick", 3)
      console.info(`beside 500 that hang: ${(performance.now() - beganMs).toFixed(0)} ms`)
      expect(receiver.at("/hangs").length).toBe(500)
      receiver.let("/hangs", 200)
      yield* dispatch.idle
    })
  )

  claim(
    "is followed by another process where it dies between sending and marking: the same id, the same body",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const outbox = yield* WebhookOutbox
      const endpoint = yield* newEndpoint({ url: receiver.url("/") })
      yield* queue(endpoint)
      const life = yield* Scope.make()
      const unmarking = { ...outbox, mark: () => Effect.never }
      const dying = yield* dispatching.pipe(
        Effect.provideService(WebhookOutbox, unmarking),
        Effect.provideService(Scope.Scope, life)
      )
      yield* Effect.provideService(dying.claimAndSend, WebhookOutbox, unmarking)
      yield* receiver.arrived("/", 1)
      yield* Scope.close(life, Exit.void)
      const heir = yield* dispatching
      yield* sendOnce(heir)
      expect(receiver.received.length, "the lease of the dead one is kept").toBe(1)
      yield* passTime(webhookLeaseMs)
      yield* sendOnce(heir)
      const [first, second, ...others] = receiver.received
      expect(others).toEqual([])
      expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"])
      expect(second?.body).toBe(first?.body)
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "delivered", attempts: 1 }])
    })
  )

  claim(
    "puts off what it cannot sign, without an attempt, until it has the pepper again",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const strange = yield* Effect.provide(newEndpoint({ url: receiver.url("/") }), secretsUnder("another"))
      yield* queue(strange)
      const dispatch = yield* dispatching
      yield* sendOnce(dispatch)
      expect(receiver.received).toEqual([])
      const [row] = yield* deliveriesOf(strange)
      expect(row).toMatchObject({ status: "pending", attempts: 0, claimed: false })
      expect(row?.nextInMs).toBeGreaterThan(240_000)
      expect(yield* endpointState(strange)).toEqual({ enabled: true, failing: false })
      yield* passTime(300_000)
      yield* Effect.provide(sendOnce(dispatch), secretsUnder("another"))
      expect(yield* deliveriesOf(strange)).toMatchObject([{ status: "delivered", attempts: 1 }])
    })
  )

  claim(
    "puts off all that waits for an endpoint that it cannot sign for, and tells the log once",
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const strange = yield* Effect.provide(newEndpoint(), secretsUnder("another"))
      yield* queue(strange, 30)
      yield* Effect.gen(function* () {
        const dispatch = yield* dispatching
        yield* sendOnce(dispatch)
        expect(
          (yield* deliveriesOf(strange)).filter(({ nextInMs }) => (nextInMs ?? 0) > 240_000).length
        ).toBe(30)
        yield* queue(strange, 3)
        yield* sendOnce(dispatch)
      }).pipe(Effect.provide(Logger.layer([logger])))
      expect(lines).toEqual([["webhooks cannot be signed"]])
    })
  )

  claim(
    "tells the log of every failure by ids alone: no URL, no secret, no payload",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const lines: Array<string> = []
      const logger = Logger.make(({ fiber, message }) => {
        lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
      })
      const logging = Layer.mergeAll(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "All"))
      const replies = { "/?token=canary": 500, "/gone?token=canary": 410 }
      yield* Effect.gen(function* () {
        const dispatch = yield* dispatching
        for (const [path, reply] of Object.entries(replies)) {
          receiver.reply(path, reply)
          yield* queue(yield* newEndpoint({ url: receiver.url(path) }))
        }
        yield* queue(yield* newEndpoint({ url: "https://canary.invalid/?token=canary" }))
        yield* queue(yield* Effect.provide(newEndpoint(), secretsUnder("another")))
        yield* sendOnce(dispatch)
      }).pipe(Effect.provide(logging))
      const text = lines.join("\n")
      for (const said of [
        "not delivered yet",
        "was disabled",
        "cannot be signed",
        '"status":500',
        '"reason":"un'
      ])
        expect(text).toContain(said)
      expect(text).toMatch(/"event":"evt_[0-9a-f]{32}"/)
      expect(text).not.toMatch(/canary|whsec_|https?:|disclaimer/)
    })
  )

  claim(
    "sends nothing of an assessment that was erased",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      const endpoint = yield* newEndpoint({ url: receiver.url("/") })
      yield* queue(endpoint)
      const sql = (yield* ModeSql).for(mode)
      yield* sql`UPDATE webhook_events SET data = NULL, assessment_id = gen_random_uuid()`
      yield* sendOnce(dispatch)
      expect(receiver.received).toEqual([])
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "dead", attempts: 0 }])
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
    })
  )
})

layer(stores)("a dispatch whose process has a clock of its own", (it) => {
  const claim = (name: string, body: Body) => it.effect(name, () => Effect.andThen(empty, body))

  claim(
    "lets an endpoint rest that fails again and again, asks it now and then, and loses no attempt by that",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/down", 500)
      const endpoint = yield* newEndpoint({ url: receiver.url("/down") })
      yield* queue(endpoint, 40)
      for (let n = 0; n < 30; n++) yield* sendOnce(dispatch)
      expect(receiver.received.length).toBe(webhookCircuitFailuresMax)
      yield* TestClock.adjust(webhookCircuitOpenMs + 1)
      for (let n = 0; n < 3; n++) yield* sendOnce(dispatch)
      expect(receiver.received.length, "one probe").toBe(webhookCircuitFailuresMax + 1)
      const attempts = (yield* deliveriesOf(endpoint)).reduce((sum, row) => sum + row.attempts, 0)
      expect(attempts).toBe(webhookCircuitFailuresMax + 1)
      receiver.reply("/down", 200)
      yield* TestClock.adjust(webhookCircuitOpenMs + 1)
      yield* passTime(3_600_000)
      yield* sendAll(dispatch)
      expect((yield* deliveriesOf(endpoint)).every(({ status }) => status === "delivered")).toBe(true)
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
    })
  )

  claim(
    "stops in time: what ends soon is marked, and what does not is another's at once",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatch = yield* dispatching
      receiver.reply("/hangs", "never")
      receiver.reply("/soon", "never")
      const hangs = yield* newEndpoint({ url: receiver.url("/hangs") })
      const soon = yield* newEndpoint({ url: receiver.url("/soon") })
      yield* queue(hangs)
      yield* queue(soon)
      yield* dispatch.claimAndSend
      yield* receiver.arrived("/hangs", 1)
      yield* receiver.arrived("/soon", 1)
      const stopping = yield* Effect.forkScoped(dispatch.stop)
      receiver.let("/soon", 200)
      yield* Effect.repeat(deliveriesOf(soon), { while: ([row]) => row?.status !== "delivered" })
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ claimed: true }])
      yield* TestClock.adjust(webhookDrainMs)
      yield* Effect.repeat(deliveriesOf(hangs), { while: ([row]) => row?.claimed === true })
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ status: "pending", attempts: 0 }])
      receiver.reply("/hangs", 200)
      yield* sendOnce(yield* dispatching)
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ status: "delivered", attempts: 1 }])
      expect(stopping.pollUnsafe()?._tag).toBe("Success")
    })
  )
})
