/** A text that fills its field is read in linear time, whatever it repeats. */

import { expect, test } from "vitest"
import { calls, longest, draftModel } from "../../../bench/calls.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"

const timesEach = 5

/** The least processor time of this thread for one run, because other work on the machine only adds to it. */
const cpuMs = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: timesEach }, () => {
      const before = process.threadCpuUsage()
      run()
      const { system, user } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
  )

/** Many times the slowest one, and a tenth of the time of a quadratic pattern. */
const msMax = 25

test("no text that fills its field is read in more than the time of its length", () => {
  for (const { action } of calls.slice(0, 400)) readCall(action, draftModel.lexicon)
  const slow = longest.flatMap(({ action, of }) => {
    const ms = cpuMs(() => readCall(action, draftModel.lexicon))
    return ms > msMax ? [`${of}: ${ms.toFixed(1)} ms`] : []
  })
  expect(slow).toEqual([])
})

/** Half of what is read of a command, and all of it. */
const [halfLength, fullLength] = [4_000, 8_000]

/** The minimum of many interleaved runs, because other work on the machine only adds time. */
const leastMs = (runs: ReadonlyArray<() => unknown>): ReadonlyArray<number> => {
  const least = runs.map(() => Infinity)
  for (let time = 0; time < 15; time++)
    for (const [at, run] of runs.entries()) {
      const begunMs = performance.now()
      run()
      least[at] = Math.min(least[at] ?? Infinity, performance.now() - begunMs)
    }
  return least
}

const slowest = {
  "statements in texts": ["execute_sql", "EXEC a 'DELETE FROM b'; "],
  "a chain of wrappers": ["bash", "ssh a "],
  "wrapped commands": ["bash", "docker run -v /:/x a sh -c 'rm -rf /x'; "],
  "words in camel case": ["note.update", "DeleteUser"],
  "lines of one command": ["redis_command", "\n:"],
  "words that signals begin with": ["ssh_exec", " * * * * * 1,% "]
} as const

test.each(Object.entries(slowest))("twice the length takes about twice the time: %s", (_, [tool, text]) => {
  const reading = (length: number) => {
    const command = text.repeat(length / text.length)
    const action = {
      actionType: tool,
      environment: "staging",
      targetResource: command.slice(0, 240),
      metadata: { command }
    } as const
    return () => readCall(action, draftModel.lexicon)
  }
  // A round on a busy machine proves nothing.
  const ratios: Array<number> = []
  while (ratios.length < 5 && !ratios.some((ratio) => ratio <= 3)) {
    const [half = 0, full = Infinity] = leastMs([reading(halfLength), reading(fullLength)])
    ratios.push(full / half)
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(3)
})
