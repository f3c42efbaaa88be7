/** Sign-in to the console: exchanges a key or a link for a session. The session can do everything that the key can, as long as the key is valid. */

import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { randomBytes } from "node:crypto"
import {
  AssessmentUnavailable,
  InsufficientScope,
  InvalidApiKey,
  type RateLimited,
  type SandboxExpired
} from "../api/Failures.ts"
import { isWellFormed } from "../domain/ApiKey.ts"
import type { Caller, Mode, Scope } from "../domain/Caller.ts"
import { consoleSessionHours } from "../limits.ts"
import { checkKey, type LookupClient, makeKeyCache } from "../server/Authentication.ts"
import { ApiKeys, type FoundKey, KeyHasher } from "../storage/ApiKeys.ts"
import { ConsoleSessions } from "../storage/ConsoleSessions.ts"
import { type Organization, Organizations } from "../storage/Organizations.ts"
import { makeFaultLog } from "../storage/storageErrors.ts"

/** A new session. Its token goes into a cookie and is stored only as a hash. */
export interface NewSession {
  readonly token: string
  readonly caller: Caller
}

/** The hash includes the purpose, so that a link's secret never works as a session's token. */
type Purpose = "session" | "link"

/** 32 random bytes. */
const newToken = (): string => randomBytes(32).toString("base64url")

const tokenForm = /^[\w-]{43}$/

/** The hashes under each pepper, newest first. */
const tokenHashes = (
  { hashes }: KeyHasher["Service"],
  purpose: Purpose,
  token: string
): ReturnType<KeyHasher["Service"]["hashes"]> => hashes(`console ${purpose} ${token}`)

/** Scopes granted by an operator's sign-in link. */
const linkScopes: ReadonlyArray<Scope> = ["read", "reviews", "explain", "rules", "webhooks"]

/** The name of the key if the link names no person. */
const linkName = "console link"

/** The path of a new link, which signs in once to an organization's data in this mode. */
export const makeLink = Effect.fn("SignIn.makeLink")(function* (
  organization: Organization,
  mode: Mode,
  name: string | null = null
) {
  const link = newToken()
  const [hash] = tokenHashes(yield* KeyHasher, "link", link)
  const { createLink, sweep } = yield* ConsoleSessions
  yield* sweep
  yield* createLink(hash, organization.id, { mode, name })
  return `/sign-in?link=${link}`
})

/** The scopes that open a screen. The first one that a key has decides its start page. */
export const screenScopes = ["reviews", "read", "rules", "webhooks"] as const satisfies ReadonlyArray<Scope>

/** Looks up keys, and creates the keys for links. */
const makeKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const organizations = yield* Organizations
  const sessions = yield* ConsoleSessions
  const hasher = yield* KeyHasher
  const clock = yield* Clock.Clock

  const findKey = Effect.fnUntraced(function* (key: string) {
    if (!isWellFormed(key)) return Option.none<FoundKey>()
    for (const hash of hasher.hashes(key)) {
      const found = yield* keys.findByHash(hash)
      if (Option.isSome(found)) return found
    }
    return Option.none<FoundKey>()
  })

  /** A session needs a key, so a link creates one. It is never shown, but can be listed and revoked like any other key. */
  const keyForLink = Effect.fnUntraced(function* (link: string) {
    const taken = yield* sessions.takeLink(tokenHashes(hasher, "link", link))
    if (taken === undefined) return Option.none<FoundKey>()
    const organization = yield* organizations.bySlug(taken.organization)
    const { key } = yield* keys.create(organization, {
      mode: taken.mode,
      name: taken.name ?? linkName,
      scopes: linkScopes,
      environments: null,
      expiresAt: new Date(clock.currentTimeMillisUnsafe() + consoleSessionHours * 3_600_000)
    })
    return yield* findKey(key)
  })

  return { findKey, keyForLink: (link: string) => Effect.provideService(keyForLink(link), KeyHasher, hasher) }
})

export class SignIn extends Context.Service<
  SignIn,
  {
    readonly byKey: (
      key: string
    ) => Effect.Effect<NewSession, InvalidApiKey | SandboxExpired | InsufficientScope | AssessmentUnavailable>
    readonly byLink: (link: string) => Effect.Effect<NewSession, InvalidApiKey | AssessmentUnavailable>
    /** The caller of a session; None if it has ended. */
    readonly caller: (
      token: string,
      client: LookupClient
    ) => Effect.Effect<Option.Option<Caller>, RateLimited | AssessmentUnavailable>
    readonly end: (token: string) => Effect.Effect<void, AssessmentUnavailable>
  }
>()("action-risk/console/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const { findKey, keyForLink } = yield* makeKeys
      const hasher = yield* KeyHasher
      const clock = yield* Clock.Clock
      const logFault = makeFaultLog(Effect.logError)

      const stored = <A, E>(what: string, effect: Effect.Effect<A, E>) =>
        Effect.catchCause(effect, (cause) =>
          Effect.andThen(logFault(what, cause), Effect.fail(new AssessmentUnavailable()))
        )

      /** Invariant: a database failure is never reported as a session that has ended. */
      const lookup = (token: string) =>
        stored("a session could not be looked up", sessions.find(tokenHashes(hasher, "session", token)))
      const cache = yield* makeKeyCache<FoundKey, AssessmentUnavailable>(lookup, {
        mayBeKey: (token) => tokenForm.test(token),
        isValid: ({ revokedAt }) => revokedAt === null
      })

      const open = Effect.fnUntraced(function* (caller: Caller) {
        const token = newToken()
        const [hash] = tokenHashes(hasher, "session", token)
        yield* sessions.sweep
        yield* sessions.create(hash, caller)
        return { token, caller } satisfies NewSession
      })

      return SignIn.of({
        byKey: Effect.fn("SignIn.byKey")(function* (key) {
          const found = yield* stored("a key could not be looked up", findKey(key))
          const caller = yield* Effect.fromResult(checkKey(found, clock.currentTimeMillisUnsafe()))
          if (!screenScopes.some((scope) => caller.scopes.includes(scope)))
            return yield* new InsufficientScope({})
          return yield* stored("a session could not be stored", open(caller))
        }),
        byLink: Effect.fn("SignIn.byLink")(function* (link) {
          const found = yield* stored("a link could not be used", keyForLink(link))
          if (Option.isNone(found)) return yield* new InvalidApiKey()
          return yield* stored("a session could not be stored", open(found.value.caller))
        }),
        caller: (token, client) =>
          Effect.map(cache.get(token, client), (found) =>
            Result.getSuccess(checkKey(found, clock.currentTimeMillisUnsafe()))
          ),
        end: (token) =>
          stored("a session could not be ended", sessions.end(tokenHashes(hasher, "session", token)))
      })
    })
  )
}
