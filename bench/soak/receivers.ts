/** One receiver that verifies and keeps what it gets, beside one that hangs, one that drips and one that is not there. */

import { execFile } from "node:child_process"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import type { Received } from "../../test/support/standardReceiver.ts"
import { startChild } from "../stored/child.ts"
import type { OwnDatabase } from "../stored/database.ts"

export interface Deliveries {
  /** Of the good receiver's endpoint. */
  readonly expected: number
  readonly missing: number
  readonly unverified: number
  /** Received more than once, with the same body each time. */
  readonly repeated: number
  /** Received more than once with another body. */
  readonly contradicted: number
}

export interface Receivers extends AsyncDisposable {
  /** Resolves once nothing waits for the good one any more. */
  readonly untilDelivered: () => Promise<void>
  readonly deliveries: () => Promise<Deliveries>
}

const main = join(import.meta.dirname, "../../bin/action-risk.js")
const lookMs = 500
const goodEvents = ["assessment.incomplete", "assessment.critical"]

const keyForWebhooks = async ({ dataDirectory }: OwnDatabase): Promise<string> => {
  const args = ["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "webhooks", "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
    env: { ...process.env, DATA_DIR: dataDirectory }
  })
  return JSON.parse(stdout).key
}

export const startReceivers = async (database: OwnDatabase, serviceUrl: string): Promise<Receivers> => {
  const dead = await startChild([join(import.meta.dirname, "../stored/deadReceivers.ts")], {})
  const good = fork(join(import.meta.dirname, "../../test/support/standardReceiver.ts"))
  const [{ port }] = (await once(good, "message")) as [{ port: number }]
  const bodies = new Map<string, { readonly body: string; readonly verified: boolean; times: number }>()
  let contradicted = 0
  good.on("message", (message: Partial<Received>) => {
    const { body = "", id, verified = false } = message
    if (id === undefined) return
    const before = bodies.get(id)
    if (before === undefined) bodies.set(id, { body, verified, times: 1 })
    else if (before.body === body) before.times++
    else contradicted++
  })
  const key = await keyForWebhooks(database)
  const create = async (url: string): Promise<{ id: string; secret: string }> => {
    const answer = await fetch(`${serviceUrl}/api/v1/webhook-endpoints`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: goodEvents })
    })
    if (!answer.ok) throw new Error(`an endpoint was answered ${await answer.text()}`)
    return (await answer.json()) as { id: string; secret: string }
  }
  const endpoint = await create(`http://127.0.0.1:${port}/good/1`)
  good.send({ path: "/good/1", secret: endpoint.secret })
  for (const url of Object.values(dead.said)) await create(`${url}/dead`)
  const waiting = async (): Promise<number> => {
    const { rows } = await database.owner.query<{ waiting: number }>(
      `SELECT (SELECT count(*) FROM test.unsealed)::int
         + (SELECT count(*) FROM test.webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered')::int AS waiting`,
      [endpoint.id]
    )
    return rows[0]?.waiting ?? 0
  }
  return {
    untilDelivered: async () => {
      while ((await waiting()) > 0) await pause(lookMs)
    },
    deliveries: async () => {
      const { rows } = await database.owner.query<{ id: string }>(
        "SELECT event_id AS id FROM test.webhook_deliveries WHERE endpoint_id = $1",
        [endpoint.id]
      )
      const received = [...bodies.values()]
      return {
        expected: rows.length,
        missing: rows.filter(({ id }) => !bodies.has(id)).length,
        unverified: received.filter(({ verified }) => !verified).length,
        repeated: received.filter(({ times }) => times > 1).length,
        contradicted
      }
    },
    [Symbol.asyncDispose]: async () => {
      good.disconnect()
      await dead[Symbol.asyncDispose]()
    }
  }
}
