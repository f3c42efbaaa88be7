/** Effects that take turns: no tenant waits for another tenant's queue, and no turn is lost. */

import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, References } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe } from "vitest"
import { makeFairTurns } from "../src/evenShare.ts"
import { scaled, seed } from "./support/depth.ts"

const [waitMsMax, waitingMax] = [100, 8]
const bounds = { waitMsMax, refuse: () => "late" as const }

/** Work of organizations that runs until released. `started`: whose turns began, in this order. */
const makeWork = (turnsMax: number) => {
  const inTurn = makeFairTurns({ ...bounds, waitingMax, placesMax: turnsMax, tenantPlacesMax: turnsMax - 1 })
  const started: Array<string> = []
  const working: Array<{ readonly who: string; readonly letGo: Deferred.Deferred<void> }> = []
  const ask = (who: string) => {
    const letGo = Deferred.makeUnsafe<void>()
    const one = { who, letGo }
    const work = Effect.gen(function* () {
      started.push(who)
      working.push(one)
      yield* Deferred.await(letGo)
    }).pipe(Effect.ensuring(Effect.sync(() => working.splice(working.indexOf(one), 1))))
    return Effect.forkChild(inTurn(who, work), { startImmediately: true })
  }
  const endFirst = Effect.suspend(() => {
    const first = working[0]
    return first === undefined
      ? Effect.void
      : Effect.andThen(Deferred.succeed(first.letGo, undefined), settle)
  })
  const settle = Effect.repeat(Effect.yieldNow, { times: 5 })
  return { ask, endFirst, settle, started, working: () => working.map(({ who }) => who) }
}

describe("turns", () => {
  it.effect("leave one free when only one organization asks, and go to an organization that has none", () =>
    Effect.gen(function* () {
      const { ask, endFirst, started, working } = makeWork(3)
      for (let n = 0; n < 10; n++) yield* ask("flood")
      expect(working()).toEqual(["flood", "flood"])
      yield* ask("deluge")
      yield* ask("deluge")
      expect(working()).toEqual(["flood", "flood", "deluge"])
      yield* ask("neighbour")
      yield* endFirst
      expect(working()).toEqual(["flood", "deluge", "neighbour"])
      for (let n = 0; n < 4; n++) yield* endFirst
      expect(started.slice(4)).toEqual(["flood", "deluge", "flood", "flood"])
    })
  )

  it.effect("end with a failure for those who wait too long or are too many, and none is lost", () =>
    Effect.gen(function* () {
      const { ask, endFirst, settle, started, working } = makeWork(2)
      yield* ask("flood")
      const [waiting, leaving] = [yield* ask("flood"), yield* ask("flood")]
      for (let n = 2; n < waitingMax; n++) yield* ask("flood")
      const tooMany = yield* ask("flood")
      yield* settle
      expect(Exit.isFailure(tooMany.pollUnsafe() ?? Exit.void)).toBe(true)
      yield* Fiber.interrupt(leaving)
      yield* TestClock.adjust(waitMsMax)
      expect(yield* Effect.flip(Fiber.join(waiting))).toBe("late")
      const next = yield* ask("flood")
      expect(started.length).toBe(1)
      yield* endFirst
      expect([started.length, working()]).toEqual([2, ["flood"]])
      yield* Fiber.interrupt(next)
      yield* ask("flood")
      expect(working()).toEqual(["flood"])
    })
  )

  const steps = fc.array(fc.tuple(fc.constantFrom("ask", "ask", "end", "leave"), fc.nat(3)), {
    maxLength: 60
  })

  it.effect(
    `are never more than there are, and no organization that waits has fewer than one that just got one; seed ${seed}`,
    () =>
      Effect.forEach(
        fc.sample(fc.tuple(steps, fc.integer({ min: 2, max: 5 })), { numRuns: scaled(100, 2_000), seed }),
        ([moves, turnsMax]) =>
          Effect.gen(function* () {
            const { ask, endFirst, settle, started, working } = makeWork(turnsMax)
            const asked: Array<{ readonly who: string; readonly fiber: Fiber.Fiber<unknown, unknown> }> = []
            const count = (who: string) => working().filter((one) => one === who).length
            for (const [does, which] of moves) {
              const before = started.length
              const fiber = asked[which]?.fiber
              if (does === "ask") asked.push({ who: `o${which}`, fiber: yield* ask(`o${which}`) })
              else if (does === "end") yield* endFirst
              else if (fiber !== undefined) yield* Fiber.interrupt(fiber)
              yield* settle
              const over = asked.filter((one) => one.fiber.pollUnsafe() === undefined).map(({ who }) => who)
              const waiting = [...new Set(over)].filter(
                (who) => over.filter((one) => one === who).length > count(who)
              )
              expect(working().length).toBeLessThanOrEqual(turnsMax)
              for (const who of working()) expect(count(who)).toBeLessThan(turnsMax)
              // Work is conserved: a free turn is denied only to those who have all turns except one.
              if (working().length < turnsMax)
                for (const who of waiting) expect(count(who)).toBe(turnsMax - 1)
              const last = started.at(-1)
              if (started.length > before && last !== undefined)
                for (const who of waiting) expect(count(who)).toBeGreaterThanOrEqual(count(last) - 1)
            }
          }),
        { discard: true }
      )
  )
})

/** Effects under keys. Each records its start, and ends when the test releases it. */
const workshop = () => {
  const inTurn = makeFairTurns({ ...bounds, tenantPlacesMax: 1 })
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

describe("turns of which a tenant has one at once", () => {
  it.effect("runs one effect at a time, in the order of arrival, and other tenants do not wait", () =>
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
      const inTurn = makeFairTurns({ ...bounds, tenantPlacesMax: 1 })
      expect(yield* Effect.flip(inTurn("a", Effect.fail("broken")))).toBe("broken")
      yield* Fiber.interrupt(yield* Effect.forkChild(inTurn("a", Effect.never), { startImmediately: true }))
      expect(yield* inTurn("a", Effect.succeed("done"))).toBe("done")
    })
  )

  for (const leaver of ["who asks first", "who waits"] as const) {
    it.effect(`is always released, in whatever step ${leaver} is interrupted`, () =>
      Effect.gen(function* () {
        const inTurn = makeFairTurns({ ...bounds, tenantPlacesMax: 1 })
        for (let steps = 0; steps < 60; steps++) {
          const key = `key ${steps}`
          const gate = yield* Deferred.make<void>()
          const first = inTurn(key, Deferred.await(gate))
          const before =
            leaver === "who waits" ? [yield* Effect.forkChild(first, { startImmediately: true })] : []
          const left = yield* Effect.forkChild(stepByStep(inTurn(key, Effect.never)))
          // The second effect is already waiting when the key is released, and may be interrupted while the key passes to it.
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
