/** Worker threads answer within a time limit, and one that ends is replaced. */

import { afterEach, describe, expect, it } from "vitest"
import { makeThreads } from "../src/threads.ts"
import type { Wanted } from "./support/answeringThread.ts"

const opened: Array<() => Promise<void>> = []

const threads = (options: { count?: number; answerMsMax?: number; idleMs?: number } = {}) => {
  const made = makeThreads<Wanted, string>({
    module: import.meta,
    entry: "support/answeringThread",
    count: 1,
    settings: "thread",
    ...options
  })
  opened.push(made.stop)
  return made
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((stop) => stop()))
})

describe("threads", () => {
  it("take questions in turn, and keep what they were opened with", async () => {
    const { ask } = threads({ count: 2 })
    const [first, second, third] = await Promise.all([ask("name"), ask("name"), ask("name")])
    expect(first).toMatch(/^thread \d+$/)
    expect(second).not.toBe(first)
    expect(third).toBe(first)
  })

  it("end over a question that fails, fail those behind it, and answer the next one", async () => {
    const { ask } = threads()
    const first = await ask("name")
    const [failed, behind] = await Promise.allSettled([ask("failure"), ask("name")])
    expect(failed).toMatchObject({ reason: { message: "it cannot be answered" } })
    expect(behind).toMatchObject({ status: "rejected" })
    expect(await ask("name")).not.toBe(first)
  })

  it("are given up over a question that takes too long", async () => {
    await expect(threads({ answerMsMax: 50 }).ask("nothing")).rejects.toThrow("took too long")
  })

  it("end when they have no question for long enough", async () => {
    const { ask } = threads({ idleMs: 0 })
    const first = await ask("name")
    await expect.poll(() => ask("name"), { timeout: 20_000 }).not.toBe(first)
  })

  it("answer nothing once they are stopped, not even what they were asked before", async () => {
    const { ask, stop } = threads()
    const before = ask("name")
    await stop()
    await expect(before).rejects.toThrow("stopped")
    await expect(ask("name")).rejects.toThrow("stopped")
  })
})
