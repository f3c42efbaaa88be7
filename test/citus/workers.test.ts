/** Assessments while a worker is down, and while organizations move to another worker. */

import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { organizationGroups } from "../../src/limits.ts"
import { actionRisk, type Serving } from "../support/actionRisk.ts"
import { type Node, onServer, urlAt, workersOf } from "./distributedDatabase.ts"
import {
  ask,
  citusUrl,
  withoutCitus,
  environment,
  type Member,
  newMember,
  payout,
  replicas
} from "./onCitus.ts"

interface Asked {
  readonly atMs: number
  readonly status: number
  readonly key: string
  readonly id: string | null
}

const client = async (service: Serving, key: string, asked: Array<Asked>, stopped: () => boolean) => {
  while (!stopped()) {
    const idempotencyKey = randomUUID()
    const { body, status } = await ask(service, key, "/actions/assess", payout(asked.length), {
      "idempotency-key": idempotencyKey
    })
    asked.push({
      atMs: Date.now(),
      status,
      key: idempotencyKey,
      id: status === 200 ? body.assessment_id : null
    })
    if (status !== 200) await sleep(50)
  }
}

/** Sends requests for a member without a break. */
const startLoad = (service: Serving, key: string, atOnce = 4) => {
  const asked: Array<Asked> = []
  let stopping = false
  const clients = Array.from({ length: atOnce }, () => client(service, key, asked, () => stopping))
  const stop = async () => {
    stopping = true
    await Promise.all(clients)
    return asked
  }
  return { asked, stop }
}

const nodeOf = async (group: number): Promise<Node> => {
  const [node] = await onServer(
    citusUrl,
    (sql) => sql<Node>`
      SELECT nodename, nodeport FROM citus_shards WHERE table_name = ${`test_${group}.assessments`}::regclass
    `
  )
  if (node === undefined) throw new Error(`group ${group} has no shard`)
  return node
}

/** Sends kill -9 to the whole server, and restarts it in the same way after some seconds. */
const killWorker = (node: Node, secondsAway: number) =>
  onServer(urlAt(citusUrl, node, "postgres"), (sql) =>
    Effect.gen(function* () {
      const [{ bin, data }] = (yield* sql<{ bin: string; data: string }>`
        SELECT (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin, current_setting('data_directory') AS data
      `) as [{ bin: string; data: string }]
      const again = `kill -9 $(head -1 ${data}/postmaster.pid); sleep ${secondsAway};
        for i in 1 2 3 4 5 6 7 8 9 10; do ${bin}/pg_ctl -D ${data} -l ${data}.restarted.log -w -t 30 restart && break; sleep 0.5; done`
      yield* sql.unsafe(
        `COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; setsid sh -c "sleep 0.2; ${again.replaceAll("\n", " ")}" >/dev/null 2>&1 </dev/null &'`
      )
    })
  )

/** The time at which the server accepts sessions again. It replays its log first. */
const untilReady = async (node: Node): Promise<number> => {
  for (;;) {
    const ready = onServer(urlAt(citusUrl, node, "postgres"), (sql) => sql`SELECT 1`)
    if (
      await ready.then(
        () => true,
        () => false
      )
    )
      return Date.now()
    await sleep(100)
  }
}

const verified = async ({ slug }: Member) => {
  const { code, stderr, stdout } = await actionRisk(["evidence", "verify", "--org", slug, "--mode", "test"], {
    env: environment
  })
  expect([code, stderr]).toEqual([0, expect.anything()])
  return Number(/([0-9,]+) entr/.exec(stdout)?.[1]?.replaceAll(",", ""))
}

/** Every assessment that was acknowledged is stored once, under its key, and no key has two. */
const expectKept = async ({ group, owner }: Member, asked: ReadonlyArray<Asked>) => {
  const stored = await onServer(
    citusUrl,
    (sql) =>
      sql<{ key: string; id: string; assessed: boolean }>`
      SELECT key, keys.assessment_id AS id, assessments.assessment_id IS NOT NULL AS assessed
      FROM ${sql(`test_${group}`)}.idempotency_keys AS keys LEFT JOIN ${sql(`test_${group}`)}.assessments USING (organization_id, assessment_id)
      WHERE organization_id = ${owner.id}
    `
  )
  const kept = new Map(stored.map(({ assessed, id, key }) => [key, assessed ? id : "without an assessment"]))
  const lost = asked.filter(({ id, key }) => id !== null && kept.get(key) !== id)
  expect(lost).toEqual([])
  const [{ count }] = (await onServer(
    citusUrl,
    (sql) =>
      sql<{
        count: number
      }>`SELECT count(*)::int AS count FROM ${sql(`test_${group}`)}.assessments WHERE organization_id = ${owner.id}`
  )) as [{ count: number }]
  expect(count).toBe(kept.size)
  return count
}

