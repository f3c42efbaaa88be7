/** Runs a backtest over a history as it streams in, in worker threads and bounded memory. */

import type { ResourceLimits } from "node:worker_threads"
import { historyBlocksAhead, historyBlocksAlone, historyUnreadableMax } from "../../limits.ts"
import { makeThreads, type Threads } from "../../threads.ts"
import { type LineBlock, wholeLines } from "../history/wholeLines.ts"
import type { Backtest, UnreadableLine } from "./Backtest.ts"
import type { BacktestSides, OpenBacktest } from "./BacktestSides.ts"
import { emptyTally, mergeTally, type Tally, toBacktest } from "./Tally.ts"

export interface BacktestRun {
  readonly sides: BacktestSides
  readonly opened: OpenBacktest
  readonly history: AsyncIterable<Uint8Array>
  /** The number of worker threads that score. With 1, the calling thread scores. */
  readonly jobs: number
  readonly blockBytes?: number
  /** Called after each block. */
  readonly onProgress?: (records: number, readBytes: number) => void
  readonly signal?: AbortSignal
}

/** `stopped`: too many lines are unreadable, so the file is probably not a history. */
export type BacktestOutcome =
  | { readonly kind: "done"; readonly backtest: Backtest }
  | { readonly kind: "stopped"; readonly first: UnreadableLine }

export const runBacktest = async (run: BacktestRun): Promise<BacktestOutcome> => {
  const { jobs, onProgress, opened, sides } = run
  const total = emptyTally()
  let workers: Workers | null = null
  let seen = 0

  const startOn = (block: LineBlock) => {
    // Counts a short history in this thread, which is faster than opening the rulebooks in workers.
    if (jobs > 1 && seen++ >= historyBlocksAlone) workers ??= backtestThreads(sides, jobs)
    return { block, tally: workers?.ask(block) ?? Promise.resolve(opened.countBlock(block)) }
  }
  const pending: Array<ReturnType<typeof startOn>> = []
  // Invariant: the oldest block is merged first, so that neither the result nor the line at which it stops depends on the workers.
  const mergeDownTo = async (left: number): Promise<UnreadableLine | undefined> => {
    for (let next = pending[0]; next !== undefined && pending.length > left; next = pending[0]) {
      mergeTally(total, await next.tally)
      pending.shift()
      onProgress?.(total.all.records, next.block.readBytes)
      if (total.all.unreadable > historyUnreadableMax) return total.unreadable[0]
    }
    return undefined
  }

  try {
    for await (const block of wholeLines(run.history, run.blockBytes)) {
      run.signal?.throwIfAborted()
      pending.push(startOn(block))
      const first = await mergeDownTo(workers === null ? 0 : jobs * historyBlocksAhead)
      if (first !== undefined) return { kind: "stopped", first }
    }
    const first = await mergeDownTo(0)
    return first === undefined
      ? { kind: "done", backtest: toBacktest(opened.from, opened.to, total) }
      : { kind: "stopped", first }
  } finally {
    await (workers as Workers | null)?.stop()
  }
}

type Workers = Threads<LineBlock, Tally>

/** Threads that count blocks of a history. Each opens the sides itself; `ask` fails if it cannot. */
export const backtestThreads = (
  settings: BacktestSides,
  count: number,
  resourceLimits: ResourceLimits = {}
): Workers => makeThreads({ module: import.meta, entry: "worker", count, settings, resourceLimits })
