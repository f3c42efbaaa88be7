/** Storage as a use case sees it: an answer within a bound, or the one failure that the use case tells of it. */

import { type Cause, Effect, Fiber } from "effect"
import { storageReadMsMax, storageWriteMsMax } from "../Limits.ts"
import { logStorageFailure } from "./logStorageFailure.ts"
import { within } from "./within.ts"

/** What any cause comes to: it is logged under the task's name, `list assessments`, and the caller gets the failure. */
export const loggedAs =
  <Failure>(failure: () => Failure) =>
  (task: string) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<never, Failure> =>
    Effect.andThen(logStorageFailure(task, cause), Effect.fail(failure()))

export const answerOr = <Failure>(failure: () => Failure) => {
  const failed = loggedAs(failure)

  const read = <A, E>(task: string, reading: Effect.Effect<A, E>): Effect.Effect<A, Failure> =>
    Effect.catchCause(within(storageReadMsMax, reading), failed(task))

  /** Invariant: who goes away, or waits no longer, interrupts the wait and never the writing, which has bounds of its own. */
  const write = <A, E>(task: string, writing: Effect.Effect<A, E>): Effect.Effect<A, Failure> => {
    const written = Effect.flatMap(Effect.forkDetach(writing, { startImmediately: true }), Fiber.join)
    return Effect.catchCause(within(storageWriteMsMax, written), failed(task))
  }

  return { read, write }
}
