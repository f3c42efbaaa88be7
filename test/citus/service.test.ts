/** The service on a distributed database, as its callers see it. */

import { createHash, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { Secrets } from "../../src/storage/Secrets.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { actionRisk } from "../support/actionRisk.ts"
import { pepper } from "../support/FaultedService.ts"
import { type Received, webhookReceiver } from "../support/webhookReceiver.ts"
import { onServer } from "./distributedDatabase.ts"
import {
  ask,
  citusUrl,
  database,
  withoutCitus,
  environment,
  type Member,
  newMember,
  payout,
  replicas
} from "./onCitus.ts"

interface Listed {
  readonly assessment_id: string
}

interface Assessed extends Listed {
  readonly action_risk: { readonly level: string }
  readonly error?: unknown
}

/** Repeats a check until it passes; fails with its last error. */
const eventually = async (look: () => Promise<void>, withinMs = 20_000): Promise<void> => {
  const untilMs = Date.now() + withinMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > untilMs) throw error
      await sleep(200)
    }
  }
}

const operate = async (args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await actionRisk(args, { env: environment })
  expect([args[1], code, stderr]).toEqual([args[1], 0, expect.anything()])
  return stdout
}

const outbox = WebhookOutbox.layer.pipe(
  Layer.provide(WebhookSecrets.layer),
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] })),
  Layer.provide(database)
)

/** The maximum number of old deliveries and events of a group that were deleted. */
const sweptOnce = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { sweepDeliveries, sweepEvents } = yield* WebhookOutbox
      return [yield* sweepDeliveries("test"), yield* sweepEvents("test")]
    }).pipe(Effect.provide(outbox))
  )

const verify = ({ slug }: Member, mode: string) =>
  operate(["evidence", "verify", "--org", slug, "--mode", mode])

