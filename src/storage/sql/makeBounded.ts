/** Bounds what a client waits for, with one timer for all of it. */

import { Clock, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { makePatience, type Wait } from "../makePatience.ts"
import { monotonicMs } from "../monotonicMs.ts"

export interface Bound<Silent = SqlError.SqlError> {
  readonly ms: number
  readonly silent: () => Silent
  /** Called when nobody waits any more, for whatever reason, and it has not ended yet. */
  readonly onLeft?: () => void
}

export type Bounded = <A, Silent = SqlError.SqlError>(
  work: Effect.Effect<A, SqlError.SqlError>,
  bound: Bound<Silent>
) => Effect.Effect<A, SqlError.SqlError | Silent>

interface Bounding extends Wait {
  readonly giveUp: () => void
}

/**
 * The work runs in a fiber of its own. One that is given up on, or left by its asker, is interrupted in the background:
 * nobody waits for its end, as a black-holed socket answers no cancellation.
 */
export const makeBounded: Effect.Effect<Bounded, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const patience = yield* makePatience((bounding: Bounding) => bounding.giveUp())

  return <A, Silent>(work: Effect.Effect<A, SqlError.SqlError>, { ms, onLeft, silent }: Bound<Silent>) =>
    Effect.callback<A, SqlError.SqlError | Silent>((resume) => {
      const fiber = fork(work)
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) return resume(ended)
      const bounding: Bounding = {
        untilMs: monotonicMs(clock) + ms,
        // In this order: the asker must see what `onLeft` did, and be told nothing of the interruption.
        giveUp: () => {
          onLeft?.()
          resume(Effect.fail(silent()))
          fiber.interruptUnsafe()
        }
      }
      patience.begin(bounding)
      fiber.addObserver((exit) => {
        patience.end(bounding)
        resume(exit)
      })
      return Effect.sync(() => {
        patience.end(bounding)
        onLeft?.()
        fiber.interruptUnsafe()
      })
    })
})
