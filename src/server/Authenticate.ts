/** Who asks: from the headers of a request to the caller that its key stands for. */

import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { AssessmentUnavailable, InvalidApiKey, type MissingApiKey, SandboxExpired } from "../api/Failures.ts"
import { isWellFormed } from "../domain/ApiKey.ts"
import type { Caller } from "../domain/Caller.ts"
import { ApiKeys } from "../storage/ApiKeys.ts"
import { describeCause } from "../storage/describeCause.ts"
import { KeyHasher } from "../storage/KeyHasher.ts"
import { makeKeyCache } from "./authenticate/KeyCache.ts"
import { readBearer } from "./authenticate/readBearer.ts"

interface FoundKey {
  readonly caller: Caller
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

export type Unauthenticated = MissingApiKey | InvalidApiKey | SandboxExpired

/** Expiry is judged at every request, so that no cache prolongs a key. */
const judge = (
  found: Option.Option<FoundKey>,
  nowMs: number
): Result.Result<Caller, InvalidApiKey | SandboxExpired> => {
  if (Option.isNone(found) || found.value.revokedAt !== null) return Result.fail(new InvalidApiKey())
  const { caller, expiresAt } = found.value
  if (expiresAt === null || nowMs < expiresAt.getTime()) return Result.succeed(caller)
  return Result.fail(caller.mode === "test" ? new SandboxExpired() : new InvalidApiKey())
}

export class Authenticate extends Context.Service<
  Authenticate,
  {
    /** `rawHeaders` alternates names and values, as Node received them. */
    readonly caller: (
      rawHeaders: ReadonlyArray<string>
    ) => Effect.Effect<Caller, Unauthenticated | AssessmentUnavailable>
    /** The same without a wait, of a key that was looked up just now; null: only `caller` can tell. */
    readonly remembered: (
      rawHeaders: ReadonlyArray<string>,
      nowMs: number
    ) => Result.Result<Caller, Unauthenticated> | null
  }
>()("action-risk/server/Authenticate") {
  static readonly layer = Layer.effect(
    Authenticate,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const hasher = yield* KeyHasher

      /** Newest pepper first: while one is rotated, most keys are found by it. */
      const lookup = Effect.fn("Authenticate.lookup")(
        function* (key: string) {
          for (const hash of hasher.hashes(key)) {
            const found = yield* keys.findByHash(hash)
            if (Option.isSome(found)) return found
          }
          return Option.none<FoundKey>()
        },
        // Invariant: a database that is away is never told as a wrong key.
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logError("a key could not be looked up", describeCause(cause)),
            Effect.fail(new AssessmentUnavailable())
          )
        )
      )
      // The checksum refuses what was never a key of ours without touching the database.
      const cache = yield* makeKeyCache(lookup, isWellFormed)

      return Authenticate.of({
        caller: (rawHeaders) => {
          const key = readBearer(rawHeaders)
          if (Result.isFailure(key)) return Effect.fail(key.failure)
          return Effect.flatMap(cache.get(key.success), (found) =>
            Clock.clockWith((clock) => Effect.fromResult(judge(found, clock.currentTimeMillisUnsafe())))
          )
        },
        remembered: (rawHeaders, nowMs) => {
          const key = readBearer(rawHeaders)
          if (Result.isFailure(key)) return Result.fail(key.failure)
          const found = cache.remembered(key.success, nowMs)
          return found === null ? null : judge(found, nowMs)
        }
      })
    })
  )
}
