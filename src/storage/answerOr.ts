/** Storage as a use case sees it: an answer within a bound, or the one failure that the use case tells of it. */

import { type Cause, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { logStorageFailure } from "./logStorageFailure.ts"
import { type StorageSilent, within } from "./within.ts"

/** Fails with the failure after any cause, which is logged. */
export const loggedAs =
  <Failure>(failure: () => Failure) =>
  (task: string) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<never, Failure> =>
    Effect.andThen(logStorageFailure(task, cause), Effect.fail(failure()))

export const answerOr =
  <Failure>(failure: () => Failure) =>
  <A, R>(
    task: string,
    ms: number,
    effect: Effect.Effect<A, SqlError.SqlError | StorageSilent, R>
  ): Effect.Effect<A, Failure, R> =>
    within(ms, effect).pipe(Effect.catchCause(loggedAs(failure)(task)))
