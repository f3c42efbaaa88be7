/** How many requests each subject made in the current window, aligned to the clock; one count for all replicas. */

import { Clock, Context, Effect, Layer } from "effect"
import { rateWindowMs } from "../Limits.ts"
import { describeCause } from "./describeCause.ts"
import type { Count, CountHere, RateLimitsAway } from "./rateLimits/Count.ts"
import { countInMemory } from "./rateLimits/countInMemory.ts"
import { countInPostgres } from "./rateLimits/countInPostgres.ts"

/** What the rate limit headers say after a request. */
export interface RateWindow {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds: the end of the window. */
  readonly resetSeconds: number
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number
  /** This request was over the limit. */
  readonly exceeded: boolean
}

const startOf = (nowMs: number): number => Math.floor(nowMs / rateWindowMs) * rateWindowMs

export const windowAt = (nowMs: number, limit: number, count: number): RateWindow => {
  const endMs = startOf(nowMs) + rateWindowMs
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: endMs / 1000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    exceeded: count > limit
  }
}

const spending =
  (count: Count) =>
  (subject: string, limit: number): Effect.Effect<RateWindow, RateLimitsAway> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.map(count(subject, startOf(nowMs)), (counted) => windowAt(nowMs, limit, counted))
    )

const spendingHere =
  (count: CountHere) =>
  (subject: string, limit: number, nowMs: number): RateWindow =>
    windowAt(nowMs, limit, count(subject, startOf(nowMs)))

const whenever =
  (spend: ReturnType<typeof spendingHere>) =>
  (subject: string, limit: number): Effect.Effect<RateWindow> =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => spend(subject, limit, nowMs))

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends one request of a key, whose window admits `limit`. */
    readonly spendKey: (keyId: string, limit: number) => Effect.Effect<RateWindow, RateLimitsAway>
    /** Spends one request of a key that is refused anyway: counted like any other, but no store is waited for. */
    readonly spendRefused: (keyId: string, limit: number, nowMs: number) => RateWindow
    /** Spends one request of a client that showed no valid key. */
    readonly spendAddress: (address: string, limit: number) => Effect.Effect<RateWindow, RateLimitsAway>
  }
>()("action-risk/storage/RateLimits") {
  // Two counters: however many addresses come, they never crowd out a key.
  static readonly layerMemory = Layer.sync(RateLimits, () => {
    const spendRefused = spendingHere(countInMemory())
    return {
      spendKey: whenever(spendRefused),
      spendRefused,
      spendAddress: whenever(spendingHere(countInMemory()))
    }
  })

  static readonly layerPostgres = Layer.effect(
    RateLimits,
    Effect.map(countInPostgres, ({ count, countRefused }) => {
      const spend = spending(count)
      const spendRefused = spendingHere(countRefused)
      const spendHere = whenever(spendingHere(countInMemory()))
      return {
        spendKey: (keyId, limit) => spend(`key ${keyId}`, limit),
        spendRefused: (keyId, limit, nowMs) => spendRefused(`key ${keyId}`, limit, nowMs),
        // Spec 4.4: the status is told whatever the health. Without the store each process counts addresses for itself,
        // so that what needs no key is still answered, and still limited.
        spendAddress: (address, limit) =>
          Effect.catchTag(spend(`address ${address}`, limit), "RateLimitsAway", ({ cause }) =>
            Effect.andThen(
              Effect.logWarning("addresses are counted by this process alone", describeCause(cause)),
              spendHere(address, limit)
            )
          )
      }
    })
  )
}
