/** A thread for test/threads.test.ts: identifies itself, fails, or never answers. */

import { threadId } from "node:worker_threads"
import { answerQuestions } from "../../src/threads.ts"

export type Wanted = "name" | "failure" | "nothing"

answerQuestions((settings: string) => async (wanted: Wanted) => {
  if (wanted === "failure") throw new Error("it cannot be answered")
  if (wanted === "nothing") for (;;);
  return `${settings} ${threadId}`
})
