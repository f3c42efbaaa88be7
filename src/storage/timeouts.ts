/** Timeouts for storage: for one effect, for a batch, and for many waits with a single timer. */

import { Clock, Effect, Fiber, Schema, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { batchTimeoutCheckMs, batchTimeoutMs } from "../limits.ts"

/** Storage did not answer in time. */
export class StorageTimeout extends Schema.TaggedError<StorageTimeout>()("StorageTimeout", {
  waitedMs: Schema.Finite
}) {}

type Reason = new (fields: {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}) => SqlError.SqlErrorReason

/** A failure of our own that is classified like an answer of the database. `code`: an SQLSTATE. */
export const ownSqlError = (Reason: Reason, operation: string, message: string, code?: string) =>
  new SqlError.SqlError({
    reason: new Reason({ cause: Object.assign(new Error(message), { code }), message, operation })
  })

/** Fails with `StorageTimeout` after `ms`, and cancels the statement in the background. */
export const withTimeout = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: ms,
    orElse: () => Effect.fail(new StorageTimeout({ waitedMs: ms }))
  })

/**
 * The timeout of a statement that many requests share: a statement without an answer is cancelled, so that the next one can be sent. It
 * fails like an unavailable database. Whether the statement took effect is then unknown.
 */
export const batchTimeout = {
  ms: batchTimeoutMs,
  timeoutError: () =>
    ownSqlError(
      SqlError.StatementTimeoutError,
      "shared statement",
      `no answer from the database within ${batchTimeoutMs} ms`
    )
}

export const withBatchTimeout = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(statement, {
    duration: batchTimeout.ms,
    orElse: () => Effect.fail(batchTimeout.timeoutError())
  })

/** Milliseconds on a monotonic clock, because the wall clock may be set. Only differences are meaningful. */
export const monotonicMs = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

export const monotonicNow: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.succeed(monotonicMs(clock))
)

export interface TimedWait {
  /** The deadline on the clock of `monotonicMs`. Infinity: this timer does not watch the wait. */
  readonly untilMs: number
}

interface DeadlineTimer<W extends TimedWait> {
  readonly start: (wait: W) => void
  readonly cancel: (wait: W) => void
}

/** One timer for many waits: calls `giveUp` for each at its deadline, at most `batchTimeoutCheckMs` late. */
export const makeDeadlineTimer = Effect.fnUntraced(function* <W extends TimedWait>(
  giveUp: (wait: W) => void
): Effect.fn.Return<DeadlineTimer<W>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const waits = new Set<W>()
  let checking = false

  const checkWaits = Effect.gen(function* () {
    while (waits.size > 0) {
      yield* Effect.sleep(batchTimeoutCheckMs)
      const nowMs = monotonicMs(clock)
      for (const wait of waits) {
        if (wait.untilMs > nowMs) continue
        waits.delete(wait)
        giveUp(wait)
      }
    }
    checking = false
  })

  return {
    start: (wait) => {
      if (wait.untilMs === Infinity) return
      waits.add(wait)
      if (checking) return
      checking = true
      Fiber.runIn(run(checkWaits), scope)
    },
    cancel: (wait) => waits.delete(wait)
  }
})

interface BoundOptions<TimedOut = SqlError.SqlError> {
  readonly ms: number
  readonly timeoutError: () => TimedOut
  /** Called if the caller stops waiting before the work has ended, at its deadline or because it was interrupted. */
  readonly onAbandoned?: () => void
}

/** Runs work with a timeout. All work of one runner shares one timer. */
export interface BoundedRunner {
  <A, E, TimedOut = SqlError.SqlError>(
    work: Effect.Effect<A, E>,
    bound: BoundOptions<TimedOut>
  ): Effect.Effect<A, E | TimedOut>
  /** The timeout covers only the first part of the work, until it calls `reached`. */
  readonly until: <A, E, TimedOut = SqlError.SqlError>(
    work: (reached: () => void) => Effect.Effect<A, E>,
    bound: BoundOptions<TimedOut>
  ) => Effect.Effect<A, E | TimedOut>
}

interface BoundedRun extends TimedWait {
  readonly giveUp: () => void
}

/** Interrupts the work in the background, so that the caller does not wait for a socket that ignores cancellation. */
export const makeBoundedRunner: Effect.Effect<BoundedRunner, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const timer = yield* makeDeadlineTimer((one: BoundedRun) => one.giveUp())

  const until: BoundedRunner["until"] = <A, E, TimedOut>(
    work: (reached: () => void) => Effect.Effect<A, E>,
    { ms, onAbandoned, timeoutError }: BoundOptions<TimedOut>
  ) =>
    Effect.callback<A, E | TimedOut>((resume) => {
      let isReached = false
      let boundedRun: BoundedRun | undefined
      const fiber = fork(
        work(() => {
          isReached = true
          if (boundedRun !== undefined) timer.cancel(boundedRun)
        })
      )
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) return resume(ended)
      boundedRun = {
        untilMs: monotonicMs(clock) + ms,
        // In this order: the caller must see the effects of `onAbandoned`, but not the interruption.
        giveUp: () => {
          onAbandoned?.()
          resume(Effect.fail(timeoutError()))
          fiber.interruptUnsafe()
        }
      }
      const run = boundedRun
      if (!isReached) timer.start(run)
      fiber.addObserver((exit) => {
        timer.cancel(run)
        resume(exit)
      })
      return Effect.sync(() => {
        timer.cancel(run)
        onAbandoned?.()
        fiber.interruptUnsafe()
      })
    })

  return Object.assign(
    <A, E, TimedOut>(work: Effect.Effect<A, E>, bound: BoundOptions<TimedOut>) => until(() => work, bound),
    { until }
  )
})
