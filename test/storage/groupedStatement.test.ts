import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { describe } from "vitest"
import { groupedStatement } from "../../src/storage/groupedStatement.ts"

const failure = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: { code }, message: code, operation: "query" })
  })

/** Doubles numbers; every batch waits for its gate. */
const doubling = Effect.fnUntraced(function* (
  options: { readonly lanes?: number; readonly batchMax?: number } = {}
) {
  const batches: Array<ReadonlyArray<number>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const double = yield* groupedStatement({
    lanes: 1,
    batchMax: 10,
    ...options,
    run: (items: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        const gate = Deferred.makeUnsafe<void>()
        batches.push(items)
        gates.push(gate)
        yield* Deferred.await(gate)
        if (items.includes(13)) return yield* failure("22003")
        if (items.includes(99)) return yield* failure("57P01")
        return items.map((item) => 2 * item)
      })
  })
  const ask = (item: number) => Effect.forkChild(double(item), { startImmediately: true })
  const open = Effect.gen(function* () {
    yield* Effect.yieldNow
    const gate = gates.shift()
    if (gate === undefined) throw new Error("no batch is under way")
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.yieldNow
  })
  return { ask, batches, open }
})

describe("grouped statements", () => {
  it.effect("send an item that is alone at once, and those that arrive meanwhile together", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      const first = yield* ask(1)
      yield* Effect.yieldNow
      const others = yield* Effect.forEach([2, 3, 4], ask)
      yield* open
      yield* open
      expect(yield* Fiber.join(first)).toBe(2)
      expect(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber))).toEqual([4, 6, 8])
      expect(batches).toEqual([[1], [2, 3, 4]])
      const later = yield* ask(5)
      yield* open
      expect(yield* Fiber.join(later)).toBe(10)
    }).pipe(Effect.scoped)
  )

  it.effect("never hold more than the largest batch, nor more batches than lanes", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling({ lanes: 2, batchMax: 2 })
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], ask)
      yield* Effect.yieldNow
      expect(batches).toEqual([
        [1, 2],
        [3, 4]
      ])
      for (let batch = 0; batch < 3; batch++) yield* open
      yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      expect(batches.slice(2)).toEqual([[5]])
    }).pipe(Effect.scoped)
  )

  it.effect("let no item fail for what stands in another", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* doubling()
      const fibers = yield* Effect.forEach([1, 2, 13, 4], ask)
      for (let batch = 0; batch < 5; batch++) yield* open
      const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
      expect(exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))).toEqual([2, 4, "failed", 8])
    }).pipe(Effect.scoped)
  )

  it.effect("ask a server that is away once for all of them", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      const fibers = yield* Effect.forEach([1, 2, 99], ask)
      yield* open
      const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
      expect(exits.map(Exit.isSuccess)).toEqual([false, false, false])
      expect(batches).toEqual([[1, 2, 99]])
    }).pipe(Effect.scoped)
  )

  it.effect("go on for the others when one of them leaves", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* doubling()
      const fibers = yield* Effect.forEach([1, 2, 3], ask)
      yield* Effect.yieldNow
      yield* Effect.forEach(fibers.slice(0, 2), (fiber) => Fiber.interrupt(fiber))
      yield* open
      expect(yield* Effect.forEach(fibers.slice(2), (fiber) => Fiber.join(fiber))).toEqual([6])
    }).pipe(Effect.scoped)
  )
})
