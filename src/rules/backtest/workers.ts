/** Worker threads that count blocks of a history, each with rulebooks of its own. */

import { Worker } from "node:worker_threads"
import type { Block } from "../history/wholeLines.ts"
import type { Sides } from "./Sides.ts"
import type { Tally } from "./Tally.ts"

export interface Workers {
  readonly count: (block: Block) => Promise<Tally>
  readonly stop: () => Promise<void>
}

interface Seat {
  readonly worker: Worker
  /** Blocks are answered in the order in which they were given. */
  readonly asked: Array<PromiseWithResolvers<Tally>>
}

const takeSeat = (sides: Sides): Seat => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: sides })
  const asked: Seat["asked"] = []
  const fail = (cause: Error) => {
    for (const { reject } of asked.splice(0)) reject(cause)
  }
  worker.on("message", (tally: Tally) => asked.shift()?.resolve(tally))
  worker.on("error", fail)
  worker.on("exit", () => fail(new Error("a worker of the backtest ended early")))
  return { worker, asked }
}

export const startWorkers = (sides: Sides, jobs: number): Workers => {
  const seats = Array.from({ length: jobs }, () => takeSeat(sides))
  return {
    count: (block) => {
      const seat = seats.reduce((a, b) => (b.asked.length < a.asked.length ? b : a))
      const answer = Promise.withResolvers<Tally>()
      // Whoever merges blocks in order meets the first failure; the others are the same one.
      answer.promise.catch(() => {})
      seat.asked.push(answer)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
      seat.worker.postMessage(block)
      return answer.promise
    },
    stop: async () => {
      await Promise.all(seats.map(({ worker }) => worker.terminate()))
    }
  }
}