describe.skipIf(withoutCitus)("the service on Citus", () => {
  const start = replicas()

  it("assesses, answers again by id, lists, searches and filters", async () => {
    const service = await start()
    for (const group of [0, 1]) {
      const member = await newMember(group)
      const key = await member.key()
      const first = await ask(service, key, "/actions/assess", payout(5_000_000))
      const second = await ask(service, key, "/actions/assess", {
        action_type: "ticket.read",
        environment: "staging"
      })
      expect([first.status, second.status]).toEqual([200, 200])
      expect(first.headers.get("svc-risk-opinion")).toBe("full")
      const [firstId, secondId] = [first.body.assessment_id, second.body.assessment_id]
      expect((await ask(service, key, `/assessments/${firstId}`)).body).toMatchObject(first.body)
      const listed = async (query: string) => {
        const { body, status } = await ask(service, key, `/actions?${query}`)
        expect(status).toBe(200)
        return body.data.map((item: Listed) => item.assessment_id)
      }
      expect(await listed("limit=10")).toEqual([secondId, firstId])
      expect(await listed("limit=1")).toEqual([secondId])
      expect(await listed("q=stripe")).toEqual([firstId])
      // Filters and the search index include an assessment shortly after its seal.
      await eventually(async () => expect(await listed("environment=production")).toEqual([firstId]))
      expect(await listed("q=tripe__delete")).toEqual([])
      expect(await listed("q=ripe__create_ref")).toEqual([firstId])
    }
  })

  it("reads the history of an organization, and of no other", async () => {
    const service = await start()
    const [busy, quiet] = [await newMember(2), await newMember(2)]
    const keyOf = { busy: await busy.key(), quiet: await quiet.key() }
    const sums = (body: { readonly risk_factors: unknown }) => JSON.stringify(body.risk_factors)
    const before = await ask(service, keyOf.quiet, "/actions/assess", payout(1_000))
    for (let i = 0; i < 30; i++) await ask(service, keyOf.busy, "/actions/assess", payout(9_000_000))
    const after = await ask(service, keyOf.quiet, "/actions/assess", payout(1_000))
    const busyAfter = await ask(service, keyOf.busy, "/actions/assess", payout(1_000))
    expect(sums(after.body)).toBe(sums(before.body))
    expect(sums(busyAfter.body)).not.toBe(sums(before.body))
  })

  it("keeps organizations of one shard and the modes apart", async () => {
    const service = await start()
    const [one, other] = [await newMember(3), await newMember(3)]
    const keys = {
      test: await one.key("test"),
      live: await one.key("live"),
      other: await other.key("test")
    }
    const { body } = await ask(service, keys.test, "/actions/assess", payout(10), {
      "idempotency-key": "same"
    })
    for (const key of [keys.live, keys.other]) {
      expect((await ask(service, key, `/assessments/${body.assessment_id}`)).status).toBe(404)
      expect((await ask(service, key, "/actions?q=stripe")).body.data).toEqual([])
      const own = await ask(service, key, "/actions/assess", payout(10), { "idempotency-key": "same" })
      expect(own.status).toBe(200)
      expect(own.body.assessment_id).not.toBe(body.assessment_id)
    }
  })

  it("answers each idempotency key with one assessment, from two replicas at once", async () => {
    const [one, other] = [await start(), await start(1)]
    const member = await newMember()
    const key = await member.key()
    const rounds = Array.from({ length: 40 }, () => randomUUID())
    for (let from = 0; from < rounds.length; from += 8) {
      await Promise.all(
        rounds.slice(from, from + 8).map(async (idempotencyKey) => {
          const once = async (replica: typeof one): Promise<string> => {
            const headers = { "idempotency-key": idempotencyKey }
            const { status, text } = await ask(replica, key, "/actions/assess", payout(77), headers)
            if (status === 200) return text
            expect(status).toBe(503)
            await sleep(100)
            return once(replica)
          }
          const texts = await Promise.all(
            Array.from({ length: 8 }, (_, i) => once(i % 2 === 0 ? one : other))
          )
          expect(new Set(texts.map((text) => createHash("sha256").update(text).digest("hex"))).size).toBe(1)
        })
      )
    }
    const stored = await onServer(
      citusUrl,
      (sql) =>
        sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql(`test_${member.group}`)}.assessments
        WHERE organization_id = ${member.owner.id}`
    )
    expect(stored).toEqual([{ count: rounds.length }])
    const changed = await ask(one, key, "/actions/assess", payout(78), {
      "idempotency-key": rounds[0] ?? ""
    })
    expect([changed.status, changed.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
  })

  it("seals evidence that verifies, and erases it so that the rest still verifies", async () => {
    const service = await start()
    const member = await newMember()
    const key = await member.key()
    const ids: Array<string> = []
    for (let i = 0; i < 5; i++)
      ids.push((await ask(service, key, "/actions/assess", payout(i))).body.assessment_id)
    await eventually(async () =>
      expect(await verify(member, "test")).toMatch(/5 entries, each as it was sealed/)
    )
    const agentKey = await member.key("test", ["outcomes"])
    const event = await ask(service, agentKey, `/assessments/${ids[1]}/events`, { type: "executed" })
    expect(event.status).toBe(200)
    // Only assessments that are some seconds old are erased.
    await eventually(async () => {
      await operate(["evidence", "erase", ids[1] ?? "", "--org", member.slug, "--mode", "test"])
    }, 60_000)
    expect((await ask(service, key, `/assessments/${ids[1]}`)).status).toBe(404)
    const left = await ask(service, key, "/actions")
    expect(left.body.data.map((item: Listed) => item.assessment_id)).toEqual([ids[4], ids[3], ids[2], ids[0]])
    await eventually(async () => expect(await verify(member, "test")).toMatch(/5 entries/))
    const schema = `test_${member.group}`
    const tampered = onServer(citusUrl, (sql) =>
      sql.unsafe(`UPDATE ${schema}.assessments SET response = 'x' WHERE assessment_id = '${ids[0]}'`)
    )
    await expect(tampered).rejects.toMatchObject({ reason: { cause: { code: "42501" } } })
    const deleted = onServer(citusUrl, (sql) =>
      sql.unsafe(`DELETE FROM ${schema}.assessments WHERE assessment_id = '${ids[0]}'`)
    )
    await expect(deleted).rejects.toMatchObject({ reason: { cause: { code: "42501" } } })
  })

  it("stores outcomes under the organization that a transaction names, and corrects sums", async () => {
    const service = await start()
    const member = await newMember()
    const key = await member.key("test", ["assess", "read", "outcomes"])
    const { body } = await ask(service, key, "/actions/assess", payout(100))
    const path = `/assessments/${body.assessment_id}/events`
    const report = { type: "executed", observed: { financial_value: 1_000_000 } }
    const first = await ask(service, key, path, report, { "idempotency-key": "call" })
    expect([first.status, first.body.sums]).toEqual([200, "raised"])
    const again = await ask(service, key, path, report, { "idempotency-key": "call" })
    expect(again.body).toEqual(first.body)
    expect((await ask(service, key, path)).body.data.map((item: { readonly id: string }) => item.id)).toEqual(
      [first.body.id]
    )
    const unnamed = onServer(citusUrl, (sql) =>
      Effect.andThen(
        sql`SET ROLE action_risk_test`,
        sql.unsafe(`SELECT * FROM test_${member.group}.outcome_events`)
      )
    )
    expect(await unnamed).toEqual([])
  })

  it("closes reviews once, takes rejected ones out of the history, and delivers each webhook once", async () => {
    const scope = Scope.makeUnsafe()
    const receiver = await Effect.runPromise(Scope.provide(webhookReceiver, scope))
    const [service, other] = [await start(), await start(1)]
    const member = await newMember()
    const key = await member.key()
    const events = ["assessment.high", "assessment.critical", "review.opened", "review.closed"]
    const endpoint = await ask(service, key, "/webhook-endpoints", { url: receiver.url("/hook"), events })
    expect([endpoint.status, endpoint.body.error]).toEqual([201, undefined])
    const assessed: Array<Assessed> = []
    for (let i = 0; i < 10; i++)
      assessed.push(
        (await ask(i % 2 ? service : other, key, "/actions/assess", payout(5_000_000, { i }))).body
      )
    expect(assessed.map(({ error }) => error)).toEqual(assessed.map(() => undefined))
    const reviewed = assessed.filter(({ action_risk }) => ["high", "critical"].includes(action_risk.level))
    expect(reviewed.length).toBe(10)
    const id = reviewed[0]?.assessment_id
    const closing = { outcome: "risk_rejected", note: "not ours" }
    const closed = await ask(service, key, `/reviews/${id}/close`, closing)
    expect([closed.status, closed.body.error]).toEqual([200, undefined])
    expect((await ask(other, key, `/reviews/${id}`)).body).toMatchObject({ outcome: "risk_rejected" })
    const idsOf = (all: ReadonlyArray<Received>) => all.map(({ headers }) => headers["webhook-id"])
    await eventually(async () => expect(receiver.at("/hook").length).toBeGreaterThanOrEqual(21), 60_000)
    await sleep(2_000)
    expect(receiver.at("/hook").length).toBe(21)
    expect(new Set(idsOf(receiver.at("/hook"))).size).toBe(21)
    const page = await ask(service, key, `/webhook-endpoints/${endpoint.body.id}/deliveries?limit=100`)
    expect(page.body.data.map((item: { readonly status: string }) => item.status)).toEqual(
      Array.from({ length: 21 }, () => "delivered")
    )
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("forgets deliveries and their events after 30 days", async () => {
    const { group, owner } = await newMember()
    for (const days of [29, 31]) {
      const at = `now() - interval '${days} days'`
      await onServer(citusUrl, (sql) =>
        Effect.andThen(
          sql.unsafe(`INSERT INTO test_${group}.webhook_events (organization_id, event_id, type, created_at, data)
            VALUES ('${owner.id}', 'evt_${days}', 'ping', ${at}, '{}')`),
          sql.unsafe(`INSERT INTO test_${group}.webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status,
              attempts, created_at)
            VALUES ('${owner.id}', test_${group}.time_ordered_id(${at}), '${randomUUID()}', 'evt_${days}', 'ping', 'delivered', 1, ${at})`)
        )
      )
    }
    expect(await sweptOnce()).toEqual([1, 1])
    expect(await sweptOnce()).toEqual([0, 0])
  })

  it("runs no statement that Citus rejects, not even in the background", async () => {
    for (const replica of [await start(), await start(1)]) {
      const { stderr, stdout } = replica.output()
      expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes('"failure":"fault"'))).toEqual(
        []
      )
    }
  })
})
