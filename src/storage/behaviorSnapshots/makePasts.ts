/** Holds what the days before today say of organizations, for a minute and of the most recent ones. */

import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { pastMs, pastsMax } from "../../Limits.ts"
import { monotonicMs } from "../monotonicMs.ts"
import type { Baseline, Past } from "./past.ts"

export interface PastQuestion {
  readonly organizationId: string
  readonly baseline: Baseline
}

interface Held {
  readonly loading: Fiber.Fiber<Past, SqlError.SqlError>
  /** By `monotonicMs`. */
  readonly untilMs: number
}

export interface Pasts {
  /** Null while it is not known yet. */
  readonly known: (question: PastQuestion) => Past | null
  readonly read: (question: PastQuestion) => Effect.Effect<Past, SqlError.SqlError>
  readonly forget: (question: PastQuestion) => void
}

const keyOf = ({ baseline, organizationId }: PastQuestion): string =>
  `${organizationId} ${baseline.windowDays} ${baseline.establishedDaysMin} ${baseline.establishedHoursMin}`

/** A past that could not be read is not held. Whoever gives up waiting for one does not keep others from finding it. */
export const makePasts = Effect.fnUntraced(function* (
  load: (question: PastQuestion) => Effect.Effect<Past, SqlError.SqlError>
): Effect.fn.Return<Pasts, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const pasts = new Map<string, Held>()

  const held = (key: string): Held | undefined => {
    const one = pasts.get(key)
    return one === undefined || monotonicMs(clock) >= one.untilMs ? undefined : one
  }

  const start = (key: string, question: PastQuestion): Held => {
    const [oldest] = pasts.keys()
    if (pasts.size >= pastsMax && oldest !== undefined) pasts.delete(oldest)
    const untilMs = monotonicMs(clock) + pastMs
    const one = { loading: Fiber.runIn(fork(load(question)), scope), untilMs }
    pasts.delete(key)
    pasts.set(key, one)
    one.loading.addObserver((exit) => {
      if (Exit.isFailure(exit) && pasts.get(key) === one) pasts.delete(key)
    })
    return one
  }

  return {
    known: (question) => {
      const exit = held(keyOf(question))?.loading.pollUnsafe()
      return exit !== undefined && Exit.isSuccess(exit) ? exit.value : null
    },
    read: (question) =>
      Effect.suspend(() => {
        const key = keyOf(question)
        return Fiber.join((held(key) ?? start(key, question)).loading)
      }),
    forget: (question) => pasts.delete(keyOf(question))
  }
})
