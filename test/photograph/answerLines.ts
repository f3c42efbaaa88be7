/** Answers calls, one JSON document a line from standard input, in their order on standard output. `show` runs it in another checkout. */

import { createInterface } from "node:readline"
import { answerTo } from "./answers.ts"
import type { Call } from "./calls.ts"

for await (const line of createInterface({ input: process.stdin })) {
  const isTaken = process.stdout.write(`${JSON.stringify(answerTo(JSON.parse(line) as Call))}\n`)
  if (!isTaken) await new Promise((resolve) => process.stdout.once("drain", resolve))
}
