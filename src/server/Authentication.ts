/** Authentication: turns the headers of a request into the caller of its API key, with a short-lived cache of key look-ups. */

import { setBounded } from "../boundedMap.ts"
import { Clock, Context, Deferred, Effect, Exit, Layer, Option, Result, type Scope } from "effect"
import {
  AssessmentUnavailable,
  InvalidApiKey,
  MissingApiKey,
  type RateLimited,
  SandboxExpired
} from "../api/Failures.ts"
import { isWellFormed } from "../domain/ApiKey.ts"
import type { Caller } from "../domain/Caller.ts"
import { makeEvenShare } from "../evenShare.ts"
import { keyCacheMax, keyCacheMs, keyLookupsMax } from "../limits.ts"
import { ApiKeys, type FoundKey, KeyHasher } from "../storage/ApiKeys.ts"
import { makeFaultLog } from "../storage/storageErrors.ts"
import { monotonicMs } from "../storage/timeouts.ts"
import { overloaded } from "./concurrency.ts"

type Unauthenticated = MissingApiKey | InvalidApiKey | SandboxExpired

/** Checks the expiry at every request, so that the cache does not extend the life of a key. */
export const checkKey = (
  found: Option.Option<FoundKey>,
  nowMs: number
): Result.Result<Caller, InvalidApiKey | SandboxExpired> => {
  if (Option.isNone(found) || found.value.revokedAt !== null) return Result.fail(new InvalidApiKey())
  const { caller, expiresAt } = found.value
  if (expiresAt === null || nowMs < expiresAt.getTime()) return Result.succeed(caller)
  return Result.fail(caller.mode === "test" ? new SandboxExpired() : new InvalidApiKey())
}

export class Authentication extends Context.Service<
  Authentication,
  {
    /** `rawHeaders`: alternating names and values, as received by Node. */
    readonly caller: (
      rawHeaders: ReadonlyArray<string>,
      client: LookupClient
    ) => Effect.Effect<Caller, Unauthenticated | RateLimited | AssessmentUnavailable>
    /** The same without waiting, for a key in the cache; null if only `caller` can tell. */
    readonly cachedCaller: (
      rawHeaders: ReadonlyArray<string>
    ) => Result.Result<Caller, Unauthenticated> | null
  }
>()("action-risk/server/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const hasher = yield* KeyHasher
      const clock = yield* Clock.Clock
      const logFault = makeFaultLog(Effect.logError)

      /** Tries the newest pepper first, because during a rotation most keys are found with it. */
      const lookup = Effect.fn("Authenticate.lookup")(
        function* (key: string) {
          for (const hash of hasher.hashes(key)) {
            const found = yield* keys.findByHash(hash)
            if (Option.isSome(found)) return found
          }
          return Option.none<FoundKey>()
        },
        // Invariant: a database failure is never reported as an invalid key.
        Effect.catchCause((cause) =>
          Effect.andThen(
            logFault("a key could not be looked up", cause),
            Effect.fail(new AssessmentUnavailable())
          )
        )
      )
      const cache = yield* makeKeyCache(lookup, {
        // The checksum rejects, without a query, text that was never a key of this service.
        mayBeKey: isWellFormed,
        isValid: ({ revokedAt }) => revokedAt === null
      })

      return Authentication.of({
        caller: (rawHeaders, client) => {
          const key = readBearer(rawHeaders)
          if (Result.isFailure(key)) return Effect.fail(key.failure)
          return Effect.flatMap(cache.get(key.success, client), (found) =>
            Effect.fromResult(checkKey(found, clock.currentTimeMillisUnsafe()))
          )
        },
        cachedCaller: (rawHeaders) => {
          const key = readBearer(rawHeaders)
          if (Result.isFailure(key)) return Result.fail(key.failure)
          const found = cache.cached(key.success)
          return found === null ? null : checkKey(found, clock.currentTimeMillisUnsafe())
        }
      })
    })
  )
}

export interface LookupClient {
  /** Addresses share look-ups evenly. */
  readonly address: string
  /** Checked before looking up a key that this process does not know as valid; null if the request may do so. */
  readonly refusal: () => Effect.Effect<never, RateLimited> | null
}

interface Entry<A> {
  readonly found: Option.Option<A>
  /** By the clock of `monotonicMs`: with a wall clock that is set back, a revoked key would stay valid. */
  readonly untilMs: number
}

interface KeyCache<A, E> {
  readonly get: (
    key: string,
    client: LookupClient
  ) => Effect.Effect<Option.Option<A>, E | RateLimited | AssessmentUnavailable>
  /** The cached result of a look-up, None for an unknown key; null if the cache has no recent entry. */
  readonly cached: (key: string) => Option.Option<A> | null
}

