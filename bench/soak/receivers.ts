/** One receiver that verifies and keeps its deliveries, one that hangs, one that drips and one that does not exist. */

import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Received } from "../../test/support/standardReceiver.ts"
import type { OwnDatabase } from "../stored/database.ts"
import { manageEndpoints, startDeadReceivers } from "../stored/endpoints.ts"

export interface Deliveries {
  /** Deliveries to the good receiver's endpoint. */
  readonly expected: number
  readonly missing: number
  /** Missing deliveries whose attempt failed or was postponed, with a next one to come. The other missing ones are due. */
  readonly later: number
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

const lookMs = 500
const goodEvents = ["assessment.incomplete", "assessment.critical"]

export const startReceivers = async (database: OwnDatabase, serviceUrl: string): Promise<Receivers> => {
  const dead = await startDeadReceivers()
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
  const { create } = await manageEndpoints(database, serviceUrl)
  const endpoint = await create({ url: `http://127.0.0.1:${port}/good/1`, events: goodEvents })
  good.send({ path: "/good/1", secret: endpoint.secret })
  for (const url of dead.urls) await create({ url: `${url}/dead`, events: goodEvents })
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
      const { rows } = await database.owner.query<{ id: string; later: boolean }>(
        "SELECT event_id AS id, coalesce(next_attempt_at > now(), false) AS later FROM test.webhook_deliveries WHERE endpoint_id = $1",
        [endpoint.id]
      )
      const missing = rows.filter(({ id }) => !bodies.has(id))
      const received = [...bodies.values()]
      return {
        expected: rows.length,
        missing: missing.length,
        later: missing.filter(({ later }) => later).length,
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
