/** The bounds on waits for storage: for one effect, for a shared statement, and for many waits with one timer. */

import { Clock, Effect, Fiber, Schema, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { batchTimeoutCheckMs, batchTimeoutMs } from "../limits.ts"

/** No answer within the bound. */
export class StorageTimeout extends Schema.TaggedError<StorageTimeout>()("StorageSilent", {
  waitedMs: Schema.Finite
}) {}

/** Fails with `StorageSilent` after `ms`; the statement is given up on in the background. */
export const withTimeout = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: ms,
    orElse: () => Effect.fail(new StorageTimeout({ waitedMs: ms }))
  })

/**
 * The bound on a statement that many wait for: one that stays silent is given up on, so that the next may be sent.
 * Fails as a database that is away does; whether the statement took effect is then unknown.
 */
export const withBatchTimeout = <A, R>(
  statement: Effect.Effect<A, SqlError.SqlError, R>
): Effect.Effect<A, SqlError.SqlError, R> =>
  Effect.timeoutOrElse(statement, {
    duration: batchTimeoutMs,
    orElse: () => Effect.fail(batchTimeoutError())
  })

const batchTimeoutMessage = `no answer from the database within ${batchTimeoutMs} ms`

const batchTimeoutError = () =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({
      cause: new Error(batchTimeoutMessage),
      message: batchTimeoutMessage,
      operation: "shared statement"
    })
  })

/**
 * Time that only runs forward, for bounds on waits: the wall clock may be set while somebody waits.
 * Whole milliseconds since some instant: good for differences only.
 */
export const monotonicMs = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Bounds the waits of many with one timer: whoever has waited for long enough is told so, a moment late at most. */
export interface TimedWait {
  /** By `monotonicMs`; a wait with Infinity is bounded elsewhere. */
  readonly untilMs: number
}

interface DeadlineTimer<W extends TimedWait> {
  readonly start: (wait: W) => void
  readonly cancel: (wait: W) => void
}

/** `giveUp` is called for a wait that was not ended in time. */
export const makeDeadlineTimer = Effect.fnUntraced(function* <W extends TimedWait>(
  giveUp: (wait: W) => void
): Effect.fn.Return<DeadlineTimer<W>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const waits = new Set<W>()
  let looking = false

  const look = Effect.gen(function* () {
    while (waits.size > 0) {
      yield* Effect.sleep(batchTimeoutCheckMs)
      const nowMs = monotonicMs(clock)
      for (const wait of waits) {
        if (wait.untilMs > nowMs) continue
        waits.delete(wait)
        giveUp(wait)
      }
    }
    looking = false
  })

  return {
    start: (wait) => {
      if (wait.untilMs === Infinity) return
      waits.add(wait)
      if (looking) return
      looking = true
      Fiber.runIn(run(look), scope)
    },
    cancel: (wait) => waits.delete(wait)
  }
})

/** Bounds what a client waits for, with one timer for all of it. */
interface BoundOptions<Silent = SqlError.SqlError> {
  readonly ms: number
  readonly silent: () => Silent
  /** Called when nobody waits any more, for whatever reason, and it has not ended yet. */
  readonly onLeft?: () => void
}

export type BoundedRunner = <A, Silent = SqlError.SqlError>(
  work: Effect.Effect<A, SqlError.SqlError>,
  bound: BoundOptions<Silent>
) => Effect.Effect<A, SqlError.SqlError | Silent>

interface BoundedRun extends TimedWait {
  readonly giveUp: () => void
}

/**
 * The work runs in a fiber of its own. One that is given up on, or left by its asker, is interrupted in the background:
 * nobody waits for its end, as a black-holed socket answers no cancellation.
 */
export const makeBoundedRunner: Effect.Effect<BoundedRunner, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const patience = yield* makeDeadlineTimer((bounding: BoundedRun) => bounding.giveUp())

  return <A, Silent>(
    work: Effect.Effect<A, SqlError.SqlError>,
    { ms, onLeft, silent }: BoundOptions<Silent>
  ) =>
    Effect.callback<A, SqlError.SqlError | Silent>((resume) => {
      const fiber = fork(work)
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) return resume(ended)
      const bounding: BoundedRun = {
        untilMs: monotonicMs(clock) + ms,
        // In this order: the asker must see what `onLeft` did, and be told nothing of the interruption.
        giveUp: () => {
          onLeft?.()
          resume(Effect.fail(silent()))
          fiber.interruptUnsafe()
        }
      }
      patience.start(bounding)
      fiber.addObserver((exit) => {
        patience.cancel(bounding)
        resume(exit)
      })
      return Effect.sync(() => {
        patience.cancel(bounding)
        onLeft?.()
        fiber.interruptUnsafe()
      })
    })
})
