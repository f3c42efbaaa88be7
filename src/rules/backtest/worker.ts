/** The entry point of a worker thread of a backtest: opens the rulebooks, then answers each block with its tally. */

import { Result } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import type { LineBlock } from "../history/wholeLines.ts"
import { type BacktestSides, openBacktestSides } from "./BacktestSides.ts"

// Invariant: `startWorkers` passes the sides. The main thread has opened the same sides before, so that opening succeeds.
const { countBlock } = Result.getOrThrow(openBacktestSides(workerData as BacktestSides))

parentPort?.on("message", (block: LineBlock) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
  parentPort?.postMessage(countBlock(block))
})
