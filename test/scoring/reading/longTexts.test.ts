/** A text that fills its field is read in the time of its length, whatever it repeats. */

import { expect, test } from "vitest"
import { calls, longest, second } from "../../../bench/secondEdition.ts"

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

/** Many times what the slowest of them takes, and a tenth of what a pattern that takes the square of the length does. */
const msMax = 25

test("no text that fills its field is read in more than the time of its length", () => {
  for (const { action } of calls.slice(0, 400)) second.read(action)
  const slow = longest.flatMap(({ action, of }) => {
    const ms = cpuMs(() => second.read(action))
    return ms > msMax ? [`${of}: ${ms.toFixed(1)} ms`] : []
  })
  expect(slow).toEqual([])
})
