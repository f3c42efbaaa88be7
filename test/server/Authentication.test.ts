/** Authentication: what counts as a key, which keys are looked up, and how long the cache holds a result. */

import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/api/Failures.ts"
import { keyCacheMax, keyCacheMs, keyLookupsMax } from "../../src/limits.ts"
import { Authentication, makeKeyCache, readBearer } from "../../src/server/Authentication.ts"
import { overloadFailure } from "../../src/server/concurrency.ts"
import { ApiKeys, type FoundKey, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { keys, knownKeys } from "../support/TestServer.ts"
import { withSettableClock } from "../support/settableClock.ts"

const unused = () => Effect.die(new Error("not part of this test"))

/** The rows can change under the service, as an operator changes them. */
const authenticating = (rows: Map<string, FoundKey>, asked: Array<string>, away = { now: false }) =>
  Authentication.layer.pipe(
    Layer.provide([
      Layer.succeed(ApiKeys, {
        create: unused,
        list: unused,
        revoke: unused,
        count: Effect.succeed(0),
        findByHash: (hash) =>
          Effect.suspend(() => {
            asked.push(Buffer.from(hash).toString())
            return away.now
              ? Effect.die(new Error("away"))
              : Effect.succeed(Option.fromUndefinedOr(rows.get(asked.at(-1) ?? "")))
          })
      }),
      Layer.succeed(KeyHasher, { hashes: (key) => [Buffer.from(`new ${key}`), Buffer.from(`old ${key}`)] }),
      Logger.layer([])
    ])
  )

/** The address of the request has not used up its window. */
const unlimited = { address: "192.0.2.1", refusal: () => null }
const exhausted = { ...unlimited, refusal: () => Effect.fail(new RateLimited({ retryAfterSeconds: 1 })) }

const bearer = (key: string) => ["Host", "x", "AUTHORIZATION", `Bearer ${key}`]

const known = (name: keyof typeof keys, pepper = "new"): Map<string, FoundKey> => {
  const found = knownKeys.get(keys[name])
  return new Map(found === undefined ? [] : [[`${pepper} ${keys[name]}`, found]])
}

describe("Authentication", () => {
  it.effect("a wrong checksum, a wrong length and a wrong alphabet cause no lookup", () => {
    const asked: Array<string> = []
    return Effect.gen(function* () {
      const { caller } = yield* Authentication
      const last = keys.test.at(-1) === "0" ? "1" : "0"
      for (const key of [
        "x",
        keys.test.slice(1),
        keys.test.slice(0, -1) + last,
        `${keys.test}0`,
        keys.test.replace("svc_test", "svc_live")
      ]) {
        expect(yield* Effect.flip(caller(bearer(key), unlimited))).toMatchObject({ code: "INVALID_API_KEY" })
      }
      expect(asked).toEqual([])
    }).pipe(Effect.provide(authenticating(known("test"), asked)))
  })

  it.effect("a key is found with any pepper, and the newest is tried first", () => {
    const asked: Array<string> = []
    return Effect.gen(function* () {
      const { caller } = yield* Authentication
      expect(yield* caller(bearer(keys.test), unlimited)).toMatchObject({ keyId: "test", mode: "test" })
      expect(asked).toEqual([`new ${keys.test}`, `old ${keys.test}`])
    }).pipe(Effect.provide(authenticating(known("test", "old"), asked)))
  })

  it.effect("a revocation takes effect within five seconds, and until then causes no lookup", () => {
    const rows = known("test")
    const asked: Array<string> = []
    return Effect.gen(function* () {
      const { caller } = yield* Authentication
      yield* caller(bearer(keys.test), unlimited)
      rows.set(`new ${keys.test}`, {
        caller: yield* caller(bearer(keys.test), unlimited),
        expiresAt: null,
        revokedAt: new Date(0)
      })
      yield* TestClock.adjust(keyCacheMs - 1)
      yield* caller(bearer(keys.test), unlimited)
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(caller(bearer(keys.test), unlimited))).toMatchObject({
        code: "INVALID_API_KEY"
      })
      expect(asked).toHaveLength(2)
      expect(keyCacheMs).toBeLessThanOrEqual(5_000)
    }).pipe(Effect.provide(authenticating(rows, asked)))
  })

  it.effect("a revocation takes effect within five seconds when the machine's clock is set back", () => {
    const rows = known("test")
    return withSettableClock((setBack) =>
      Effect.gen(function* () {
        const { cachedCaller, caller } = yield* Authentication
        const valid = yield* caller(bearer(keys.test), unlimited)
        rows.set(`new ${keys.test}`, { caller: valid, expiresAt: null, revokedAt: new Date(0) })
        yield* setBack(600_000)
        yield* TestClock.adjust(keyCacheMs)
        expect(cachedCaller(bearer(keys.test))).toBeNull()
        expect(yield* Effect.flip(caller(bearer(keys.test), unlimited))).toMatchObject({
          code: "INVALID_API_KEY"
        })
      }).pipe(Effect.provide(authenticating(rows, [])))
    )
  })

  it.effect("an expiry takes effect at its moment, also for a cached key", () => {
    const rows = known("test")
    return Effect.gen(function* () {
      const { caller } = yield* Authentication
      yield* TestClock.setTime(1_000)
      const found = rows.get(`new ${keys.test}`)
      if (found !== undefined) rows.set(`new ${keys.test}`, { ...found, expiresAt: new Date(2_000) })
      yield* caller(bearer(keys.test), unlimited)
      yield* TestClock.setTime(1_999)
      yield* caller(bearer(keys.test), unlimited)
      yield* TestClock.setTime(2_000)
      expect(yield* Effect.flip(caller(bearer(keys.test), unlimited))).toMatchObject({
        code: "SANDBOX_EXPIRED"
      })
    }).pipe(Effect.provide(authenticating(rows, [])))
  })

  it.effect("unknown, malformed, revoked and expired live keys get the same failure", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-20T00:00:00Z"))
      const { caller } = yield* Authentication
      const failures = yield* Effect.forEach(
        [keys.unknown, "svc_test_x", keys.revoked, keys.expiredLive],
        (key) => Effect.flip(caller(bearer(key), unlimited))
      )
      expect(new Set(failures.map((failure) => `${failure.code} ${failure.message}`)).size).toBe(1)
    }).pipe(Effect.provide(authenticating(new Map([...known("revoked"), ...known("expiredLive")]), [])))
  )

  it.effect("a database failure is 503, is not cached, and recovers by itself", () => {
    const away = { now: true }
    return Effect.gen(function* () {
      const { caller } = yield* Authentication
      expect(yield* Effect.flip(caller(bearer(keys.test), unlimited))).toMatchObject({
        code: "ASSESSMENT_UNAVAILABLE"
      })
      away.now = false
      expect(yield* caller(bearer(keys.test), unlimited)).toMatchObject({ keyId: "test" })
    }).pipe(Effect.provide(authenticating(known("test"), [], away)))
  })
})

