import { Console, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { progressOn, withNotice, withoutNotice, withProgress } from "../../src/cli/progress.ts"

const clear = "\r\u001b[K"

const watch = (isTTY: boolean, columns = 100) => {
  const written: Array<string> = []
  let nowMs = 0
  const screen = { isTTY, columns, write: (text: string) => written.push(text) > 0 }
  const progress = progressOn(screen, () => nowMs, { title: "backtest", unit: "records" })
  return {
    written,
    progress,
    after: (ms: number) => {
      nowMs += ms
    }
  }
}

describe("a progress bar", () => {
  it("shows the share, the count, the rate and the time left", () => {
    const { after, progress, written } = watch(true)
    after(2_000)
    progress.at(100_000, 0.25)
    expect(written).toStrictEqual([
      `\rbacktest  ██████░░░░░░░░░░░░░░░░░░ 25 %  100,000 records  50,000/s  0:06 left\u001b[K`
    ])
  })

  it("shows the passed time where the total is unknown", () => {
    const { after, progress, written } = watch(true)
    after(65_000)
    progress.at(65_000, null)
    expect(written).toStrictEqual([`\rbacktest  65,000 records  1,000/s  1:05\u001b[K`])
  })

  it("writes nothing where standard error is no terminal", () => {
    const { after, progress, written } = watch(false)
    after(10_000)
    progress.at(1, 0.5)
    progress.end()
    expect(written).toStrictEqual([])
  })

  it("draws at most ten times a second, and not at all for short work", () => {
    const { after, progress, written } = watch(true)
    progress.at(1, 0.1)
    after(299)
    progress.at(2, 0.2)
    progress.end()
    expect(written).toStrictEqual([])
    for (let i = 0; i < 1_000; i++) {
      after(1)
      progress.at(i, i / 1_000)
    }
    expect(written).toHaveLength(10)
  })

  it("leaves a line that would wrap at its title", () => {
    const { after, progress, written } = watch(true, 40)
    after(1_000)
    progress.at(1, 0.5)
    expect(written).toStrictEqual([`\rbacktest\u001b[K`])
  })

  it("is cleared from the screen at the end, once", () => {
    const { after, progress, written } = watch(true)
    after(1_000)
    progress.at(1, 1)
    progress.end()
    progress.end()
    expect(written.slice(1)).toStrictEqual([clear])
  })

  it("ends with the work, also with work that fails", () => {
    const exit = Effect.runSyncExit(
      withProgress({ title: "mutate", unit: "mutants" }, () => Effect.fail("no"))
    )
    expect(exit).toStrictEqual(Exit.fail("no"))
  })
})

describe("the notice of a verb without countable progress", () => {
  const noticeOf = async (isTTY: boolean, work: Effect.Effect<void, string>, isBlocking = true) => {
    const written: Array<string> = []
    const screen = { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 }
    const console = { ...globalThis.console, log: (text: string) => written.push(text) }
    await Effect.runPromiseExit(
      withNotice(
        screen,
        "rules check",
        isBlocking
      )(work).pipe(Effect.provideService(Console.Console, console))
    )
    return written
  }

  it.each([Effect.void, Effect.fail("broken")])(
    "appears while it works, and disappears afterwards %#",
    async (work) => {
      expect(await noticeOf(true, work)).toStrictEqual(["rules check …", clear])
    }
  )

  it("is not written where standard error is no terminal", async () => {
    expect(await noticeOf(false, Effect.void)).toStrictEqual([])
  })

  it("is not written for work that waits for a moment, but for work that waits for longer", async () => {
    expect(await noticeOf(true, Effect.sleep(1), false)).toStrictEqual([])
    expect(await noticeOf(true, Effect.sleep(1_000), false)).toStrictEqual(["rules check …", clear])
  })

  it("is gone before the first output, and does not come back", async () => {
    const printing = Effect.andThen(Console.log("listening"), Effect.sleep(1_000))
    expect(await noticeOf(true, printing)).toStrictEqual(["rules check …", clear, "listening"])
    expect(await noticeOf(true, printing, false)).toStrictEqual(["listening"])
    expect(await noticeOf(true, Effect.andThen(withoutNotice, Effect.sleep(1_000)), false)).toStrictEqual([])
  })
})
