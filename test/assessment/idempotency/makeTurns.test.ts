import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { makeTurns } from "../../../src/assessment/idempotency/makeTurns.ts"

const waitMsMax = 100

/** Work under keys that notes who has begun, and ends when it is let go. */
const workshop = () => {
  const inTurn = makeTurns(waitMsMax, () => "late" as const)
  const begun: Array<string> = []
  const gates = new Map<string, Deferred.Deferred<void>>()
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? Deferred.makeUnsafe<void>()
    gates.set(name, gate)
    return gate
  }
  const ask = (key: string, name: string) =>
    Effect.forkChild(
      inTurn(
        key,
        Effect.suspend(() => {
          begun.push(name)
          return Effect.as(Deferred.await(gateOf(name)), name)
        })
      ),
      { startImmediately: true }
    )
  return { ask, begun, letGo: (name: string) => Deferred.succeed(gateOf(name), undefined) }
}

describe("turns under a key", () => {
  it.effect("go to one at a time, in the order of asking, and other keys do not wait", () =>
    Effect.gen(function* () {
      const { ask, begun, letGo } = workshop()
      const fibers = yield* Effect.forEach(["first", "second", "third"], (name) => ask("a", name))
      yield* ask("b", "other")
      expect(begun).toEqual(["first", "other"])
      yield* letGo("first")
      expect(yield* Fiber.join(fibers[0] as Fiber.Fiber<string, "late">)).toBe("first")
      expect(begun).toEqual(["first", "other", "second"])
      yield* letGo("second")
      yield* Effect.yieldNow
      expect(begun).toEqual(["first", "other", "second", "third"])
    })
  )

  it.effect("pass over those who left or came too late, and are free again afterwards", () =>
    Effect.gen(function* () {
      const { ask, begun, letGo } = workshop()
      yield* ask("a", "first")
      const leaving = yield* ask("a", "leaving")
      const late = yield* ask("a", "late")
      yield* Fiber.interrupt(leaving)
      yield* TestClock.adjust(waitMsMax)
      expect(yield* Effect.flip(Fiber.join(late))).toBe("late")
      yield* ask("a", "next")
      yield* letGo("first")
      yield* Effect.yieldNow
      expect(begun).toEqual(["first", "next"])
      yield* letGo("next")
      yield* Effect.yieldNow
      yield* ask("a", "last")
      expect(begun).toEqual(["first", "next", "last"])
    })
  )

  it.effect("are given up by work that fails or is interrupted", () =>
    Effect.gen(function* () {
      const inTurn = makeTurns(waitMsMax, () => "late" as const)
      expect(yield* Effect.flip(inTurn("a", Effect.fail("broken")))).toBe("broken")
      yield* Fiber.interrupt(yield* Effect.forkChild(inTurn("a", Effect.never), { startImmediately: true }))
      expect(yield* inTurn("a", Effect.succeed("done"))).toBe("done")
    })
  )
})
