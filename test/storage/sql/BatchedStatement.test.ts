import { expect, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { batchTimeoutCheckMs, batchTimeoutMs } from "../../../src/limits.ts"
import { makeBatchedStatement } from "../../../src/storage/sql/BatchedStatement.ts"

const failure = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: { code }, message: code, operation: "query" })
  })

/** Items that PostgreSQL refuses, with the SQLSTATE. For item 7 building the statement throws. */
const refusals: ReadonlyMap<number, string> = new Map([
  [13, "22003"],
  [42, "42501"],
  [99, "57P01"]
])

/** Doubles numbers. Every batch waits for its gate. */
const doubling = Effect.fnUntraced(function* (
  options: {
    readonly inFlightMax?: number
    readonly batchMax?: number
    readonly waitingMax?: number
    readonly tenantOf?: (item: number) => string
    readonly apart?: { readonly fastMs: number }
  } = {}
) {
  const batches: Array<ReadonlyArray<number>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const double = yield* makeBatchedStatement({
    name: "doubling",
    inFlightMax: 1,
    batchMax: 10,
    waitingMax: 100,
    ...options,
    run: (items: ReadonlyArray<number>) => {
      batches.push(items)
      if (items.includes(7)) throw new RangeError("7 cannot be converted")
      const gate = Deferred.makeUnsafe<void>()
      gates.push(gate)
      return Effect.gen(function* () {
        yield* Deferred.await(gate)
        for (const [item, code] of refusals) if (items.includes(item)) return yield* failure(code)
        return items.map((item) => 2 * item)
      })
    }
  })
  const ask = (item: number) => Effect.forkChild(double(item), { startImmediately: true })
  const open = Effect.gen(function* () {
    yield* Effect.yieldNow
    const gate = gates.shift()
    if (gate === undefined) throw new Error("no batch is running")
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.yieldNow
  })
  return { ask, batches, double, open }
})

const outcomesOf = Effect.fnUntraced(function* (
  fibers: ReadonlyArray<Fiber.Fiber<number, SqlError.SqlError>>
) {
  const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
  return exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))
})

