import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, References } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { makeKeyedMutex } from "../../src/storage/keyedMutex.ts"

const waitMsMax = 100

/** Effects under keys. Each records that it has begun, and ends when the test lets it. */
const workshop = () => {
  const inTurn = makeKeyedMutex(waitMsMax, () => "late" as const)
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

/** Pauses after almost every step, so that the effect can be interrupted there. With a smaller number nothing would progress. */
const stepByStep = Effect.provideService(References.MaxOpsBeforeYield, 3)

describe("a keyed mutex", () => {
  it.effect("runs one effect at a time, in the order of arrival, and other keys do not wait", () =>
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

  it.effect("skips effects that were interrupted or timed out, and is free again afterwards", () =>
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

  it.effect("is released by work that fails or is interrupted", () =>
    Effect.gen(function* () {
      const inTurn = makeKeyedMutex(waitMsMax, () => "late" as const)
      expect(yield* Effect.flip(inTurn("a", Effect.fail("broken")))).toBe("broken")
      yield* Fiber.interrupt(yield* Effect.forkChild(inTurn("a", Effect.never), { startImmediately: true }))
      expect(yield* inTurn("a", Effect.succeed("done"))).toBe("done")
    })
  )

  for (const leaver of ["who asks first", "who waits"] as const) {
    it.effect(`is always released, in whatever step ${leaver} is interrupted`, () =>
      Effect.gen(function* () {
        const inTurn = makeKeyedMutex(waitMsMax, () => "late" as const)
        for (let steps = 0; steps < 60; steps++) {
          const key = `key ${steps}`
          const gate = yield* Deferred.make<void>()
          const first = inTurn(key, Deferred.await(gate))
          const before =
            leaver === "who waits" ? [yield* Effect.forkChild(first, { startImmediately: true })] : []
          const left = yield* Effect.forkChild(stepByStep(inTurn(key, Effect.never)))
          // The second effect waits already when the key is released, and may be interrupted in the step that hands it on.
          if (leaver === "who waits") yield* Effect.repeat(Effect.yieldNow, { times: 30 })
          yield* Deferred.succeed(gate, undefined)
          for (let step = 0; step < steps; step++) yield* Effect.yieldNow
          yield* Fiber.interrupt(left)
          yield* Effect.forEach(before, Fiber.join)
          const after = yield* Effect.forkChild(inTurn(key, Effect.succeed("after")))
          yield* TestClock.adjust(waitMsMax)
          expect([steps, yield* Fiber.join(after)]).toEqual([steps, "after"])
        }
      })
    )
  }
})
