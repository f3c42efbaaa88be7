/** Turns at a few connections: who works with one at a time, and who is next. */

import { Clock, Effect, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { makeEvenShare, makeFairQueue, tenantKey } from "../../evenShare.ts"
import { acquireMs, turnsWaitingMax } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { makeDeadlineTimer, monotonicMs, type TimedWait } from "../timeouts.ts"

interface Turn extends TimedWait {
  readonly tenant: string
  state: "waiting" | "working" | "over"
  /** Only the first call has an effect. */
  readonly resume: (answer: Effect.Effect<void, SqlError.SqlError>) => void
}

export interface FairTurns {
  /** Waits for a turn of the owner, works, and ends the turn. Fails like a pool without a free connection. */
  readonly take: <A, E, R>(
    owner: Owner,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
}

/**
 * Gives turns to organizations, at most `turnsMax` at once and one fewer to any of them: so an organization that is alone
 * with its load keeps no other one waiting. A turn that ends is followed by one of the waiting organization that has the
 * fewest: so an organization without a turn waits for the end of one turn, and not for the queue of another organization.
 */
export const makeFairTurns = Effect.fnUntraced(function* (
  turnsMax: number
): Effect.fn.Return<FairTurns, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const waiting = makeFairQueue<Turn>(turnsWaitingMax)
  const working = makeEvenShare(turnsMax)
  const timer = yield* makeDeadlineTimer((turn: Turn) => {
    end(turn)
    turn.resume(Effect.fail(noTurn()))
  })

  const rankOf = (tenant: string): number => {
    const own = working.heldBy(tenant)
    return own < turnsMax - 1 ? own : Infinity
  }

  const startNext = (): void => {
    const next = working.total < turnsMax ? waiting.take(rankOf) : undefined
    if (next === undefined) return
    timer.cancel(next)
    next.state = "working"
    working.hold(next.tenant)
    next.resume(Effect.void)
  }

  const end = (turn: Turn): void => {
    const { state, tenant } = turn
    turn.state = "over"
    timer.cancel(turn)
    if (state === "waiting") waiting.delete(tenant, turn)
    if (state !== "working") return
    working.release(tenant)
    startNext()
  }

  const start = (tenant: string, onStart: (turn: Turn) => void) =>
    Effect.callback<void, SqlError.SqlError>((resume) => {
      const turn: Turn = { tenant, state: "waiting", untilMs: monotonicMs(clock) + acquireMs, resume }
      if (!waiting.add(tenant, turn)) return resume(Effect.fail(noTurn()))
      onStart(turn)
      timer.start(turn)
      startNext()
    })

  return {
    take: (owner, work) =>
      Effect.suspend(() => {
        let turn: Turn | undefined
        return Effect.ensuring(
          Effect.andThen(
            start(tenantKey(owner), (started) => (turn = started)),
            work
          ),
          // Also where the wait was interrupted, at whatever moment.
          Effect.sync(() => turn && end(turn))
        )
      })
  }
})

const message = `no turn at a connection within ${acquireMs} ms`

const noTurn = () =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation: "acquire" })
  })
