/** What nobody waits for wakes nobody for one failure. */

import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { backgroundRetryMs } from "../../src/limits.ts"
import { retryOnceOrLog } from "../../src/storage/storageErrors.ts"

/** What work in the background comes to that fails so often, and what is logged of it. */
const told = (failures: number, failure: Effect.Effect<never, string> = Effect.fail("away")) => {
  const logged: Array<unknown> = []
  let times = 0
  const work = Effect.suspend(() => (times++ < failures ? failure : Effect.succeed("done")))
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(retryOnceOrLog("count", work))
    yield* TestClock.adjust(2 * backgroundRetryMs)
    return { found: Option.getOrNull(yield* Fiber.join(fiber)), logged, times }
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(message))])))
}

it.effect("is tried once more before a log tells of it", () =>
  Effect.gen(function* () {
    expect(yield* told(0)).toEqual({ found: "done", logged: [], times: 1 })
    expect(yield* told(1)).toEqual({ found: "done", logged: [], times: 2 })
    expect(yield* told(2)).toEqual({ found: null, logged: [["could not count"]], times: 2 })
  })
)

it.effect("tells of a defect at once, and outlives it", () =>
  Effect.gen(function* () {
    expect(yield* told(1, Effect.die(new Error("broken")))).toEqual({
      found: null,
      logged: [["could not count"]],
      times: 1
    })
  })
)
