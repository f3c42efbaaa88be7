/** Remembers key lookups for a few seconds, bounded in number; concurrent lookups of one key are one. */

import { Clock, Deferred, Effect, Exit, Option, type Scope } from "effect"
import { keyCacheMax, keyCacheMs } from "../../Limits.ts"

interface Entry<A> {
  readonly found: Option.Option<A>
  readonly untilMs: number
}

export interface KeyCache<A, E> {
  readonly get: (key: string) => Effect.Effect<Option.Option<A>, E>
  /** What is remembered of a key and may still be told; null: nothing. */
  readonly remembered: (key: string, nowMs: number) => Option.Option<A> | null
}

/** An unknown key is remembered too; a lookup that failed is not, nor what cannot be a key and is not looked up. */
export const makeKeyCache = <A, E>(
  lookup: (key: string) => Effect.Effect<Option.Option<A>, E>,
  mayBeKey: (key: string) => boolean = () => true
): Effect.Effect<KeyCache<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const entries = new Map<string, Entry<A>>()
    const underWay = new Map<string, Deferred.Deferred<Option.Option<A>, E>>()

    const remember = (key: string, found: Option.Option<A>, untilMs: number) => {
      const oldest = entries.keys().next().value
      if (entries.size >= keyCacheMax && oldest !== undefined) entries.delete(oldest)
      entries.set(key, { found, untilMs })
    }

    const start = (key: string, nowMs: number) => {
      const waiting = Deferred.makeUnsafe<Option.Option<A>, E>()
      underWay.set(key, waiting)
      const done = (exit: Exit.Exit<Option.Option<A>, E>) =>
        Effect.sync(() => {
          underWay.delete(key)
          // The age counts from the question, not from its answer.
          if (Exit.isSuccess(exit)) remember(key, exit.value, nowMs + keyCacheMs)
          Deferred.doneUnsafe(waiting, exit)
        })
      // In the cache's scope: a client that leaves must not take the others' lookup with it.
      const detached = lookup(key).pipe(Effect.onExit(done), Effect.forkIn(scope))
      return Effect.andThen(detached, Deferred.await(waiting))
    }

    const remembered = (key: string, nowMs: number): Option.Option<A> | null => {
      const entry = entries.get(key)
      return entry !== undefined && nowMs < entry.untilMs ? entry.found : null
    }

    const get = (key: string) =>
      Clock.clockWith((clock) => {
        const nowMs = clock.currentTimeMillisUnsafe()
        const found = remembered(key, nowMs)
        if (found !== null) return Effect.succeed(found)
        entries.delete(key)
        if (!mayBeKey(key)) return Effect.succeed(Option.none())
        const waiting = underWay.get(key)
        return waiting === undefined ? start(key, nowMs) : Deferred.await(waiting)
      })

    return { get, remembered }
  })
