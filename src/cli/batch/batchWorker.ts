/** The entry point of an `assess --batch` thread: opens the rules, then answers each block of lines. */

import { Layer, ManagedRuntime } from "effect"
import { AppConfig } from "../../config.ts"
import { answerQuestions } from "../../threads.ts"
import { type Offline, scorerOf } from "../assessOffline.ts"
import type { InputLine } from "../operatorFiles.ts"
import { answerLines } from "./answerLines.ts"

export interface BatchSettings {
  /** The release named by `--rules`. */
  readonly rules: string | null
  readonly offline: Offline
}

// Invariant: the main thread has already opened the same rules, so opening succeeds.
answerQuestions(({ offline, rules }: BatchSettings) => {
  const runtime = ManagedRuntime.make(scorerOf(rules).pipe(Layer.provideMerge(AppConfig.layer)))
  return (lines: ReadonlyArray<InputLine>) => runtime.runPromise(answerLines(lines, offline))
})
