/** Requests at a steady rate, whatever the answers take: latency counts from when a request was due. */

import { Agent, request as ask } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import type { Load } from "./Load.ts"
import type { Tally } from "./makeLoad.ts"
import type { Request } from "./requests.ts"

/** Gives the seconds that it took. */
export const steadily = async (
  load: Load,
  url: string,
  perSecond: number,
  next: () => Request,
  tally: Tally
): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections, scheduling: "fifo" })
  const { hostname, port } = new URL(url)

  const send = (dueMs: number) =>
    new Promise<void>((done) => {
      const { body, headers, method, path } = next()
      const fail = () => {
        tally.failed++
        done()
      }
      ask({ agent, hostname, port, method, path, headers }, (response) => {
        response.resume().once("end", () => {
          if (response.statusCode === 200) tally.latenciesMs.push(performance.now() - dueMs)
          else tally.failed++
          done()
        })
      })
        .once("error", fail)
        .end(body)
    })

  const startedAtMs = performance.now()
  const all: Array<Promise<void>> = []
  const total = Math.floor(perSecond * load.seconds)
  while (all.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond))
    while (all.length < due) all.push(send(startedAtMs + ((all.length + 1) / perSecond) * 1_000))
    await pause(1)
  }
  await Promise.all(all)
  agent.destroy()
  return (performance.now() - startedAtMs) / 1_000
}
