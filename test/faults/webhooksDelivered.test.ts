/** Deliveries as a stranger sees them, who has nothing of ours: verified, in time, once, and not too many at a time. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { webhookInFlightMax } from "../../src/Limits.ts"
import { type ReceiverProcess, receiverProcess } from "../support/receiverProcess.ts"
import { scaled } from "../support/scale.ts"
import type { Received } from "../support/standardReceiver.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { type WebhookReplicas, webhookReplicas } from "../support/webhookReplicas.ts"

const events = ["assessment.completed"]

/** An endpoint at this path of the receiver, which knows its secret. */
const listenAt = async (stage: WebhookReplicas, receiver: ReceiverProcess, path: string) => {
  const { id, secret } = await stage.createEndpoint({ url: receiver.url + path, events })
  await receiver.tell({ path, secret })
  return id
}

/** So many assessments, a few at once; all answered with 200. */
const assess = async ({ ask }: WebhookReplicas, count: number, atOnce = 8) => {
  let asked = 0
  const client = async () => {
    while (asked < count) {
      asked++
      const answer = await ask("POST", "/actions/assess", {
        action_type: "customer.read",
        environment: "staging"
      })
      await answer?.text()
      expect(answer?.status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
}

const at = (path: string) => (received: Received) => received.path === path
const idsOf = (received: ReadonlyArray<Received>) => received.map(({ id, path }) => `${path} ${id}`)

/** From an event's time, which is its commit's, to its arrival. */
const latencyMs = ({ atMs, body }: Received): number => atMs - Date.parse(JSON.parse(body).timestamp)

const p99 = (figures: ReadonlyArray<number>): number =>
  figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * 0.99) - 1] ?? Number.NaN

describe("deliveries", { timeout: scaled(60_000, 600_000) }, () => {
  it.live("are verified by the public library with whichever secret the receiver has while it changes", () =>
    Effect.gen(function* () {
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(1)
      const count = scaled(100, 1_000)
      yield* Effect.promise(async () => {
        const id = await listenAt(stage, receiver, "/good/1")
        await assess(stage, count / 2)
        const assessing = assess(stage, count / 2)
        const secret = await stage.rotateSecret(id)
        // The receiver goes on with the old one for a while, as receivers do.
        await receiver.until((received) => received.length >= (count * 3) / 4)
        await receiver.tell({ path: "/good/1", secret })
        await assessing
        await receiver.until((received) => received.length >= count)
      })
      expect(new Set(idsOf(receiver.received)).size).toBe(count)
      expect(receiver.received.filter(({ verified }) => !verified)).toEqual([])
      const statuses = stage.directly<{ readonly count: number }>(
        "SELECT count(*)::int AS count FROM test.webhook_deliveries WHERE status <> 'delivered' OR attempts <> 1"
      )
      yield* Effect.promise(() => sleep(300))
      expect(yield* statuses).toEqual([{ count: 0 }])
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  it.live("of a good endpoint are as quick beside ten that hang as by themselves", () =>
    Effect.gen(function* () {
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(1)
      const count = scaled(100, 1_000)
      yield* Effect.promise(async () => {
        await listenAt(stage, receiver, "/good/1")
        await assess(stage, count)
        await receiver.until((received) => received.length === count)
        const alone = p99(receiver.received.map(latencyMs))
        for (let place = 0; place < 10; place++) await listenAt(stage, receiver, `/hang/${place}`)
        await assess(stage, count)
        await receiver.until((received) => received.filter(at("/good/1")).length === 2 * count)
        const hanging = receiver.received.filter(({ path }) => path.startsWith("/hang/"))
        const beside = p99(receiver.received.filter(at("/good/1")).slice(count).map(latencyMs))
        console.info(`p99 of ${count} deliveries: ${alone} ms alone, ${beside} ms beside ten that hang`)
        expect(beside).toBeLessThan(Math.max(1_000, 2 * alone))
        // They were asked, and no more at a time than may be.
        expect(new Set(hanging.map(({ path }) => path)).size).toBe(10)
        expect(Math.max(...hanging.map(({ inFlight }) => inFlight))).toBe(webhookInFlightMax)
      })
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  it.live("of two replicas are made once each, and no more at a time to one endpoint than may be", () =>
    Effect.gen(function* () {
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(2)
      const count = scaled(60, 1_000)
      const paths = ["/slow/1", "/slow/2", "/good/3"]
      yield* Effect.promise(async () => {
        for (const path of paths) await listenAt(stage, receiver, path)
        await assess(stage, count)
        await receiver.until((received) => received.length >= paths.length * count, 120_000)
        // Were any made twice, the second would come now.
        await sleep(1_500)
      })
      const { received } = receiver
      expect(received).toHaveLength(paths.length * count)
      expect(new Set(idsOf(received)).size).toBe(paths.length * count)
      expect(received.filter(({ verified }) => !verified)).toEqual([])
      for (const path of ["/slow/1", "/slow/2"])
        expect(Math.max(...received.filter(at(path)).map(({ inFlight }) => inFlight))).toBe(
          webhookInFlightMax
        )
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )
})
