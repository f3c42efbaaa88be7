/** Deliveries reach receivers despite slow ones, and a process that dies or stops loses none of them. */

import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { createServer, type Socket } from "node:net"
import {
  webhookCircuitFailuresMax,
  webhookCircuitOpenMs,
  webhookDrainMs,
  webhookClaimBatchMax,
  webhookHostAttemptsMax,
  webhookInFlightAheadMax,
  webhookLeaseMs,
  webhookOrganizationAttemptsMax,
  webhookPollMs
} from "../../src/limits.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import {
  type ClaimBody,
  startDispatcher,
  emptyOutbox,
  sendAll,
  sendOnce,
  webhookStores
} from "../support/dispatching.ts"
import { deliveriesOf, endpointState, newEndpoint, passTime, queue } from "../support/queued.ts"
import { withSettableClock } from "../support/settableClock.ts"
import { webhookReceiver } from "../support/webhookReceiver.ts"

/** Accepts connections and never answers, on as many hosts as wanted. */
const silentReceiver = Effect.gen(function* () {
  const open = new Set<Socket>()
  const server = createServer((socket) => void open.add(socket.on("error", () => undefined)))
  const end = () => open.forEach((socket) => socket.destroy())
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "0.0.0.0", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        end()
        server.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return { end, url: (host: number) => `http://127.0.1.${host}:${port}/` }
})

layer(webhookStores, { excludeTestServices: true })("a dispatcher", (it) => {
  const claim = (name: string, body: ClaimBody) => it.effect(name, () => Effect.andThen(emptyOutbox, body))

  claim(
    "sends to other endpoints at once while one hangs with a hundred deliveries, as many of them in flight as may be ahead",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/hangs", "never")
      const slow = yield* newEndpoint({ url: receiver.url("/hangs") })
      const quick = yield* newEndpoint({ url: receiver.url("/quick") })
      yield* queue(slow, 100)
      yield* dispatcher.claimAndSend
      yield* receiver.arrived("/hangs", webhookInFlightAheadMax)
      yield* queue(quick, 3)
      yield* dispatcher.claimAndSend
      yield* receiver.arrived("/quick", 3)
      yield* dispatcher.claimAndSend
      expect(receiver.at("/hangs").length).toBe(webhookInFlightAheadMax)
      receiver.let("/hangs", 200)
      yield* sendAll(dispatcher)
      const statuses = (yield* deliveriesOf(slow)).map(({ status }) => status)
      expect([statuses.length, new Set(statuses)]).toEqual([100, new Set(["delivered"])])
    })
  )

  claim(
    "sends few at once to one host, and has room there for every organization",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/hangs", "never")
      const organizationId = randomUUID()
      for (let n = 0; n < 100; n++)
        yield* queue(yield* newEndpoint({ organizationId, url: receiver.url("/hangs") }), 8)
      yield* Effect.repeat(dispatcher.claimAndSend, { while: (more) => more })
      yield* receiver.arrived("/hangs", webhookHostAttemptsMax)
      const quick = yield* newEndpoint({ url: receiver.url("/quick") })
      yield* queue(quick, 3)
      yield* dispatcher.claimAndSend
      yield* receiver.arrived("/quick", 3)
      expect(receiver.at("/hangs").length).toBe(webhookHostAttemptsMax)
      receiver.let("/hangs", 200)
      yield* dispatcher.idle
      yield* sendOnce(dispatcher)
      expect(receiver.at("/hangs").length, "what ends makes room").toBe(
        webhookHostAttemptsMax + webhookClaimBatchMax
      )
    })
  )

  claim(
    "sends a third organization's deliveries at once beside two whose hundred receivers hang",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      const silent = yield* silentReceiver
      const crowds = [randomUUID(), randomUUID()]
      for (const [at, organizationId] of crowds.entries()) {
        for (let n = 0; n < 100; n++)
          yield* queue(yield* newEndpoint({ organizationId, url: silent.url(100 * at + n) }), 5)
      }
      yield* Effect.repeat(dispatcher.claimAndSend, { while: (more) => more })
      const taken = yield* Effect.forEach(crowds, (organizationId) => deliveriesOf({ organizationId }))
      const inFlight = taken.map((of) => of.filter(({ claimed }) => claimed).length)
      expect(inFlight).toEqual([webhookOrganizationAttemptsMax, webhookOrganizationAttemptsMax])

      const quick = yield* newEndpoint({ url: receiver.url("/quick") })
      const waits: Array<number> = []
      for (let n = 1; n <= 20; n++) {
        yield* queue(quick)
        const beganMs = performance.now()
        yield* dispatcher.claimAndSend
        yield* receiver.arrived("/quick", n)
        waits.push(performance.now() - beganMs)
      }
      const median = waits.toSorted((a, b) => a - b)[10] ?? Infinity
      console.info(`beside 200 receivers that hang, median ${median.toFixed(0)} ms`)
      expect(median).toBeLessThan(webhookPollMs)
      silent.end()
      yield* dispatcher.idle
    })
  )

  claim(
    "that dies between sending and storing is followed by another process, which sends the same id and body",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const outbox = yield* WebhookOutbox
      const endpoint = yield* newEndpoint({ url: receiver.url("/") })
      yield* queue(endpoint)
      const life = yield* Scope.make()
      const unmarking = { ...outbox, mark: () => Effect.never }
      const dying = yield* startDispatcher.pipe(
        Effect.provideService(WebhookOutbox, unmarking),
        Effect.provideService(Scope.Scope, life)
      )
      yield* Effect.provideService(dying.claimAndSend, WebhookOutbox, unmarking)
      yield* receiver.arrived("/", 1)
      yield* Scope.close(life, Exit.void)
      const heir = yield* startDispatcher
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
})

