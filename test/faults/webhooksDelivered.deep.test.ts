/** Deliveries as a third party sees them, without any of our code: verified, in time, once, and not too many at a time. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  webhookInFlightAheadMax,
  webhookInFlightMax,
  webhookLeaseMs,
  webhookTotalMs
} from "../../src/limits.ts"
import { WebhookStage } from "../support/WebhookStage.ts"
import { long, scaled } from "../support/depth.ts"
import type { Received } from "../support/standardReceiver.ts"
import { waitUntil } from "../support/waitUntil.ts"

/** The number of assessments, a few at once. */
const assess = async (stage: WebhookStage["Service"], count: number) => {
  let asked = 0
  const client = async () => {
    while (asked++ < count) await stage.assess()
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

const at = (path: string) => (received: Received) => received.path === path
const distinct = (received: ReadonlyArray<Received>) =>
  new Set(received.map(({ id, path }) => `${path} ${id}`)).size

/** From an event's time, which is that of its commit, to its arrival. */
const latencyMs = ({ atMs, body }: Received): number => atMs - Date.parse(JSON.parse(body).timestamp)

const quantile = (figures: ReadonlyArray<number>, share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * share) - 1] ?? Number.NaN

const stage = WebhookStage.layer(2)

layer(stage, { excludeTestServices: true, timeout: 120_000 })("deliveries", (it) => {
  const claim = (name: string, body: (stage: WebhookStage["Service"]) => Promise<void>) =>
    it.effect(
      name,
      () => Effect.flatMap(WebhookStage, (stage) => Effect.promise(() => body(stage))),
      scaled(180_000, 900_000)
    )

  claim(
    "are verified by the public library with whichever secret the receiver has while it changes",
    async (stage) => {
      const { directly, listenAt, receiver, rotateSecret, untilDelivered } = stage
      const path = "/good/rotated"
      const third = scaled(20, 334)
      const count = 3 * third
      const id = await listenAt(path)
      await assess(stage, third)
      const assessing = assess(stage, third)
      const secret = await rotateSecret(id)
      const rotated = await Effect.runPromise(
        directly<{ readonly at: string }>("SELECT statement_timestamp()::text AS at")
      )
      // Like real receivers, this one accepts the old secret for a while, until no delivery signed only with it is in progress.
      await assessing
      const signedBefore = directly<{ readonly count: number }>(`
        SELECT count(*)::int AS count FROM test.webhook_deliveries
        WHERE claimed_until < timestamptz '${rotated[0]?.at}' + interval '${webhookLeaseMs} ms'
      `)
      await Effect.runPromise(waitUntil(signedBefore, ([row]) => row?.count === 0))
      await receiver.tell({ path, secret })
      await assess(stage, third)
      await receiver.until((received) => distinct(received.filter(at(path))) === count)
      await untilDelivered([id])
      expect(receiver.received).toHaveLength(count)
      expect(receiver.received.filter(({ verified }) => !verified)).toEqual([])
      await stage.remove(id)
    }
  )

  claim("of a good endpoint do not wait for ten that hang", async (stage) => {
    const { listenAt, receiver, remove } = stage
    const count = scaled(30, 1_000)
    const good = () => receiver.received.filter(at("/good/1"))
    const ids = [await listenAt("/good/1")]
    await assess(stage, count)
    await receiver.until(() => good().length >= count)
    const paths = Array.from({ length: 10 }, (_, place) => `/hang/${place}`)
    for (const path of paths) ids.push(await listenAt(path))
    await assess(stage, webhookInFlightMax)
    const inFlight = (path: string) =>
      Math.max(0, ...receiver.received.filter(at(path)).map(({ inFlight }) => inFlight))
    await receiver.until(() => paths.every((path) => inFlight(path) >= webhookInFlightMax))
    const before = count + webhookInFlightMax
    await assess(stage, count)
    await receiver.until(() => good().length >= before + count)
    const alone = good().slice(0, count).map(latencyMs)
    const beside = good().slice(before).map(latencyMs)
    const p99 = [alone, beside].map((figures) => quantile(figures, 0.99))
    console.info(`p99 of ${count} deliveries: ${p99[0]} ms alone, ${p99[1]} ms beside ten that hang`)
    // It would take this long if they were sent after the hanging ones.
    expect(quantile(beside, 0.5)).toBeLessThan(webhookTotalMs / 2)
    // Next to other tests this shows the speed of the machine.
    if (long) expect(p99[1]).toBeLessThan(2_000)
    // They received requests, and never more at a time than allowed.
    for (const path of paths) expect(inFlight(path)).toBeLessThanOrEqual(webhookInFlightAheadMax)
    for (const id of ids) await remove(id)
  })

  claim(
    "of two replicas are made once each, and no more at a time to one endpoint than may be",
    async (stage) => {
      const { listenAt, receiver, stop, untilDelivered } = stage
      const count = scaled(40, 1_000)
      const paths = ["/slow/1", "/slow/2", "/good/3"]
      const ids: Array<string> = []
      for (const path of paths) ids.push(await listenAt(path))
      await assess(stage, count)
      await untilDelivered(ids)
      // A second attempt would be in progress or due: a process that has ended has sent what it began.
      await stop()
      await receiver.tell({ letGo: true })
      const received = receiver.received.filter(({ path }) => paths.includes(path))
      expect(received).toHaveLength(paths.length * count)
      expect(distinct(received)).toBe(paths.length * count)
      expect(received.filter(({ verified }) => !verified)).toEqual([])
      for (const path of ["/slow/1", "/slow/2"]) {
        const most = Math.max(...received.filter(at(path)).map(({ inFlight }) => inFlight))
        expect(most).toBeLessThanOrEqual(webhookInFlightAheadMax)
        // Requests that a slow machine sends in sequence are not in progress together.
        if (long) expect(most).toBeGreaterThanOrEqual(webhookInFlightMax)
      }
    }
  )
})
