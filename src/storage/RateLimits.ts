/** How many requests each subject made in the current window, aligned to the clock; one count for all replicas. */

import { Clock, Context, Effect, Layer } from "effect"
import { rateWindowMs } from "../Limits.ts"
import { describeCause } from "./describeCause.ts"
import type { Count, RateLimitsAway } from "./rateLimits/Count.ts"
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

export const windowAt = (nowMs: number, limit: number, count: number): RateWindow => {
  const endMs = Math.floor(nowMs / rateWindowMs) * rateWindowMs + rateWindowMs
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: endMs / 1000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    exceeded: count > limit
  }
}

const spending =
  <E>(count: Count<E>) =>
  (subject: string, limit: number): Effect.Effect<RateWindow, E> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const windowMs = Math.floor(nowMs / rateWindowMs) * rateWindowMs
      return Effect.map(count(subject, windowMs), (counted) => windowAt(nowMs, limit, counted))
    })

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends one request of a key, whose window admits `limit`. */
    readonly spendKey: (keyId: string, limit: number) => Effect.Effect<RateWindow, RateLimitsAway>
    /** Spends one request of a key that is refused anyway: counted like any other, but no store is waited for. */
    readonly spendRefused: (keyId: string, limit: number) => Effect.Effect<RateWindow>
    /** Spends one request of a client that showed no valid key. */
    readonly spendAddress: (address: string, limit: number) => Effect.Effect<RateWindow, RateLimitsAway>
  }
>()("action-risk/storage/RateLimits") {
  // Two counters: however many addresses come, they never crowd out a key.
  static readonly layerMemory = Layer.sync(RateLimits, () => {
    const spendKey = spending(countInMemory())
    return { spendKey, spendRefused: spendKey, spendAddress: spending(countInMemory()) }
  })

  static readonly layerPostgres = Layer.effect(
    RateLimits,
    Effect.map(countInPostgres, ({ count, countRefused }) => {
      const spend = spending(count)
      const spendRefused = spending(countRefused)
      const spendHere = spending(countInMemory())
      return {
        spendKey: (keyId, limit) => spend(`key ${keyId}`, limit),
        spendRefused: (keyId, limit) => spendRefused(`key ${keyId}`, limit),
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
