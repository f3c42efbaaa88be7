/** The relay sends deliveries for as long as the service runs, survives a lost database, and stops in time. */

import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import { AppConfig } from "../../src/config.ts"
import { webhookPollMs } from "../../src/limits.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { DeliverySignal } from "../../src/storage/webhooks/DeliverySignal.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { relay, sweepOutbox } from "../../src/webhooks/worker.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { serving } from "../support/actionRisk.ts"
import { type FaultyProxy, faultyProxy } from "../support/faultyProxy.ts"
import { newKey, newOrganization } from "../support/fullService.ts"
import { deliveriesOf, mode, newEndpoint, queue } from "../support/queued.ts"
import { webhookReceiver } from "../support/webhookReceiver.ts"

const pepper = "a pepper of this test"
const secrets = Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] })
const stores = Layer.mergeAll(
  WebhookSecrets.layer,
  DeliverySignal.layer,
  Organizations.layer,
  ApiKeys.layer,
  KeyHasher.layer
).pipe(Layer.provide(secrets), Layer.provideMerge(TestDatabase.layer))
type Stores = Layer.Success<typeof stores>

/** Runs until the test's scope closes; its database can be cut off. */
const running: Effect.Effect<FaultyProxy, unknown, Stores | Scope.Scope> = Effect.gen(function* () {
  const url = Redacted.value((yield* Database).url)
  const proxy = yield* faultyProxy(url)
  const bell = yield* DeliverySignal
  const secrets = yield* WebhookSecrets
  const through = Database.of({ kind: "external", url: Redacted.make(proxy.through(url)), logins: {} })
  yield* relay.pipe(
    Layer.provide([
      Layer.succeed(WebhookSecrets, secrets),
      Layer.succeed(Database, through),
      Layer.succeed(DeliverySignal, bell),
      AppConfig.layerFrom({ WEBHOOK_ALLOW_INSECURE: "loopback" }),
      Logger.layer([])
    ]),
    Layer.fresh,
    Layer.build
  )
  return proxy
})

const untilDelivered = (organization: { readonly organizationId: string }) =>
  Effect.repeat(deliveriesOf(organization), {
    while: (rows) => rows.some(({ status }) => status !== "delivered")
  })

