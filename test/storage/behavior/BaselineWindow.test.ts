/** The cache of organizations' activity before today. */

import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { baselineWindowRefreshMs } from "../../../src/limits.ts"
import { type BaselineWindow, makeBaselineWindowCache } from "../../../src/storage/behavior/BaselineWindow.ts"
import { baseline } from "../../support/baseline.ts"

const key = {
  organizationId: "one",
  production: true,
  changesOnly: false,
  baseline
}

/** Its size in bytes equals its number of units. */
const windowOf = (units: number): BaselineWindow => ({
  until: "2026-11-22",
  revision: 0,
  units,
  medians: new Map(),
  pace: { p95PerHour: null, days: 0, hours: 0 },
  agentPaces: new Map(),
  usualDay: { days: 0, entities: 0, usdCents: 0 },
  isLookalikeOfEstablished: () => false,
  bytes: units
})

const failure = new SqlError.SqlError({
  reason: new SqlError.UnknownError({ cause: new Error("gone"), message: "gone", operation: "read" })
})

/** A cache whose reads end when the test says so, in the order of their starts. */
const heldUpWithin = Effect.fnUntraced(function* (bytesMax?: number) {
  const reads: Array<Deferred.Deferred<BaselineWindow, SqlError.SqlError>> = []
  const cache = yield* makeBaselineWindowCache(
    () =>
      Effect.gen(function* () {
        const end = yield* Deferred.make<BaselineWindow, SqlError.SqlError>()
        reads.push(end)
        return yield* Deferred.await(end)
      }),
    bytesMax
  )
  const end = Effect.fnUntraced(function* (place: number, units: number | "fails") {
    const read = reads[place]
    if (read === undefined) throw new Error(`read ${place} was not started`)
    yield* units === "fails" ? Deferred.fail(read, failure) : Deferred.succeed(read, windowOf(units))
    for (let i = 0; i < 5; i++) yield* Effect.yieldNow
  })
  return { cache, reads, end }
})
const heldUp = heldUpWithin()

describe("a held past", () => {
  it.effect("is served while it is read again, by one read, and then the new one is", () =>
    Effect.gen(function* () {
      const { cache, end, reads } = yield* heldUp
      expect(cache.cached(key)).toBeNull()
      const first = yield* Effect.forkChild(cache.read(key), { startImmediately: true })
      yield* Effect.yieldNow
      yield* end(0, 1)
      expect((yield* Fiber.join(first)).units).toBe(1)
      yield* TestClock.adjust(baselineWindowRefreshMs)
      expect([cache.cached(key)?.units, cache.cached(key)?.units]).toEqual([1, 1])
      yield* Effect.yieldNow
      expect(reads.length).toBe(2)
      yield* end(1, 2)
      expect(cache.cached(key)?.units).toBe(2)
    })
  )

  it.effect("stays where reading it again fails, and is read once more a minute later", () =>
    Effect.gen(function* () {
      const { cache, end, reads } = yield* heldUp
      const first = yield* Effect.forkChild(cache.read(key), { startImmediately: true })
      yield* Effect.yieldNow
      yield* end(0, 1)
      yield* Fiber.join(first)
      yield* TestClock.adjust(baselineWindowRefreshMs)
      cache.cached(key)
      yield* Effect.yieldNow
      yield* end(1, "fails")
      expect(cache.cached(key)?.units).toBe(1)
      expect(reads.length).toBe(2)
      yield* TestClock.adjust(baselineWindowRefreshMs)
      cache.cached(key)
      yield* Effect.yieldNow
      expect(reads.length).toBe(3)
    })
  )

  it.effect("that is invalid is not served, and one of another kind of environment is another", () =>
    Effect.gen(function* () {
      const { cache, end } = yield* heldUp
      const first = yield* Effect.forkChild(cache.read(key), { startImmediately: true })
      yield* Effect.yieldNow
      yield* end(0, 1)
      yield* Fiber.join(first)
      expect(cache.cached({ ...key, production: false })).toBeNull()
      cache.invalidate(key)
      expect(cache.cached(key)).toBeNull()
    })
  )

  it.effect("is forgotten with all of its organization where memory is short, the longest unread first", () =>
    Effect.gen(function* () {
      const { cache, end, reads } = yield* heldUpWithin(100)
      const of = (organizationId: string, changesOnly = false) => ({ ...key, organizationId, changesOnly })
      const load = Effect.fnUntraced(function* (one: ReturnType<typeof of>, bytes: number) {
        const reading = yield* Effect.forkChild(cache.read(one), { startImmediately: true })
        yield* Effect.yieldNow
        yield* end(reads.length - 1, bytes)
        yield* Fiber.join(reading)
      })
      yield* load(of("one"), 30)
      yield* load(of("two"), 30)
      yield* load(of("one", true), 30)
      expect(cache.cached(of("one"))?.units).toBe(30)
      yield* load(of("three"), 40)
      expect([cache.cached(of("one")), cache.cached(of("one", true))]).toEqual([null, null])
      expect([cache.cached(of("two"))?.units, cache.cached(of("three"))?.units]).toEqual([30, 40])
      // One that is too large for the cache is still served.
      yield* load(of("four"), 1_000)
      expect(cache.cached(of("four"))?.units).toBe(1_000)
      expect(cache.cached(of("three"))).toBeNull()
    })
  )
})