const anyKey = { mayBeKey: () => true, isValid: () => true }

/** Accepts every key that begins with `known` until the test revokes it. */
const knowing = (asked: Array<string>, revoked = { now: false }) =>
  makeKeyCache(
    (key) =>
      Effect.sync(() => {
        asked.push(key)
        return key.startsWith("known") ? Option.some({ revoked: revoked.now }) : Option.none()
      }),
    { mayBeKey: () => true, isValid: (found) => !found.revoked }
  )

describe("the key cache", () => {
  it.effect("looks up a key once for concurrent requests, also when the first of them leaves", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<Option.Option<string>>()
      let asked = 0
      const { get } = yield* makeKeyCache(() => {
        asked++
        return Deferred.await(answer)
      }, anyKey)
      const first = yield* Effect.forkChild(get("key", unlimited))
      const others = yield* Effect.forkChild(
        Effect.all([get("key", unlimited), get("key", unlimited)], { concurrency: 2 })
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(answer, Option.some("caller"))
      expect(yield* Fiber.join(others)).toEqual([Option.some("caller"), Option.some("caller")])
      expect(asked).toBe(1)
    })
  )

  it.effect("keeps a bounded number of keys", () =>
    Effect.gen(function* () {
      let asked = 0
      const { get } = yield* makeKeyCache(() => Effect.sync(() => Option.some(asked++)), anyKey)
      for (let i = 0; i <= keyCacheMax; i++) yield* get(`key ${i}`, unlimited)
      expect(asked).toBe(keyCacheMax + 1)
      yield* get(`key ${keyCacheMax}`, unlimited)
      expect(asked).toBe(keyCacheMax + 1)
      yield* get("key 0", unlimited)
      expect(asked).toBe(keyCacheMax + 2)
    })
  )

  it.effect("keeps valid keys, however many unknown ones are asked for", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const { cached, get } = yield* knowing(asked)
      yield* get("known", unlimited)
      for (let i = 0; i <= keyCacheMax; i++) yield* get(`unknown ${i}`, unlimited)
      expect(Option.isSome(cached("known") ?? Option.none())).toBe(true)
    })
  )

  it.effect(
    "looks up no unknown key for an exhausted address, but a known one again, until it is revoked",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const revoked = { now: false }
        const { get } = yield* knowing(asked, revoked)
        expect(yield* Effect.flip(get("known", exhausted))).toMatchObject({ code: "RATE_LIMITED" })
        expect(asked).toEqual([])
        yield* get("known", unlimited)
        yield* TestClock.adjust(keyCacheMs)
        revoked.now = true
        expect(yield* get("known", exhausted)).toEqual(Option.some({ revoked: true }))
        yield* TestClock.adjust(keyCacheMs)
        expect(yield* Effect.flip(get("known", exhausted))).toMatchObject({ code: "RATE_LIMITED" })
        expect(asked).toEqual(["known", "known"])
      })
  )

  it.effect("forgets within seconds that a key was unknown, so that a new key works", () =>
    Effect.gen(function* () {
      let made = false
      const { get } = yield* makeKeyCache(
        () => Effect.sync(() => (made ? Option.some("caller") : Option.none())),
        anyKey
      )
      yield* get("key", unlimited)
      made = true
      yield* TestClock.adjust(keyCacheMs)
      expect(yield* get("key", unlimited)).toEqual(Option.some("caller"))
    })
  )

  it.effect(
    "refuses look-ups of unknown keys beyond a number in progress, none of a known key, and none of another address",
    () =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<Option.Option<string>>()
        const { get } = yield* makeKeyCache(
          (key) => (key === "known" ? Effect.succeed(Option.some("caller")) : Deferred.await(answer)),
          anyKey
        )
        yield* get("known", unlimited)
        yield* TestClock.adjust(keyCacheMs)
        const waiting = yield* Effect.forEach(Array.from({ length: keyLookupsMax }), (_, i) =>
          Effect.forkChild(get(`unknown ${i}`, unlimited), { startImmediately: true })
        )
        expect(yield* Effect.flip(get("one more", unlimited))).toBe(overloadFailure)
        expect(yield* get("known", unlimited)).toEqual(Option.some("caller"))
        const elsewhere = yield* Effect.forkChild(get("mine", { ...unlimited, address: "198.51.100.1" }), {
          startImmediately: true
        })
        expect(elsewhere.pollUnsafe()).toBe(undefined)
        yield* Deferred.succeed(answer, Option.none())
        yield* Effect.forEach([...waiting, elsewhere], Fiber.join)
        expect(yield* get("one more", unlimited)).toEqual(Option.none())
      })
  )
})

