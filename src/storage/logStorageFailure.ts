/** What a log says of storage that did not do what it was asked: only codes, messages may hold values. */

import { Cause, Effect } from "effect"
import { classifyDatabaseFailure, sqlState } from "./SqlState.ts"
import { StorageSilent } from "./within.ts"

/** Defects too: the driver turns some lost connections into them. `task`: `list assessments`. */
export const logStorageFailure = (task: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  return Effect.logWarning(`could not ${task}`).pipe(
    Effect.annotateLogs({
      failure: error instanceof StorageSilent ? "silent" : classifyDatabaseFailure(error),
      sqlState: sqlState(error)
    })
  )
}
