/** Texts that were written to make the reading of a call take the square of their length, or more. */

import { Result } from "effect"
import { expect, test } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { loadDraft } from "../../../src/rules/release/loadRelease.ts"

const { edition } = Result.getOrThrow(loadDraft(packageRoot))

const read = (actionType: string, targetResource: string, command?: string) =>
  edition.read({
    actionType,
    environment: "staging",
    targetResource,
    ...(command === undefined ? {} : { metadata: { command } })
  })

/** The least processor time of a few runs, because other work on the machine only adds to it. */
const cpuMs = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage()
      run()
      const { system, user } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
  )

test("a row of assignments before a word that is none is read in the time of its length", () => {
  read("execute_code", "a=1 b=2")
  // Some seconds for a pattern that tries every way to cut it; and it would never end at the 240 characters of a resource.
  expect(cpuMs(() => read("execute_code", `${"a=".repeat(24)} b`))).toBeLessThan(25)
})

test("assignments alone are no command, and with a word behind them they are", () => {
  expect(read("execute_code", " is_destroy=true mode=a=b ").takesCommand).toBe(false)
  expect(read("execute_code", "is_destroy=true rm -rf /srv").takesCommand).toBe(true)
})