const read = (value: string) => Result.getOrElse(readBearer(["Authorization", value]), ({ code }) => code)

describe("readBearer", () => {
  it.each([
    ["Bearer svc_test_x", "svc_test_x"],
    ["bEaReR   svc_test_x ", "svc_test_x"],
    ["Bearer\tsvc_test_x", "MISSING_API_KEY"],
    ["Bearer\u00a0svc_test_x", "MISSING_API_KEY"],
    ["Bearer,svc_test_x", "MISSING_API_KEY"],
    ["\u00a0Bearer svc_test_x", "MISSING_API_KEY"],
    ["Bearer svc_test_x\u00a0", "svc_test_x\u00a0"],
    ["Bearer", "MISSING_API_KEY"],
    ["Bearer   ", "MISSING_API_KEY"],
    ["Basic svc_test_x", "MISSING_API_KEY"],
    ["", "MISSING_API_KEY"]
  ])("reads `%s` as %s", (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it("takes time in proportion to the header's length, not to its square", () => {
    const hostile = `Bearer a${" ".repeat(16_000)}b c`
    const startedAtMs = performance.now()
    for (let i = 0; i < 200; i++) read(hostile)
    // A pattern that backtracks needs 300 ms for one of these.
    expect(performance.now() - startedAtMs).toBeLessThan(2_000)
  })
})
