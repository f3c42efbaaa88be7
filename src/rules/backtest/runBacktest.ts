/** Runs a backtest over a history as it streams in, in worker threads, with bounded memory. */

import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { historyBlocksAhead, historyBlocksAlone, historyUnreadableMax } from "../../limits.ts"
import { type LineBlock, wholeLines } from "../history/wholeLines.ts"
import type { Backtest, UnreadableLine } from "./Backtest.ts"
import type { BacktestSides, OpenBacktest } from "./BacktestSides.ts"
import { emptyTally, mergeTally, type Tally, toBacktest } from "./Tally.ts"

export interface BacktestRun {
  readonly sides: BacktestSides
  readonly opened: OpenBacktest
  readonly history: AsyncIterable<Uint8Array>
  /** Worker threads; 1 scores in this one. */
  readonly jobs: number
  readonly blockBytes?: number
  /** Told after each block. */
  readonly onProgress?: (records: number, readBytes: number) => void
  readonly signal?: AbortSignal
}

/** What it comes to, or that the file is no history: too many of its lines cannot be read. */
export type BacktestOutcome =
  | { readonly kind: "done"; readonly backtest: Backtest }
  | { readonly kind: "stopped"; readonly first: UnreadableLine }

interface PendingBlock {
  readonly block: LineBlock
  readonly tally: Promise<Tally>
}

export const runBacktest = async (run: BacktestRun): Promise<BacktestOutcome> => {
  const { jobs, onProgress, opened, sides } = run
  const total = emptyTally()
  const underWay: Array<PendingBlock> = []
  let workers: Workers | null = null
  let seen = 0

  const startOn = (block: LineBlock): PendingBlock => {
    // A short history is over before a worker has opened its rulebooks.
    if (jobs > 1 && seen++ >= historyBlocksAlone) workers ??= startWorkers(sides, jobs)
    return { block, tally: workers?.count(block) ?? Promise.resolve(opened.comparison(block)) }
  }
  // Invariant: the oldest first, so that neither the result nor where it stops depends on who counted what.
  const finishDownTo = async (most: number): Promise<UnreadableLine | undefined> => {
    for (let next = underWay[0]; next !== undefined && underWay.length > most; next = underWay[0]) {
      mergeTally(total, await next.tally)
      underWay.shift()
      onProgress?.(total.all.records, next.block.readBytes)
      if (total.all.unreadable > historyUnreadableMax) return total.unreadable[0]
    }
    return undefined
  }

  try {
    for await (const block of wholeLines(run.history, run.blockBytes)) {
      run.signal?.throwIfAborted()
      underWay.push(startOn(block))
      const first = await finishDownTo(workers === null ? 0 : jobs * historyBlocksAhead)
      if (first !== undefined) return { kind: "stopped", first }
    }
    const first = await finishDownTo(0)
    return first === undefined
      ? { kind: "done", backtest: toBacktest(opened.from, opened.to, total) }
      : { kind: "stopped", first }
  } finally {
    await (workers as Workers | null)?.stop()
  }
}

/** Worker threads that count blocks of a history, each with rulebooks of its own. */
interface Workers {
  readonly count: (block: LineBlock) => Promise<Tally>
  readonly stop: () => Promise<void>
}

interface WorkerSlot {
  readonly worker: Worker
  /** Blocks are answered in the order in which they were given. */
  readonly pending: Array<PromiseWithResolvers<Tally>>
}

const startWorker = (sides: BacktestSides): WorkerSlot => {
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: sides
  })
  const asked: WorkerSlot["pending"] = []
  const fail = (cause: Error) => {
    for (const { reject } of asked.splice(0)) reject(cause)
  }
  worker.on("message", (tally: Tally) => asked.shift()?.resolve(tally))
  worker.on("error", fail)
  worker.on("exit", () => fail(new Error("a worker of the backtest ended early")))
  return { worker, pending: asked }
}

const startWorkers = (sides: BacktestSides, jobs: number): Workers => {
  const seats = Array.from({ length: jobs }, () => startWorker(sides))
  return {
    count: (block) => {
      const seat = seats.reduce((a, b) => (b.pending.length < a.pending.length ? b : a))
      const answer = Promise.withResolvers<Tally>()
      // Whoever merges blocks in order meets the first failure; the others are the same one.
      answer.promise.catch(() => {})
      seat.pending.push(answer)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
      seat.worker.postMessage(block)
      return answer.promise
    },
    stop: async () => {
      await Promise.all(seats.map(({ worker }) => worker.terminate()))
    }
  }
}
