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

/** Expiry is judged at every request, so that no cache prolongs a key. */
const judge = (found: Option.Option<FoundKey>): Effect.Effect<Caller, InvalidApiKey | SandboxExpired> => {
  if (Option.isNone(found) || found.value.revokedAt !== null) return Effect.fail(new InvalidApiKey())
  const { caller, expiresAt } = found.value
  if (expiresAt === null) return Effect.succeed(caller)
  return Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
    if (nowMs < expiresAt.getTime()) return Effect.succeed(caller)
    return Effect.fail(caller.mode === "test" ? new SandboxExpired() : new InvalidApiKey())
  })
}

export class Authenticate extends Context.Service<
  Authenticate,
  {
    /** `rawHeaders` alternates names and values, as Node received them. */
    readonly caller: (
      rawHeaders: ReadonlyArray<string>
    ) => Effect.Effect<Caller, MissingApiKey | InvalidApiKey | SandboxExpired | AssessmentUnavailable>
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
      const cached = yield* makeKeyCache(lookup, isWellFormed)

      return Authenticate.of({
        caller: (rawHeaders) => {
          const key = readBearer(rawHeaders)
          return Result.isFailure(key) ? Effect.fail(key.failure) : Effect.flatMap(cached(key.success), judge)
        }
      })
    })
  )
}
