/** The process that makes a load: as fast as answers come with autocannon, or at a steady rate. */

import autocannon from "autocannon"
import { Agent, request as ask } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { assessRequest, type Request } from "./requests.ts"
import type { Load, Loaded } from "./underLoad.ts"

/** The results so far: the latencies of answers with 200, and how many others there were. */
interface Tally {
  readonly latenciesMs: Array<number>
  failed: number
}

const nextOf = (requests: Load["requests"]): (() => Request) => {
  if (!("run" in requests)) {
    let at = 0
    return () => requests[at++ % requests.length] as Request
  }
  const { from, key, run } = requests
  let i = from
  return () => assessRequest(run, i++, key)
}

/** Gives the seconds that it took. */
const asFastAsAnswered = (load: Load, url: string, next: () => Request, tally: Tally): Promise<number> =>
  new Promise((done, fail) => {
    const cannon = autocannon(
      {
        url,
        connections: load.connections / load.urls.length,
        duration: load.seconds,
        requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }]
      },
      (error: Error | null, result) => {
        if (error !== null) return fail(error)
        tally.failed += result.errors + result.timeouts
        done(result.duration)
      }
    )
    cannon.on("response", (_client, status, _bytes, ms) => {
      if (status === 200) tally.latenciesMs.push(ms)
      else tally.failed++
    })
  })

/** Requests at a steady rate, whatever the answers take: latency counts from when a request was due. Gives the seconds that it took. */
const steadily = async (
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

const make = async (load: Load): Promise<Loaded> => {
  const next = nextOf(load.requests)
  const tally: Tally = { latenciesMs: [], failed: 0 }
  const durations = await Promise.all(
    load.urls.map((url) =>
      load.perSecond === null
        ? asFastAsAnswered(load, url, next, tally)
        : steadily(load, url, load.perSecond / load.urls.length, next, tally)
    )
  )
  const sorted = Float64Array.from(tally.latenciesMs).toSorted()
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 1_000
  return {
    answered: sorted.length,
    perSecond: sorted.length / Math.max(...durations),
    medianUs: at(0.5),
    p99Us: at(0.99),
    failed: tally.failed
  }
}

process.once("message", async (load: Load) => {
  process.send?.(await make(load))
  process.disconnect()
})
