/** Storage as the use case sees it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */

import { Cause, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { classifyDatabaseFailure, sqlState } from "../storage/SqlState.ts"

/** No answer within the bound. */
export class StorageSilent extends Schema.TaggedError<StorageSilent>()("StorageSilent", {
  waitedMs: Schema.Finite
}) {}

/** Fails with `StorageSilent` after `ms`; the statement is given up on in the background. */
export const within = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: ms,
    orElse: () => Effect.fail(new StorageSilent({ waitedMs: ms }))
  })

/** Defects too: the driver turns some lost connections into them. Only codes are logged, messages may hold values. */
export const logStorageFailure = (task: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  return Effect.logWarning(`could not ${task}`).pipe(
    Effect.annotateLogs({
      failure: error instanceof StorageSilent ? "silent" : classifyDatabaseFailure(error),
      sqlState: sqlState(error)
    })
  )
}

export const orUnavailable = <A, R>(
  task: string,
  ms: number,
  effect: Effect.Effect<A, SqlError.SqlError, R>
): Effect.Effect<A, AssessmentUnavailable, R> =>
  within(ms, effect).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(logStorageFailure(task, cause), Effect.fail(new AssessmentUnavailable()))
    )
  )