describe("batched statements", () => {
  it.effect("send a lone item at once, and the items that arrive meanwhile together", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      const first = yield* ask(1)
      yield* Effect.yieldNow
      const others = yield* Effect.forEach([2, 3, 4], ask)
      yield* open
      yield* open
      expect(yield* outcomesOf([first, ...others])).toEqual([2, 4, 6, 8])
      expect(batches).toEqual([[1], [2, 3, 4]])
      const later = yield* ask(5)
      yield* open
      expect(yield* Fiber.join(later)).toBe(10)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "are shared evenly: despite a queue of one tenant, another one's items go with the next batch",
    () =>
      Effect.gen(function* () {
        const tenantOf = (item: number) => (item > 500 ? "flood" : "neighbour")
        const { ask, batches, double, open } = yield* doubling({ batchMax: 4, waitingMax: 20, tenantOf })
        const flood = Array.from({ length: 20 }, (_, i) => 501 + i)
        const first = yield* ask(500)
        yield* Effect.yieldNow
        const flooding = yield* Effect.forEach(flood, ask)
        expect(yield* Effect.exit(double(521)), "has its share of the queue").toMatchObject({
          _tag: "Failure"
        })
        const others = yield* Effect.forEach([1, 2], ask)
        while (batches.length < 7) yield* open
        yield* open
        expect(yield* outcomesOf([first, ...others])).toEqual([1_000, 2, 4])
        expect(yield* outcomesOf(flooding)).toEqual(flood.map((item) => 2 * item))
        expect(batches.slice(1, 3)).toEqual([
          [501, 1, 502, 2],
          [503, 504, 505, 506]
        ])
      }).pipe(Effect.scoped)
  )

  it.effect(
    "of tenants that are kept apart wait for no other tenant's, and share statements only while these are fast",
    () =>
      Effect.gen(function* () {
        const tenantOf = (item: number) => (item > 500 ? "flood" : "neighbour")
        const { ask, batches, open } = yield* doubling({ inFlightMax: 3, tenantOf, apart: { fastMs: 50 } })
        const flooding = yield* Effect.forEach([501, 502, 503, 504, 505, 506], ask)
        yield* Effect.yieldNow
        const others = yield* Effect.forEach([1, 2], ask)
        yield* Effect.yieldNow
        expect(batches).toEqual([[501], [502], [1]])
        yield* open
        yield* TestClock.adjust(51)
        yield* open
        for (let batch = 0; batch < 5; batch++) yield* open
        expect(yield* outcomesOf([...flooding, ...others])).toEqual([
          1_002, 1_004, 1_006, 1_008, 1_010, 1_012, 2, 4
        ])
        expect(batches.slice(3)).toEqual([[503, 504], [2], [505], [506]])
      }).pipe(Effect.scoped)
  )

  it.effect(
    "hold at most `batchMax` items, run at most `inFlightMax` at once, and keep the order of asking",
    () =>
      Effect.gen(function* () {
        const { ask, batches, open } = yield* doubling({ inFlightMax: 2, batchMax: 2 })
        const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], ask)
        yield* Effect.yieldNow
        expect(batches).toEqual([
          [1, 2],
          [3, 4]
        ])
        for (let batch = 0; batch < 3; batch++) yield* open
        yield* outcomesOf(fibers)
        expect(batches.slice(2)).toEqual([[5]])
      }).pipe(Effect.scoped)
  )

  it.effect("refuse an item at once when too many wait, and accept items again afterwards", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling({ waitingMax: 2 })
      const first = yield* ask(1)
      yield* Effect.yieldNow
      const waiting = yield* Effect.forEach([2, 3], ask)
      const refused = yield* ask(4)
      expect(yield* Effect.flip(Fiber.join(refused))).toMatchObject({ reason: { _tag: "ConnectionError" } })
      yield* open
      yield* open
      const later = yield* ask(5)
      yield* open
      expect(yield* outcomesOf([first, ...waiting, later])).toEqual([2, 4, 6, 10])
      expect(batches).toEqual([[1], [2, 3], [5]])
    }).pipe(Effect.scoped)
  )

  it.effect("fail only the item that PostgreSQL refuses, and find it by halving the batch", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling({ batchMax: 64 })
      const items = Array.from({ length: 64 }, (_, i) => 100 + i).with(40, 13)
      const fibers = yield* Effect.forEach(items, ask)
      for (let batch = 0; batch < 13; batch++) yield* open
      expect(yield* outcomesOf(fibers)).toEqual(items.map((item) => (item === 13 ? "failed" : 2 * item)))
      expect(batches.length).toBe(13)
    }).pipe(Effect.scoped)
  )

  it.effect("survive an item that makes building the statement throw", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* doubling()
      const fibers = yield* Effect.forEach([1, 7, 2], ask)
      yield* open
      yield* open
      expect((yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))).map(Exit.isSuccess)).toEqual([
        true,
        false,
        true
      ])
      const later = yield* ask(5)
      yield* open
      expect(yield* Fiber.join(later)).toBe(10)
    }).pipe(Effect.scoped)
  )

  it.effect("are sent once where the server is unavailable, or denies the privilege", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      for (const refused of [99, 42]) {
        const fibers = yield* Effect.forEach([1, 2, refused], ask)
        yield* open
        expect(yield* outcomesOf(fibers)).toEqual(["failed", "failed", "failed"])
      }
      expect(batches).toEqual([
        [1, 2, 99],
        [1, 2, 42]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("stop halving when the server becomes unavailable meanwhile", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      const fibers = yield* Effect.forEach([1, 99, 13, 2], ask)
      // The whole batch fails because of 13, its first half because of 99.
      yield* open
      yield* open
      expect(yield* outcomesOf(fibers)).toEqual(["failed", "failed", "failed", "failed"])
      expect(batches).toEqual([
        [1, 99, 13, 2],
        [1, 99]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("cancel a statement that does not answer, and send the next", () =>
    Effect.gen(function* () {
      const { ask, batches, open } = yield* doubling()
      const first = yield* ask(1)
      yield* Effect.yieldNow
      const second = yield* ask(2)
      yield* TestClock.adjust(batchTimeoutMs)
      expect(yield* Effect.flip(Fiber.join(first))).toMatchObject({
        reason: { _tag: "StatementTimeoutError" }
      })
      yield* open
      yield* open
      expect(yield* Fiber.join(second)).toBe(4)
      expect(batches).toEqual([[1], [2]])
    }).pipe(Effect.scoped)
  )

  it.effect("fail the items whose timeout is over, and go on for the others", () =>
    Effect.gen(function* () {
      const { batches, double, open } = yield* doubling()
      const ask = (item: number, timeoutMs: number) =>
        Effect.forkChild(double(item, timeoutMs), { startImmediately: true })
      const sent = yield* ask(1, 150)
      const patient = yield* ask(2, 700)
      yield* Effect.yieldNow
      const unsent = yield* ask(3, 150)
      yield* TestClock.adjust(149)
      expect([sent.pollUnsafe(), unsent.pollUnsafe()]).toEqual([undefined, undefined])
      yield* TestClock.adjust(1 + batchTimeoutCheckMs)
      const timeout = { _tag: "StorageTimeout", waitedMs: 150 }
      expect(yield* Effect.flip(Fiber.join(sent))).toMatchObject(timeout)
      expect(yield* Effect.flip(Fiber.join(unsent))).toMatchObject(timeout)
      yield* open
      expect(yield* Fiber.join(patient)).toBe(4)
      expect(batches).toEqual([[1, 2]])
    }).pipe(Effect.scoped)
  )

  for (const [direction, stepMs] of [
    ["forward", 86_400_000],
    ["back", -86_400_000]
  ] as const) {
    it.effect(`end a wait exactly at its timeout when the wall clock is set ${direction}`, () =>
      Effect.gen(function* () {
        const driven = yield* Clock.Clock
        let steppedMs = 0
        const wall: Clock.Clock = {
          ...driven,
          currentTimeMillisUnsafe: () => driven.currentTimeMillisUnsafe() + steppedMs
        }
        const { double } = yield* doubling().pipe(Effect.provideService(Clock.Clock, wall))
        const waiting = yield* Effect.forkChild(double(1, 150), { startImmediately: true })
        yield* Effect.yieldNow
        steppedMs = stepMs
        yield* TestClock.adjust(149)
        expect(waiting.pollUnsafe()).toBe(undefined)
        yield* TestClock.adjust(1 + batchTimeoutCheckMs)
        expect(waiting.pollUnsafe()).toMatchObject({ _tag: "Failure" })
      }).pipe(Effect.scoped)
    )
  }

  it.effect(
    "go on for the others when one is interrupted, and never send one that was interrupted before",
    () =>
      Effect.gen(function* () {
        const { ask, batches, open } = yield* doubling()
        const underWay = yield* Effect.forEach([1, 2, 3], ask)
        yield* Effect.yieldNow
        const waiting = yield* Effect.forEach([4, 5], ask)
        yield* Effect.forEach([...underWay.slice(0, 2), ...waiting.slice(0, 1)], (fiber) =>
          Fiber.interrupt(fiber)
        )
        yield* open
        yield* open
        expect(yield* outcomesOf([...underWay.slice(2), ...waiting.slice(1)])).toEqual([6, 10])
        expect(batches).toEqual([[1, 2, 3], [5]])
      }).pipe(Effect.scoped)
  )

  for (const apart of [undefined, { fastMs: 50 }])
    it.effect(`fail every waiting item when their scope closes, ${apart ? "apart" : "together"}`, () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const kept = apart === undefined ? {} : { apart }
        const { ask } = yield* Scope.provide(doubling({ inFlightMax: 2, batchMax: 1, ...kept }), scope)
        const fibers = yield* Effect.forEach([1, 2, 3, 4], ask)
        yield* Effect.yieldNow
        yield* Scope.close(scope, Exit.void)
        const late = yield* ask(5)
        expect(yield* outcomesOf([...fibers, late])).toEqual(Array.from({ length: 5 }, () => "failed"))
      })
    )
})
