/** A process that is killed while it sends: what it committed is told, each event once in the outbox, and again where nobody knows. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type WebhookEventType, webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { randomFrom } from "../support/clients.ts"
import { definedDeliveries, type EndpointRow, type Kept, opensReview } from "../support/definedOutbox.ts"
import { outboxOf } from "../support/outbox.ts"
import { receiverProcess } from "../support/receiverProcess.ts"
import { seed } from "../support/runs.ts"
import { scaled } from "../support/scale.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { type WebhookReplicas, webhookReplicas } from "../support/webhookReplicas.ts"

const levels = ["low", "moderate", "high", "critical"]

const folder = join(import.meta.dirname, "../../examples/requests")
const examples: ReadonlyArray<object> = readdirSync(folder).map((name) =>
  JSON.parse(readFileSync(join(folder, name), "utf8"))
)

/** Actions of every level, and now and then an incomplete one. */
const assessAtRandom = async ({ ask }: WebhookReplicas, random: () => number): Promise<number | null> => {
  const action = examples[Math.floor(random() * examples.length)]
  const answer = await ask(
    "POST",
    "/actions/assess",
    action,
    random() < 0.1 ? { "svc-drill": "incomplete" } : {}
  )
  await answer?.text()
  // Nobody listens just now: asking without a pause would only keep the machine busy.
  if (answer === null) await sleep(20)
  return answer?.status ?? null
}

/** Asks until it is stopped; gives how many were answered with 200. */
const assessUntilStopped = (stage: WebhookReplicas, random: () => number, atOnce: number) => {
  const stopping = new AbortController()
  let answered = 0
  const client = async () => {
    while (!stopping.signal.aborted) if ((await assessAtRandom(stage, random)) === 200) answered++
  }
  const clients = Promise.all(Array.from({ length: atOnce }, client))
  return {
    stop: async () => {
      stopping.abort()
      await clients
      return answered
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

/** Leases of processes that were killed end, as they do by themselves after half a minute. */
const endLeases = ({ directly }: WebhookReplicas) =>
  directly(
    "UPDATE test.webhook_deliveries SET claimed_until = now() - interval '1 s' WHERE claimed_until > now()"
  )

const waitUntil = <A>(look: Effect.Effect<A>, holds: (seen: A) => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let looks = 0; !holds(yield* look); looks++) {
      if (looks > scaled(1_000, 30_000)) throw new Error("it does not come to that")
      yield* Effect.promise(() => sleep(20))
    }
  })

describe("a process that is killed", { timeout: scaled(60_000, 3_600_000) }, () => {
  it.live(`has told of what it committed, each thing once, wherever it was killed; seed ${seed}`, () =>
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
        const { stop } = assessUntilStopped(stage, random, 6)
        for (let kill = 0; kill < scaled(5, 200); kill++) {
          await sleep(random() * 700)
          await stage.restart(0)
        }
        expect(await stop()).toBeGreaterThan(scaled(20, 2_000))
      })

      const kept = yield* storedOf(stage)
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
      // A run that meets one kind of assessment would show little.
      expect(new Set(kept.map(({ record }) => record.level)).size).toBe(4)
      expect(kept.some(({ record }) => !record.complete)).toBe(true)

      yield* endLeases(stage)
      const left = stage.directly<{ readonly waiting: number }>(`
        SELECT count(*)::int AS waiting FROM test.webhook_deliveries JOIN test.webhook_endpoints USING (endpoint_id)
        WHERE status <> 'delivered' AND url LIKE '%/good/%'
      `)
      yield* waitUntil(left, ([row]) => row?.waiting === 0)
      const wanted = defined.filter((line) =>
        endpoints.slice(0, 3).some(({ endpointId }) => line.endsWith(endpointId))
      )
      const good = receiver.received.filter(({ path }) => path.startsWith("/good/"))
      expect(new Set(good.map(({ id, path }) => `${id} ${path}`)).size).toBe(wanted.length)
      expect(good.every(({ verified }) => verified)).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  const wanting = (type: WebhookEventType, url: string) => ({ url, events: [type] })

  it.live("between the request and its answer is followed by one that sends the same event again", () =>
    Effect.gen(function* () {
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(1)
      yield* Effect.promise(async () => {
        const { secret } = await stage.createEndpoint(
          wanting("assessment.completed", `${receiver.url}/held/1`)
        )
        await receiver.tell({ path: "/held/1", secret })
        await stage.ask("POST", "/actions/assess", { action_type: "customer.read", environment: "staging" })
        await receiver.until((received) => received.length === 1)
        await stage.restart(0)
      })
      yield* endLeases(stage)
      yield* Effect.promise(() => receiver.until((received) => received.length === 2))
      yield* expectAgain(receiver, stage)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  it.live("between the answer and its mark is followed by one that sends the same event again", () =>
    Effect.gen(function* () {
      const receiver = yield* receiverProcess
      const stage = yield* webhookReplicas(1)
      yield* Effect.promise(async () => {
        const { secret } = await stage.createEndpoint(
          wanting("assessment.completed", `${receiver.url}/held/1`)
        )
        await receiver.tell({ path: "/held/1", secret })
        await stage.ask("POST", "/actions/assess", { action_type: "customer.read", environment: "staging" })
        await receiver.until((received) => received.length === 1)
      })
      const marking = `
        FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%'
      `
      // Whoever marks the delivery now waits for this row: the answer has come, and the mark has not.
      yield* stage.holding(
        "SELECT FROM test.webhook_deliveries FOR UPDATE",
        Effect.gen(function* () {
          yield* Effect.promise(() => receiver.tell({ letGo: true }))
          yield* waitUntil(stage.directly(`SELECT pid ${marking}`), (waiting) => waiting.length === 1)
          yield* Effect.promise(() => stage.restart(0))
          // The statement of a process that is gone would still be done, had it reached the server.
          yield* stage.directly(`SELECT pg_terminate_backend(pid) ${marking}`)
        })
      )
      yield* endLeases(stage)
      yield* Effect.promise(() => receiver.until((received) => received.length === 2))
      yield* expectAgain(receiver, stage)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  const expectAgain = Effect.fnUntraced(function* (
    receiver: Effect.Success<typeof receiverProcess>,
    stage: WebhookReplicas
  ) {
    yield* Effect.promise(() => receiver.tell({ letGo: true }))
    const statuses = stage.directly<{ readonly status: string }>("SELECT status FROM test.webhook_deliveries")
    yield* waitUntil(statuses, ([row]) => row?.status === "delivered")
    const [first, second, ...others] = receiver.received
    expect(others).toEqual([])
    expect([second?.id, second?.body, second?.verified]).toEqual([first?.id, first?.body, true])
  })
})
