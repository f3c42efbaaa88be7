/**
 * A real process under three times the load that it can handle: it still does most of what it can, for every caller.
 *
 * Its capacity is measured with the same callers: two thirds of the flood are sent meanwhile to a stand-in, which
 * refuses for the least that refusing costs. The generator has a part of the machine, and sending a refusal costs the kernel
 * the same whether or not the service decides on it; without them the comparison would be one of numbers of cores.
 */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { serving } from "../support/actionRisk.ts"
import { long, scaled } from "../support/depth.ts"
import { newKey, newOrganization } from "../support/fullService.ts"
import type { Asking, Told } from "../support/overload/Asking.ts"
import { generate, quantile } from "../support/overload/generate.ts"
import { startRefuser } from "../support/overload/refuser.ts"

const seconds = scaled(2, 60)
const measuredSeconds = scaled(1, 15)
/** Requests like those of the benches. */
const atOnce = 64
/** Requests of the neighbour during the flood. */
const fewPerSecond = 20

const pepper = "a pepper of this test"
const accounts = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(KeyHasher.layer),
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] })),
  Layer.provideMerge(TestDatabase.layer)
)

const started = Effect.gen(function* () {
  const url = Redacted.value((yield* Database).url)
  const keys = [
    yield* newKey(yield* newOrganization("flood")),
    yield* newKey(yield* newOrganization("small"))
  ]
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      serving({
        env: { DATABASE_URL: url, KEY_PEPPER: pepper, RATE_LIMIT_TEST: "10000000", LOG_LEVEL: "error" }
      })
    ),
    (server) => Effect.sync(() => server.signal("SIGKILL"))
  )
  return { url: server.url, flood: keys[0] ?? "", small: keys[1] ?? "" }
})

const ask = (flows: Asking["flows"]) => Effect.promise(() => generate({ flows }))

const perSecond = (told: Told | undefined) => (told?.answered.length ?? 0) / measuredSeconds

const msOf = (told: ReadonlyArray<readonly [number, number]>) => told.map(([, ms]) => ms)

/** Every request has an answer, and each is 200 or a refusal in the envelope. */
const expectAnswered = ({ answered, asked, otherwise, refused, unanswered }: Told) => {
  expect(otherwise).toEqual([])
  expect(unanswered).toBe(0)
  expect(answered.length + refused.length).toBe(asked)
}

describe(
  "a service that is asked for three times what it can do",
  { timeout: 60_000 + seconds * 3_000 },
  () => {
    it.live("continues to do it, refuses the rest at once, starves no one, and recovers immediately", () =>
      Effect.gen(function* () {
        const { flood, small, url } = yield* started
        const steady = { url, key: flood, seconds: measuredSeconds, perSecond: null, atOnce }
        yield* ask([{ ...steady, seconds: scaled(0.5, 1) }])
        const [alone] = yield* ask([steady])
        const aloneCapacity = perSecond(alone)
        const refuser = yield* Effect.acquireDisposable(Effect.promise(startRefuser))
        const surplus = { ...steady, url: refuser.url, perSecond: 2 * aloneCapacity }
        const [most] = yield* ask([steady, surplus])
        const capacity = perSecond(most)

        const [flooding, neighbour] = yield* ask([
          { url, key: flood, seconds, perSecond: 3 * aloneCapacity, atOnce: 0 },
          { url, key: small, seconds, perSecond: fewPerSecond, atOnce: 0 }
        ])
        const [after] = yield* ask([
          { url, key: flood, seconds: scaled(1, 5), perSecond: Math.max(5, capacity / 4), atOnce: 0 }
        ])
        if (!most || !flooding || !neighbour || !after) throw new Error("nothing told")
        const inTime = flooding.answered.filter(([atMs]) => atMs <= seconds * 1_000).length
        const goodput = (inTime + neighbour.answered.length) / seconds / capacity
        const figures = {
          aloneCapacity,
          capacity,
          goodput,
          refusedMs: [0.5, 0.99].map((share) => quantile(msOf(flooding.refused), share)),
          answeredMs: [0.5, 0.99].map((share) => quantile(msOf(flooding.answered), share)),
          neighbourMs: [0.5, 0.99].map((share) => quantile(msOf(neighbour.answered), share)),
          incomplete: flooding.incomplete / flooding.answered.length,
          afterMs: quantile(msOf(after.answered), 0.99)
        }
        console.info(JSON.stringify(figures))
        expectAnswered(flooding)
        expectAnswered(neighbour)
        expectAnswered(after)
        for (const { answered } of [flooding, neighbour, after]) expect(answered.length).toBeGreaterThan(0)
        // Next to other tests these figures show the speed of the machine, not of the service.
        if (!long) return
        expect(flooding.refused.length).toBeGreaterThan(0)
        expect(neighbour.refused).toEqual([])
        expect(after.refused).toEqual([])
        expect(goodput).toBeGreaterThan(0.8)
        expect(figures.refusedMs[1]).toBeLessThan(100)
        expect(after.incomplete).toBe(0)
      }).pipe(Effect.provide(accounts), Effect.scoped)
    )
  }
)