layer(webhookStores)("a dispatcher under a test clock", (it) => {
  const claim = (name: string, body: ClaimBody) => it.effect(name, () => Effect.andThen(emptyOutbox, body))

  claim(
    "pauses an endpoint that fails repeatedly, probes it once per pause, and uses up no attempt",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/down", 500)
      const endpoint = yield* newEndpoint({ url: receiver.url("/down") })
      yield* queue(endpoint, 40)
      for (let n = 0; n < 30; n++) yield* sendOnce(dispatcher)
      expect(receiver.received.length, "what was in flight").toBe(webhookInFlightAheadMax)
      yield* TestClock.adjust(webhookCircuitOpenMs + 1)
      for (let n = 0; n < 3; n++) yield* sendOnce(dispatcher)
      expect(receiver.received.length, "one probe").toBe(webhookInFlightAheadMax + 1)
      const attempts = (yield* deliveriesOf(endpoint)).reduce((sum, row) => sum + row.attempts, 0)
      expect(attempts).toBe(webhookInFlightAheadMax + 1)
      receiver.reply("/down", 200)
      yield* TestClock.adjust(webhookCircuitOpenMs + 1)
      yield* passTime(3_600_000)
      yield* sendAll(dispatcher)
      expect((yield* deliveriesOf(endpoint)).every(({ status }) => status === "delivered")).toBe(true)
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })
    })
  )

  claim(
    "ends a pause in time when the machine's clock is set back meanwhile",
    withSettableClock((setBack) =>
      Effect.gen(function* () {
        const receiver = yield* webhookReceiver
        const dispatcher = yield* startDispatcher
        receiver.reply("/down", 500)
        yield* queue(yield* newEndpoint({ url: receiver.url("/down") }), 40)
        for (let n = 0; n < webhookCircuitFailuresMax; n++) yield* sendOnce(dispatcher)
        yield* setBack(3_600_000)
        yield* TestClock.adjust(webhookCircuitOpenMs + 1)
        yield* sendOnce(dispatcher)
        expect(receiver.received.length, "one probe").toBe(webhookInFlightAheadMax + 1)
      })
    )
  )

  claim(
    "stops in time: attempts that end soon are stored, and the others are free for another process at once",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const dispatcher = yield* startDispatcher
      receiver.reply("/hangs", "never")
      receiver.reply("/soon", "never")
      const hangs = yield* newEndpoint({ url: receiver.url("/hangs") })
      const soon = yield* newEndpoint({ url: receiver.url("/soon") })
      yield* queue(hangs)
      yield* queue(soon)
      yield* dispatcher.claimAndSend
      yield* receiver.arrived("/hangs", 1)
      yield* receiver.arrived("/soon", 1)
      const stopping = yield* Effect.forkScoped(dispatcher.stop)
      receiver.let("/soon", 200)
      yield* Effect.repeat(deliveriesOf(soon), { while: ([row]) => row?.status !== "delivered" })
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ claimed: true }])
      yield* TestClock.adjust(webhookDrainMs)
      yield* Effect.repeat(deliveriesOf(hangs), { while: ([row]) => row?.claimed === true })
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ status: "pending", attempts: 0 }])
      receiver.reply("/hangs", 200)
      yield* sendOnce(yield* startDispatcher)
      expect(yield* deliveriesOf(hangs)).toMatchObject([{ status: "delivered", attempts: 1 }])
      expect(stopping.pollUnsafe()?._tag).toBe("Success")
    })
  )
})
