/** One delivery is signed, sent, retried on schedule, and finished, however its receiver behaves. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { webhookDelaysSeconds, webhookInFlightAheadMax } from "../../src/limits.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import {
  type ClaimBody,
  startDispatcher,
  emptyOutbox,
  secretsUnder,
  sendOnce,
  webhookStores,
  verified
} from "../support/dispatching.ts"
import {
  deliveriesOf,
  endpointState,
  mode,
  newEndpoint,
  newSecret,
  passTime,
  queue
} from "../support/queued.ts"
import { webhookReceiver } from "../support/webhookReceiver.ts"

layer(webhookStores, { excludeTestServices: true })("a delivery", (it) => {
  const claim = (name: string, body: ClaimBody) => it.effect(name, () => Effect.andThen(emptyOutbox, body))

  claim(
    "is attempted ten times at the intervals of the schedule, with one id and one body, and then dead",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/down", 503)
      const endpoint = yield* newEndpoint({ url: receiver.url("/down") })
      yield* queue(endpoint)
      const waits: Array<number> = []
      for (const delay of webhookDelaysSeconds) {
        yield* sendOnce(dispatcher)
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
        yield* sendOnce(dispatcher)
        expect(receiver.received.length, "not before its time").toBe(waits.length)
        yield* passTime(500)
      }
      yield* sendOnce(dispatcher)
      expect(yield* deliveriesOf(endpoint)).toMatchObject([
        { status: "dead", attempts: 10, lastStatus: 503, nextInMs: null, claimed: false }
      ])
      yield* passTime(30 * 86_400_000)
      yield* sendOnce(dispatcher)
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
      // Just over three days of failures do not disable it; five do.
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: true })
    })
  )

  claim(
    "is signed with both secrets for a day after a rotation, and then with the new secret only",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      const old = newSecret()
      const endpoint = yield* newEndpoint({
        url: receiver.url("/"),
        previous: { secret: old, hoursLeft: 24 }
      })
      yield* queue(endpoint)
      yield* sendOnce(dispatcher)
      yield* passTime(86_400_000)
      yield* queue(endpoint)
      yield* sendOnce(dispatcher)
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
    "succeeds with 2xx only, follows no redirect, and waits longer if the receiver asks, but never shorter",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
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
        yield* sendOnce(dispatcher)
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
    "is dead after a 410, and so are the other deliveries that wait for the endpoint",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/gone", 410)
      const endpoint = yield* newEndpoint({ url: receiver.url("/gone") })
      yield* queue(endpoint, webhookInFlightAheadMax + 7)
      yield* sendOnce(dispatcher)
      expect(receiver.received.length).toBe(webhookInFlightAheadMax)
      expect(yield* endpointState(endpoint)).toMatchObject({ enabled: false })
      const rows = yield* deliveriesOf(endpoint)
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["dead"]))
    })
  )

  claim(
    "is postponed without an attempt if its secret cannot be read, and is sent when the pepper is back",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const strange = yield* Effect.provide(newEndpoint({ url: receiver.url("/") }), secretsUnder("another"))
      yield* queue(strange)
      const dispatcher = yield* startDispatcher
      yield* sendOnce(dispatcher)
      expect(receiver.received).toEqual([])
      const [row] = yield* deliveriesOf(strange)
      expect(row).toMatchObject({ status: "pending", attempts: 0, claimed: false })
      expect(row?.nextInMs).toBeGreaterThan(240_000)
      expect(yield* endpointState(strange)).toEqual({ enabled: true, failing: false })
      yield* passTime(300_000)
      yield* Effect.provide(sendOnce(dispatcher), secretsUnder("another"))
      expect(yield* deliveriesOf(strange)).toMatchObject([{ status: "delivered", attempts: 1 }])
    })
  )

  claim(
    "is postponed together with all others of an endpoint whose secret cannot be read, with one line in the log",
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const strange = yield* Effect.provide(newEndpoint(), secretsUnder("another"))
      yield* queue(strange, 30)
      yield* Effect.gen(function* () {
        const dispatcher = yield* startDispatcher
        yield* sendOnce(dispatcher)
        expect(
          (yield* deliveriesOf(strange)).filter(({ nextInMs }) => (nextInMs ?? 0) > 240_000).length
        ).toBe(30)
        yield* queue(strange, 3)
        yield* sendOnce(dispatcher)
      }).pipe(Effect.provide(Logger.layer([logger])))
      expect(lines).toEqual([["webhooks cannot be signed"]])
    })
  )

  claim(
    "is logged by its ids if it fails, without URL, secret or payload",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const lines: Array<string> = []
      const logger = Logger.make(({ fiber, message }) => {
        lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
      })
      const logging = Layer.mergeAll(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "All"))
      const replies = { "/?token=canary": 500, "/gone?token=canary": 410 }
      yield* Effect.gen(function* () {
        const dispatcher = yield* startDispatcher
        for (const [path, reply] of Object.entries(replies)) {
          receiver.reply(path, reply)
          yield* queue(yield* newEndpoint({ url: receiver.url(path) }))
        }
        yield* queue(yield* newEndpoint({ url: "https://canary.invalid/?token=canary" }))
        yield* queue(yield* Effect.provide(newEndpoint(), secretsUnder("another")))
        yield* sendOnce(dispatcher)
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
    "is not sent if its assessment was erased",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      const endpoint = yield* newEndpoint({ url: receiver.url("/") })
      yield* queue(endpoint)
      const sql = (yield* ModeSql).for(mode)
      yield* sql`UPDATE webhook_events SET data = NULL, assessment_id = gen_random_uuid()`
      yield* sendOnce(dispatcher)
      expect(receiver.received).toEqual([])
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "dead", attempts: 0 }])
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
    })
  )
})
