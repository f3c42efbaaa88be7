/** Runs a backtest over a history as it streams in, on as many cores as are wanted; memory does not grow with the history. */

import { historyBlocksAhead, historyBlocksAlone, historyUnreadableMax } from "../../Limits.ts"
import { type Block, wholeLines } from "../history/wholeLines.ts"
import type { Backtest, UnreadableLine } from "./Backtest.ts"
import { mergeTally } from "./mergeTally.ts"
import type { OpenSides, Sides } from "./Sides.ts"
import { emptyTally, type Tally } from "./Tally.ts"
import { toBacktest } from "./toBacktest.ts"
import { startWorkers, type Workers } from "./workers.ts"

export interface BacktestRun {
  readonly sides: Sides
  readonly opened: OpenSides
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

interface UnderWay {
  readonly block: Block
  readonly tally: Promise<Tally>
}

export const runBacktest = async (run: BacktestRun): Promise<BacktestOutcome> => {
  const { jobs, onProgress, opened, sides } = run
  const total = emptyTally()
  const underWay: Array<UnderWay> = []
  let workers: Workers | null = null
  let seen = 0

  const startOn = (block: Block): UnderWay => {
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
