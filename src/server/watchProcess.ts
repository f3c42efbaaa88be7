/** The process itself as figures: memory, processor time, and how busy its one thread is. */

import { Effect } from "effect"
import { watch } from "../Metrics.ts"

export const watchProcess = Effect.gen(function* () {
  let before = performance.eventLoopUtilization()
  /** Since the last look, so that each reader sees what is going on now. */
  const utilization = () => {
    const now = performance.eventLoopUtilization()
    const since = performance.eventLoopUtilization(now, before)
    before = now
    return since.utilization
  }
  const cpuSeconds = () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1_000_000
  }
  const heapBytes = () => process.memoryUsage().heapUsed
  yield* watch("nodejs.eventloop.utilization", "Share of time the thread was busy, 0 to 1.", {}, utilization)
  yield* watch("v8js.memory.heap.used", "Memory of live and dead objects.", {}, heapBytes, "_bytes")
  yield* watch("process.cpu.time", "Processor time used.", {}, cpuSeconds, "_seconds")
})
