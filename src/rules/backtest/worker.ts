/** What runs in a worker thread of a backtest: opens the rulebooks, then answers each block with its tally. */

import { Result } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import type { Block } from "../history/wholeLines.ts"
import { openSides, type Sides } from "./Sides.ts"

// Invariant: `startWorkers` gives the sides, and they were opened once already before any worker was started.
const { comparison } = Result.getOrThrow(openSides(workerData as Sides))

parentPort?.on("message", (block: Block) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
  parentPort?.postMessage(comparison(block))
})
