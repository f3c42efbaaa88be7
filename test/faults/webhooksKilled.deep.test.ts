/** A process that is killed while it sends: what it committed is reported, each event once in the outbox, and again where the outcome is unknown. */

import { describe, expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { WebhookStage } from "../support/WebhookStage.ts"
import { randomFrom } from "../support/clients.ts"
import { definedDeliveries, type EndpointRow, type Kept, opensReview } from "../support/definedOutbox.ts"
import { scaled, seed } from "../support/depth.ts"
import { outboxOf } from "../support/outbox.ts"
import { receiverProcess } from "../support/receiverProcess.ts"
import { waitUntil } from "../support/waitUntil.ts"
import { type WebhookReplicas, webhookReplicas } from "../support/webhookReplicas.ts"

const levels = ["low", "moderate", "high", "critical"]

const folder = join(import.meta.dirname, "../../examples/requests")
const examples: ReadonlyArray<object> = readdirSync(folder).map((name) =>
  JSON.parse(readFileSync(join(folder, name), "utf8"))
)

/** Actions of every level, and now and then an incomplete one. */
const assessAtRandom = async ({ ask }: WebhookReplicas, random: () => number): Promise<void> => {
  const action = examples[Math.floor(random() * examples.length)]
  const answer = await ask(
    "POST",
    "/actions/assess",
    action,
    random() < 0.1 ? { "svc-drill": "incomplete" } : {}
  )
  await answer?.text()
  // No server is listening just now: retrying without a pause would only load the machine.
  if (answer === null) await sleep(20)
}

/** Asks until it is stopped. */
const assessUntilStopped = (stage: WebhookReplicas, random: () => number, atOnce: number) => {
  const stopping = new AbortController()
  const client = async () => {
    while (!stopping.signal.aborted) await assessAtRandom(stage, random)
  }
  const clients = Promise.all(Array.from({ length: atOnce }, client))
  return {
    stop: () => {
      stopping.abort()
      return clients
    }
  }
}

const storedOf = ({ directly, organizationId }: WebhookReplicas) =>
  Effect.map(
    directly<Kept["record"]>(`
      SELECT assessment_id AS "assessmentId", complete,
        convert_from(response, 'UTF8')::json #>> '{action_risk,level}' AS level
      FROM test.assessments
    `),
    (records) => records.map((record): Kept => ({ organizationId, record }))
  )

/** Ends the leases of killed processes, which would expire after half a minute. */
const endLeases = ({ directly }: WebhookReplicas) =>
  directly(
    "UPDATE test.webhook_deliveries SET claimed_until = now() - interval '1 s' WHERE claimed_until > now()"
  )

/** Kinds of assessments: a run without all of them would prove little. */
const hasMetAll = (kept: ReadonlyArray<Kept>): boolean =>
  kept.length > scaled(20, 2_000) &&
  new Set(kept.map(({ record }) => record.level)).size === levels.length &&
  kept.some(({ record }) => !record.complete)

describe("a process that is killed", { timeout: scaled(180_000, 3_600_000) }, () => {
  it.live(`has reported what it committed, each thing once, wherever it was killed; seed ${seed}`, () =>
    Effect.gen(function* () {
      const random = randomFrom(seed)
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(1)
      const endpoints: Array<EndpointRow> = []
      yield* Effect.promise(async () => {
        for (const [place, kind] of ["good", "good", "good", "slow", "hang", "refused"].entries()) {
          const url = kind === "refused" ? "http://127.0.0.1:1/" : `${receiver.url}/${kind}/${place}`
          const events = webhookEventTypes.filter((_, i) => place === 0 || (i + place) % 3 !== 0)
          const { id, secret } = await stage.createEndpoint({
            url,
            events,
            min_level: levels[place % 4] ?? "low"
          })
          if (kind !== "refused") await receiver.tell({ path: new URL(url).pathname, secret })
          endpoints.push({
            organizationId: stage.organizationId,
            endpointId: id,
            events,
            leastRank: place % 4,
            enabled: true
          })
        }
      })
      const { stop } = assessUntilStopped(stage, random, scaled(3, 6))
      let kept: ReadonlyArray<Kept> = []
      for (let kill = 0; kill < scaled(3, 200) || !hasMetAll(kept); kill++) {
        if (kill > scaled(40, 400)) throw new Error(`${kept.length} assessments, and not of every kind`)
        yield* Effect.promise(async () => {
          await sleep(random() * 700)
          await stage.restart(0)
        })
        kept = yield* storedOf(stage)
      }
      yield* Effect.promise(stop)

      kept = yield* storedOf(stage)
      const outbox = yield* outboxOf("test", [stage.organizationId])
      const defined = definedDeliveries(kept, endpoints)
      expect(outbox.deliveries).toEqual(defined)
      expect(outbox.events).toEqual(
        [...new Set(defined.map((line) => line.split(" ").slice(0, 3).join(" ")))].toSorted()
      )
      expect(outbox.reviews).toEqual(
        kept
          .filter(opensReview)
          .map(({ organizationId, record }) => `${organizationId} ${record.assessmentId}`)
          .toSorted()
      )

      yield* endLeases(stage)
      yield* Effect.promise(() =>
        stage.untilDelivered(endpoints.slice(0, 3).map(({ endpointId }) => endpointId))
      )
      const wanted = defined.filter((line) =>
        endpoints.slice(0, 3).some(({ endpointId }) => line.endsWith(endpointId))
      )
      const good = receiver.received.filter(({ path }) => path.startsWith("/good/"))
      expect(new Set(good.map(({ id, path }) => `${id} ${path}`)).size).toBe(wanted.length)
      expect(good.every(({ verified }) => verified)).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )
})

const stage = WebhookStage.layer(1)

layer(stage, { excludeTestServices: true, timeout: 120_000 })("a process that is killed", (it) => {
  const claim = (name: string, path: string, kill: (stage: WebhookStage["Service"]) => Effect.Effect<void>) =>
    it.effect(
      name,
      Effect.fnUntraced(function* () {
        const stage = yield* WebhookStage
        const { assess, listenAt, receiver, remove, untilDelivered } = stage
        const arrived = () => receiver.received.filter((received) => received.path === path)
        const id = yield* Effect.promise(async () => {
          const id = await listenAt(path)
          await assess()
          await receiver.until(() => arrived().length === 1)
          return id
        })
        yield* kill(stage)
        yield* endLeases(stage)
        yield* Effect.promise(async () => {
          await receiver.until(() => arrived().length === 2)
          await receiver.tell({ letGo: true })
          await untilDelivered([id])
          await remove(id)
        })
        const [first, second, ...others] = arrived()
        expect(others).toEqual([])
        expect([second?.id, second?.body, second?.verified]).toEqual([first?.id, first?.body, true])
      }),
      180_000
    )

  claim(
    "between the request and its answer is followed by one that sends the same event again",
    "/held/1",
    ({ restart }) => Effect.promise(() => restart(0))
  )

  const marking = `
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%'
  `
  claim(
    "between the answer and its mark is followed by one that sends the same event again",
    "/held/2",
    ({ directly, holding, receiver, restart }) =>
      // The process that marks the delivery now waits for this row: the answer has arrived, but the mark is missing.
      holding(
        "SELECT FROM test.webhook_deliveries FOR UPDATE",
        Effect.gen(function* () {
          yield* Effect.promise(() => receiver.tell({ letGo: true }))
          yield* waitUntil(directly(`SELECT pid ${marking}`), (waiting) => waiting.length === 1)
          yield* Effect.promise(() => restart(0))
          // A statement of a dead process would still run if it had reached the server.
          yield* directly(`SELECT pg_terminate_backend(pid) ${marking}`)
        })
      )
  )
})
