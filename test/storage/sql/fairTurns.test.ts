/** Turns at a few connections: nobody waits for the queue of another organization, and no turn is lost. */

import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe } from "vitest"
import { acquireMs, batchTimeoutCheckMs, turnsWaitingMax } from "../../../src/limits.ts"
import { makeFairTurns } from "../../../src/storage/sql/fairTurns.ts"
import { scaled, seed } from "../../support/depth.ts"

/** Work of organizations that goes on until it is let go. `started`: whose turns began, in this order. */
const makeWork = Effect.fnUntraced(function* (turnsMax: number) {
  const turns = yield* makeFairTurns(turnsMax)
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
    return Effect.forkChild(turns.take({ mode: "live", organizationId: who }, work), {
      startImmediately: true
    })
  }
  const endFirst = Effect.suspend(() => {
    const first = working[0]
    return first === undefined
      ? Effect.void
      : Effect.andThen(Deferred.succeed(first.letGo, undefined), settle)
  })
  const settle = Effect.repeat(Effect.yieldNow, { times: 5 })
  return { ask, endFirst, settle, started, working: () => working.map(({ who }) => who) }
})

describe("turns at connections", () => {
  it.effect("leave one free beside an organization that is alone, and go to whoever has none", () =>
    Effect.gen(function* () {
      const { ask, endFirst, started, working } = yield* makeWork(3)
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
    }).pipe(Effect.scoped)
  )

  it.effect("end with a failure for those who wait too long or are too many, and none is lost", () =>
    Effect.gen(function* () {
      const { ask, endFirst, settle, started, working } = yield* makeWork(2)
      yield* ask("flood")
      const [waiting, leaving] = [yield* ask("flood"), yield* ask("flood")]
      for (let n = 2; n < turnsWaitingMax; n++) yield* ask("flood")
      const tooMany = yield* ask("flood")
      yield* settle
      expect(Exit.isFailure(tooMany.pollUnsafe() ?? Exit.void)).toBe(true)
      yield* Fiber.interrupt(leaving)
      yield* TestClock.adjust(acquireMs + batchTimeoutCheckMs)
      expect(yield* Effect.flip(Fiber.join(waiting))).toMatchObject({ reason: { _tag: "ConnectionError" } })
      const next = yield* ask("flood")
      expect(started.length).toBe(1)
      yield* endFirst
      expect([started.length, working()]).toEqual([2, ["flood"]])
      yield* Fiber.interrupt(next)
      yield* ask("flood")
      expect(working()).toEqual(["flood"])
    }).pipe(Effect.scoped)
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
            const { ask, endFirst, settle, started, working } = yield* makeWork(turnsMax)
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
              // Work is conserved: a free turn is only kept from those who have all but one.
              if (working().length < turnsMax)
                for (const who of waiting) expect(count(who)).toBe(turnsMax - 1)
              const last = started.at(-1)
              if (started.length > before && last !== undefined)
                for (const who of waiting) expect(count(who)).toBeGreaterThanOrEqual(count(last) - 1)
            }
          }).pipe(Effect.scoped),
        { discard: true }
      )
  )
})
