/** The bound on a statement that many wait for: one that stays silent is given up on, so that the next may be sent. */

import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { sharedAnswerMs } from "../Limits.ts"

/** Fails as a database that is away does; whether the statement took effect is then unknown. */
export const inSharedTime = <A, R>(
  statement: Effect.Effect<A, SqlError.SqlError, R>
): Effect.Effect<A, SqlError.SqlError, R> =>
  Effect.timeoutOrElse(statement, { duration: sharedAnswerMs, orElse: () => Effect.fail(silent()) })

const message = `no answer from the database within ${sharedAnswerMs} ms`

const silent = () =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({
      cause: new Error(message),
      message,
      operation: "shared statement"
    })
  })
