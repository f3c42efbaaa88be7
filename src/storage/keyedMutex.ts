/** Runs one piece of work at a time under a key, in the order of asking. */

import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { lockWaitMs } from "../limits.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"

type Wake = () => void

/** Who does not get its turn within `waitMsMax` gets what `late` makes. */
export const makeKeyedMutex = <Late>(waitMsMax: number, late: () => Late) => {
  /** By key, those who wait behind the one that has its turn. */
  const queues = new Map<string, Set<Wake>>()

  /** The turn passes on by hand: between one and the next nobody else can take it. */
  const give = (key: string): void => {
    const queue = queues.get(key)
    const [next] = queue ?? []
    if (next === undefined) queues.delete(key)
    else {
      queue?.delete(next)
      next()
    }
  }

  /** Whoever leaves, or is late, in the moment it is given its turn passes that on. */
  const wait = (
    key: string,
    queue: Set<Wake>,
    restore: <A, E>(waiting: Effect.Effect<A, E>) => Effect.Effect<A, E>
  ): Effect.Effect<void, Late> =>
    Effect.suspend(() => {
      let given = false
      return restore(
        Effect.callback<void>((resume) => {
          const wake = () => {
            given = true
            resume(Effect.void)
          }
          queue.add(wake)
          return Effect.sync(() => queue.delete(wake))
        }).pipe(Effect.timeoutOrElse({ duration: waitMsMax, orElse: () => Effect.fail(late()) }))
      ).pipe(Effect.onError(() => Effect.sync(() => (given ? give(key) : undefined))))
    })

  /** Invariant: nothing but the wait is interruptible until it is certain that the turn is given back. */
  return <A, E, R>(key: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Late, R> =>
    Effect.uninterruptibleMask((restore) => {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, new Set())
      const taken = queue === undefined ? Effect.void : wait(key, queue, restore)
      return Effect.flatMap(taken, () => Effect.onExit(restore(work), () => Effect.sync(() => give(key))))
    })
}

/**
 * Lets one piece of work of an organization go on at a time in this process: the others wait, and hold no connection.
 * Between processes a lock in the database does the same, and fails alike.
 */
const lockTimeout = () =>
  new SqlError.SqlError({
    reason: new SqlError.LockTimeoutError({
      cause: new Error(`no turn within ${lockWaitMs} ms`),
      message: `no turn within ${lockWaitMs} ms`,
      operation: "acquire"
    })
  })

export const makeOwnerMutex = () => {
  const inTurn = makeKeyedMutex(lockWaitMs, lockTimeout)
  return <A, E, R>(
    { mode, organizationId }: Owner,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | SqlError.SqlError, R> => inTurn(`${mode} ${organizationId}`, work)
}
