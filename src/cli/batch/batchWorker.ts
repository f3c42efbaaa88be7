/** The entry point of a thread of `assess --batch`: opens the rules, then answers each block of lines. */

import { Layer, ManagedRuntime } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import { AppConfig } from "../../config.ts"
import { type Offline, scorerOf } from "../assessOffline.ts"
import type { InputLine } from "../inputFiles.ts"
import { answerLines } from "./answerLines.ts"

/** What a thread is told at its start. */
export interface BatchSettings {
  /** The release that `--rules` names. */
  readonly rules: string | null
  readonly offline: Offline
}

// Invariant: `assessBatch` passes the settings. The main thread has opened the same rules before, so that opening succeeds.
const { offline, rules } = workerData as BatchSettings
const runtime = ManagedRuntime.make(scorerOf(rules).pipe(Layer.provideMerge(AppConfig.layer)))

/** Blocks are answered one after the other, in the order of their messages. */
const answerAfter = async (previous: Promise<void>, lines: ReadonlyArray<InputLine>): Promise<void> => {
  await previous
  const answer = await runtime.runPromise(answerLines(lines, offline))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
  parentPort?.postMessage(answer)
}

let answered = Promise.resolve()

parentPort?.on("message", (lines: ReadonlyArray<InputLine>) => {
  answered = answerAfter(answered, lines)
})
