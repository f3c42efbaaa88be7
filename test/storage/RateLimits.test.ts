/** Rate limits: windows on a driven clock, bounded memory, and one exact count for all replicas. */

import { describe, expect, it, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { rateSharedCounters, rateWindowMs } from "../../src/limits.ts"
import { countInMemory, makeLocalRateCounter, RateLimits } from "../../src/storage/RateLimits.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const at = (iso: string) => TestClock.setTime(Date.parse(iso))

describe("RateLimits", () => {
  it.effect("a window is aligned to the minute, and its reset stays while it lasts", () =>
    Effect.gen(function* () {
      const { spendKey: spend } = yield* RateLimits
      yield* at("2026-11-20T10:00:13.250Z")
      const first = yield* spend("a", 2)
      expect(first).toEqual({
        limit: 2,
        remaining: 1,
        resetSeconds: Date.parse("2026-11-20T10:01:00Z") / 1_000,
        retryAfterSeconds: 47,
        exceeded: false
      })
      yield* at("2026-11-20T10:00:59.999Z")
      expect(yield* spend("a", 2)).toMatchObject({ ...first, remaining: 0, retryAfterSeconds: 1 })
      expect(yield* spend("a", 2)).toMatchObject({
        remaining: 0,
        exceeded: true,
        resetSeconds: first.resetSeconds
      })
      expect(yield* spend("b", 2)).toMatchObject({ remaining: 1, exceeded: false })
      yield* at("2026-11-20T10:01:00.000Z")
      expect(yield* spend("a", 2)).toMatchObject({ remaining: 1, exceeded: false, retryAfterSeconds: 60 })
    }).pipe(Effect.provide(RateLimits.layerMemory))
  )

  it.effect("a million addresses take bounded memory, and none gets more than its limit", () =>
    Effect.gen(function* () {
      const subjectsMax = 1_000
      const count = countInMemory(subjectsMax)
      const beforeBytes = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
      for (let i = 0; i < 1_000_000; i++) count(`address ${i}`, 60_000)
      const grownBytes = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - beforeBytes
      expect(grownBytes).toBeLessThan(64 * 1_024 * 1_024)
      // The count of a subject beyond the exact ones is never too low.
      expect(count("address 999999", 60_000)).toBeGreaterThanOrEqual(2)
      expect(count("address 1", 60_000)).toBe(2)
      expect(rateSharedCounters).toBeGreaterThan(10_000)
      expect(count("address 999999", 120_000)).toBe(1)
    })
  )
})

describe("a local rate counter", () => {
  it("keeps the counts of its window when the store answers late for the window before", () => {
    const counter = makeLocalRateCounter()
    counter.add("key a", 60_000)
    counter.add("key a", 120_000)
    counter.setStored("key b", 60_000, 7)
    expect(counter.add("key a", 120_000)).toBe(2)
    expect(counter.takeUnsent()).toEqual([{ subject: "key a", windowMs: 120_000, requests: 2 }])
  })
})

/** A stopped clock, so that no window ends within a test. */
const stoppedAtMs = Date.now()
const stopped: Clock.Clock = Object.assign(Object.create(Effect.runSync(Clock.Clock)), {
  currentTimeMillisUnsafe: () => stoppedAtMs,
  currentTimeMillis: Effect.succeed(stoppedAtMs)
})

const replica = Layer.fresh(RateLimits.layerPostgres)

layer(TestDatabase.layer, { excludeTestServices: true })("RateLimits in PostgreSQL", (it) => {
  it.effect("two replicas keep one exact count under concurrent requests", () =>
    Effect.gen(function* () {
      const one = Context.get(yield* Layer.build(replica), RateLimits)
      const other = Context.get(yield* Layer.build(replica), RateLimits)
      const spends = Array.from({ length: 200 }, (_, i) =>
        (i % 2 === 0 ? one : other).spendKey(`${i % 3}`, 1_000)
      )
      const windows = yield* Effect.all(spends, { concurrency: "unbounded" })
      const lowest = [0, 1, 2].map((key) =>
        Math.min(...windows.filter((_, i) => i % 3 === key).map(({ remaining }) => remaining))
      )
      expect(lowest).toEqual([1_000 - 67, 1_000 - 67, 1_000 - 66])
      const ofFirst = windows.filter((_, i) => i % 3 === 0).map(({ remaining }) => remaining)
      expect(new Set(ofFirst).size).toBe(67)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a request that is refused anyway waits for no statement; the next statement sends its count",
    () =>
      Effect.gen(function* () {
        const one = Context.get(yield* Layer.build(replica), RateLimits)
        const other = Context.get(yield* Layer.build(replica), RateLimits)
        yield* one.spendKey("flood", 10)
        const refused = Array.from({ length: 3 }, () => one.spendRefused("flood", 3, Date.now()))
        expect(refused.map(({ exceeded, remaining }) => [remaining, exceeded])).toEqual([
          [1, false],
          [0, false],
          [0, true]
        ])
        expect(yield* one.spendKey("small", 10)).toMatchObject({ remaining: 9 })
        expect(yield* other.spendKey("flood", 10)).toMatchObject({ remaining: 5 })
        // This process learns the count of the store with its next statement.
        expect(one.spendRefused("flood", 10, Date.now())).toMatchObject({ remaining: 5 })
        expect(yield* one.spendKey("flood", 10)).toMatchObject({ remaining: 3 })
      }).pipe(Effect.scoped)
  )

  it.effect("a request is refused while the store fails, and counted again once it works", () =>
    Effect.gen(function* () {
      const sql = yield* ControlSql
      const { spendKey: spend } = yield* RateLimits
      yield* spend("one", 5)
      expect(yield* Effect.flip(spend("one\0", 5))).toMatchObject({ _tag: "RateLimitStoreUnavailable" })
      expect(yield* spend("one", 5)).toMatchObject({ remaining: 3 })
      const rows = yield* sql`SELECT subject, requests FROM rate_limits WHERE subject = 'key one'`
      expect(rows).toEqual([{ subject: "key one", requests: 2 }])
    }).pipe(Effect.provide(replica))
  )

  it.effect("without the store a process counts addresses itself, and still limits them", () =>
    Effect.gen(function* () {
      const { spendAddress } = yield* RateLimits
      const unstorable = "192.0.2.1\0"
      expect(yield* spendAddress(unstorable, 2)).toMatchObject({ remaining: 1, exceeded: false })
      expect(yield* spendAddress(unstorable, 2)).toMatchObject({ remaining: 0, exceeded: false })
      expect(yield* spendAddress(unstorable, 2)).toMatchObject({ exceeded: true })
    }).pipe(Effect.provide(replica))
  )

  it.effect(
    "an address that has used up its window is refused without a statement until the window ends",
    () =>
      Effect.gen(function* () {
        const sql = yield* ControlSql
        const { exhaustedAddress, spendAddress } = Context.get(yield* Layer.build(replica), RateLimits)
        const counted = sql`SELECT requests FROM rate_limits WHERE subject = 'address 192.0.2.7'`
        const nowMs = yield* Clock.currentTimeMillis
        for (const exceeded of [false, false, true, true, true]) {
          expect(exhaustedAddress("192.0.2.8", 2, nowMs)).toBeNull()
          expect(yield* spendAddress("192.0.2.7", 2)).toMatchObject({ exceeded })
        }
        expect(exhaustedAddress("192.0.2.7", 2, nowMs)).toMatchObject({ remaining: 0, exceeded: true })
        expect(yield* counted).toEqual([{ requests: 3 }])
        expect(exhaustedAddress("192.0.2.7", 2, nowMs + rateWindowMs)).toBeNull()
      }).pipe(Effect.scoped, Effect.provideService(Clock.Clock, stopped))
  )

  it.effect("windows that are over are deleted", () =>
    Effect.gen(function* () {
      const sql = yield* ControlSql
      yield* sql`INSERT INTO rate_limits VALUES (60000, 'key long ago', 1)`
      const { spendKey } = Context.get(yield* Layer.build(replica), RateLimits)
      yield* spendKey("now", 5)
      const left = sql`SELECT 1 FROM rate_limits WHERE window_ms = 60000`
      yield* Effect.repeat(left, {
        until: (rows) => rows.length === 0,
        schedule: Schedule.spaced(20),
        times: 100
      })
      expect(yield* left).toEqual([])
      expect(yield* sql`SELECT subject FROM rate_limits WHERE subject = 'key now'`).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})