layer(stores, { excludeTestServices: true })("the relay", (it) => {
  const claim = (
    name: string,
    body: Effect.Effect<void, unknown, Stores | Scope.Scope>,
    timeoutMs = 60_000
  ) => it.effect(name, () => Effect.scoped(body), timeoutMs)

  claim(
    "stores the result of a sent delivery when its database is back, and does not send it twice",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const database = yield* running
      receiver.reply("/", "never")
      const endpoint = yield* newEndpoint({ url: receiver.url("/") })
      yield* queue(endpoint)
      yield* receiver.arrived("/", 1)
      database.setReachable(false)
      receiver.let("/", 200)
      // It continues without its database: claims and marks fail, and are retried.
      yield* Effect.repeat(Effect.sleep(20), { while: () => database.refused() < 4 })
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "pending", claimed: true }])
      database.setReachable(true)
      yield* untilDelivered(endpoint)
      yield* queue(endpoint)
      yield* untilDelivered(endpoint)
      expect(receiver.received.length).toBe(2)
    })
  )

  claim(
    "sends the event of an assessment at once with a valid signature, and stops in time",
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver
      const organization = yield* newOrganization("acme")
      const key = yield* newKey(organization)
      const owner = { organizationId: organization.id }
      const endpoint = yield* newEndpoint({
        ...owner,
        url: receiver.url("/"),
        // On a busy machine now and then one is incomplete.
        events: ["assessment.completed", "assessment.incomplete"]
      })
      const url = Redacted.value((yield* Database).url)
      const proxy = yield* faultyProxy(url)
      const env = {
        DATABASE_URL: proxy.through(url),
        KEY_PEPPER: pepper,
        WEBHOOK_ALLOW_INSECURE: "loopback"
      }
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => serving({ env })),
        ({ signal }) => Effect.ignore(Effect.try(() => signal("SIGKILL")))
      )
      const assess = Effect.promise(async () => {
        const ask = () =>
          fetch(`${server.url}/api/v1/actions/assess`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "idempotency-key": once
            },
            body: JSON.stringify({ action_type: "customer.read", environment: "staging" })
          })
        const once = randomUUID()
        let answer = await ask()
        // A busy machine may be too slow for an answer.
        for (let tries = 0; answer.status === 503 && tries < 20; tries++) answer = await ask()
        return (await answer.json()) as { readonly assessment_id: string }
      })
      const waits: Array<number> = []
      /** Polling alone would hardly send any this soon: the last poll was just before the assessment. */
      const atOnce = () => waits.filter((ms) => ms < webhookPollMs / 2).length
      // A machine that is busy with something else may be slow for a while.
      while (atOnce() < 8 && waits.length < 60) {
        const n = waits.length + 1
        const { assessment_id } = yield* assess
        const answeredMs = performance.now()
        yield* receiver.arrived("/", n)
        waits.push(performance.now() - answeredMs)
        const { body, headers } = receiver.received.at(-1) ?? { body: "", headers: {} }
        expect(new Webhook(endpoint.secret).verify(body, { ...headers })).toMatchObject({
          type: expect.stringMatching(/^assessment\.(?:completed|incomplete)$/),
          data: { assessment_id, environment: "staging", normalized_action_type: "customer.read" }
        })
      }
      console.info(`from the answer to the receiver: ${waits.map((ms) => ms.toFixed(0)).join(", ")} ms`)
      expect(atOnce()).toBe(8)

      yield* untilDelivered(owner)
      receiver.reply("/", "never")
      yield* assess
      yield* receiver.arrived("/", waits.length + 1)
      const beganMs = performance.now()
      server.signal("SIGTERM")
      const { code } = yield* Effect.promise(() => server.finished)
      expect([code, performance.now() - beganMs < 10_000]).toEqual([0, true])
      const rows = yield* deliveriesOf(owner)
      expect(rows.at(-1)).toMatchObject({ status: "pending", attempts: 0, claimed: false })
      expect(rows.filter(({ status }) => status === "delivered").length).toBe(waits.length)
    }),
    60_000
  )
})

layer(stores)("the relay, while its clock is stopped", (it) => {
  it.effect(
    "sends a signalled delivery at once, and a delivery without a signal at the next poll",
    () =>
      Effect.gen(function* () {
        const receiver = yield* webhookReceiver
        const bell = yield* DeliverySignal
        yield* running
        const endpoint = yield* newEndpoint({ url: receiver.url("/") })
        // Several times, because it also polls at its start and after an attempt.
        for (let n = 1; n <= 10; n++) {
          yield* queue(endpoint)
          bell.notify(mode)
          yield* receiver.arrived("/", n)
          yield* untilDelivered(endpoint)
        }
        // As another process would have queued it.
        yield* queue(endpoint)
        const realSleep = (ms: number) => Effect.promise(() => sleep(ms))
        yield* realSleep(100)
        // The database and the receiver answer in real time, so the clock must not run ahead of them: a second poll is
        // only needed if the first adjustment came before the relay waited.
        const look = Effect.andThen(TestClock.adjust(webhookPollMs), realSleep(2_000))
        yield* Effect.raceFirst(untilDelivered(endpoint), Effect.forever(look))
        expect(receiver.received.length).toBe(11)
      }).pipe(Effect.scoped),
    60_000
  )
})

it.live("events are swept even if the sweep of deliveries fails", () =>
  Effect.gen(function* () {
    const swept = Promise.withResolvers<void>()
    const outbox = {
      markDead: () => Effect.succeed(0),
      sweepDeliveries: () => Effect.die(new Error("too slow")),
      sweepEvents: () =>
        Effect.sync(() => {
          swept.resolve()
          return 0
        })
    } as unknown as WebhookOutbox["Service"]
    yield* Effect.provideService(sweepOutbox, WebhookOutbox, outbox)
    expect(yield* Effect.promise(() => swept.promise)).toBeUndefined()
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)
