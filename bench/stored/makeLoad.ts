/** The process that makes a load: as fast as answers come with autocannon, or at a steady rate. */

import autocannon from "autocannon"
import { assessRequest, type Request } from "./requests.ts"
import type { Load, Loaded } from "./Load.ts"
import { steadily } from "./steadily.ts"

/** What has been seen so far: the latencies of answers with 200, and how many others there were. */
export interface Tally {
  readonly latenciesMs: Array<number>
  failed: number
}

export const nextOf = (requests: Load["requests"]): (() => Request) => {
  if (!("run" in requests)) {
    let at = 0
    return () => requests[at++ % requests.length] as Request
  }
  const { from, key, run } = requests
  let i = from
  return () => assessRequest(run, i++, key)
}

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