const statusesOf = (asked: ReadonlyArray<Asked>) => [...new Set(asked.map(({ status }) => status))].toSorted()

describe.skipIf(withoutCitus)("workers", () => {
  const start = replicas()

  it("that are killed stop only their organizations, lose nothing, and are used again after a restart", async () => {
    const service = await start()
    const away = await nodeOf(0)
    const groups = await Promise.all([1, 2, 3].map(async (group) => ({ group, node: await nodeOf(group) })))
    const elsewhere = groups.find(({ node }) => node.nodeport !== away.nodeport)
    const [gone, other] = [await newMember(0), await newMember(elsewhere?.group)]
    const loads = [startLoad(service, await gone.key()), startLoad(service, await other.key())] as const
    await sleep(4_000)
    const killedAtMs = Date.now()
    await killWorker(away, 5)
    await sleep(1_000)
    const readyAtMs = await untilReady(away)
    await sleep(5_000)
    const [ofGone, ofOther] = [await loads[0].stop(), await loads[1].stop()]
    const during = (asked: ReadonlyArray<Asked>) =>
      asked.filter(({ atMs }) => atMs > killedAtMs + 1_000 && atMs < killedAtMs + 5_000)
    expect(statusesOf(during(ofGone))).toEqual([503])
    expect(statusesOf(ofOther)).toEqual([200])
    expect(during(ofOther).length).toBeGreaterThan(10)
    const back = ofGone.find(({ atMs, status }) => atMs > killedAtMs + 5_000 && status === 200)
    expect((back?.atMs ?? Infinity) - readyAtMs).toBeLessThan(3_000)
    for (const [member, asked] of [
      [gone, ofGone],
      [other, ofOther]
    ] as const) {
      const count = await expectKept(member, asked)
      // The last ones are sealed within some seconds.
      for (let tries = 0; tries < 20 && (await verified(member)) < count; tries++) await sleep(500)
      expect(await verified(member)).toBe(count)
    }
  })

  it("that are added while assessments are stored take a share of the organizations", async () => {
    const service = await start()
    const [first, added] = await workersOf(citusUrl)
    if (first === undefined || added === undefined) throw new Error("two workers are needed")
    const at = [added.nodename, added.nodeport] as const
    await onServer(citusUrl, (sql) => sql`SELECT citus_drain_node(${at[0]}, ${at[1]}::int, 'block_writes')`)
    await onServer(citusUrl, (sql) => sql`SELECT citus_remove_node(${at[0]}, ${at[1]}::int)`)
    const members = await Promise.all([0, 1, 2, 3].map((group) => newMember(group)))
    const loads = await Promise.all(members.map(async (member) => startLoad(service, await member.key(), 1)))
    await sleep(2_000)
    await onServer(citusUrl, (sql) => sql`SELECT citus_add_node(${at[0]}, ${at[1]}::int)`)
    await onServer(
      citusUrl,
      (sql) => sql`SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')`
    )
    const movedAtMs = Date.now()
    await sleep(3_000)
    const places = await onServer(
      citusUrl,
      (sql) => sql<{ count: number }>`
        SELECT count(DISTINCT colocation_id)::int AS count FROM citus_shards WHERE nodeport = ${added.nodeport}
      `
    )
    expect(places[0]?.count).toBeGreaterThan(organizationGroups / 2)
    for (const [i, member] of members.entries()) {
      const asked = (await loads[i]?.stop()) ?? []
      expect(statusesOf(asked.filter(({ atMs }) => atMs > movedAtMs + 1_000))).toEqual([200])
      const count = await expectKept(member, asked)
      for (let tries = 0; tries < 20 && (await verified(member)) < count; tries++) await sleep(500)
      expect(await verified(member)).toBe(count)
    }
  })
})