interface KeyCacheOptions<A> {
  /** Text that cannot be a key is not looked up. */
  readonly mayBeKey: (key: string) => boolean
  readonly isValid: (found: A) => boolean
}

/**
 * A cache of key look-ups, for `keyCacheMs` and at most `keyCacheMax` keys of each kind; concurrent look-ups of one key share a query.
 * Anyone can send keys that do not exist. So unknown keys have a separate cache, in which they cannot displace a valid key, and at most
 * `keyLookupsMax` of them are looked up at once, shared evenly between addresses. Looking up a key that was valid before needs no share. A
 * failed look-up is not cached. Not Effect's `Cache`: it has one limit for all keys, and forgets that a key was valid when the entry
 * expires.
 */
export const makeKeyCache = <A, E>(
  lookup: (key: string) => Effect.Effect<Option.Option<A>, E>,
  { isValid, mayBeKey }: KeyCacheOptions<A>
): Effect.Effect<KeyCache<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const clock = yield* Clock.Clock
    const valid = new Map<string, Entry<A>>()
    const others = new Map<string, Entry<A>>()
    const pending = new Map<string, Deferred.Deferred<Option.Option<A>, E>>()
    const lookups = makeEvenShare(keyLookupsMax)

    const store = (key: string, found: Option.Option<A>, untilMs: number) => {
      const [of, not] = Option.exists(found, isValid) ? [valid, others] : [others, valid]
      not.delete(key)
      setBounded(of, keyCacheMax, key, { found, untilMs })
    }

    const start = (key: string, onEnd: () => void = () => undefined) => {
      const startedAtMs = monotonicMs(clock)
      const waiting = Deferred.makeUnsafe<Option.Option<A>, E>()
      pending.set(key, waiting)
      const done = (exit: Exit.Exit<Option.Option<A>, E>) =>
        Effect.sync(() => {
          pending.delete(key)
          onEnd()
          // The age counts from the start of the look-up.
          if (Exit.isSuccess(exit)) store(key, exit.value, startedAtMs + keyCacheMs)
          Deferred.doneUnsafe(waiting, exit)
        })
      // Runs in the cache's scope: if one client leaves, the clients that share the look-up still need its result.
      const detached = lookup(key).pipe(Effect.onExit(done), Effect.forkIn(scope))
      return Effect.andThen(detached, Deferred.await(waiting))
    }

    const cached = (key: string): Option.Option<A> | null => {
      const entry = valid.get(key) ?? others.get(key)
      return entry !== undefined && monotonicMs(clock) < entry.untilMs ? entry.found : null
    }

    const get: KeyCache<A, E>["get"] = (key, { address, refusal }) =>
      Effect.suspend((): ReturnType<KeyCache<A, E>["get"]> => {
        const found = cached(key)
        if (found !== null) return Effect.succeed(found)
        others.delete(key)
        if (!mayBeKey(key)) return Effect.succeed(Option.none())
        const waiting = pending.get(key)
        if (waiting !== undefined) return Deferred.await(waiting)
        if (valid.get(key) !== undefined) return start(key)
        const refused = refusal()
        if (refused !== null) return refused
        if (!lookups.take(address)) return Effect.fail(overloaded())
        return start(key, () => lookups.release(address))
      })

    return { get, cached }
  })

const authorization = "authorization"

/**
 * The bearer token of a request, read from its raw headers, because Node hides a repeated Authorization header. `rawHeaders`: alternating
 * names and values, as received by Node.
 */
export const readBearer = (
  rawHeaders: ReadonlyArray<string>
): Result.Result<string, MissingApiKey | InvalidApiKey> => {
  let credentialsHeader: string | null = null
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ""
    if (name.length !== authorization.length || name.toLowerCase() !== authorization) continue
    // If there are two credentials, a proxy may have checked the other one.
    if (credentialsHeader !== null) return Result.fail(new InvalidApiKey())
    credentialsHeader = rawHeaders[i + 1] ?? ""
  }
  const credentials = withoutSpaces(credentialsHeader ?? "")
  const scheme = credentials.slice(0, bearer.length).toLowerCase()
  const token = withoutSpaces(credentials.slice(bearer.length))
  // RFC 6750 2.1: one or more spaces. Parsers disagree on other separators, so a proxy could read a different token.
  return scheme === bearer && credentials[bearer.length] === " " && token !== ""
    ? Result.succeed(token)
    : Result.fail(new MissingApiKey())
}

const bearer = "bearer"

/** Not a regular expression, which could backtrack: any client may send this header before a rate limit counts it. */
const withoutSpaces = (text: string): string => {
  let [from, to] = [0, text.length]
  while (text[from] === " ") from++
  while (to > from && text[to - 1] === " ") to--
  return text.slice(from, to)
}
