/** Lets one piece of work of an organization go on at a time in this process: the others wait, and hold no connection. */

import type { Effect } from "effect"
import { SqlError } from "effect/sql"
import { lockWaitMs } from "../Limits.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { makeTurns } from "./makeTurns.ts"

/** Between processes a lock in the database does the same, and fails alike. */
const lockTimeout = () =>
  new SqlError.SqlError({
    reason: new SqlError.LockTimeoutError({
      cause: new Error(`no turn within ${lockWaitMs} ms`),
      message: `no turn within ${lockWaitMs} ms`,
      operation: "acquire"
    })
  })

export const makeOwnerTurns = () => {
  const inTurn = makeTurns(lockWaitMs, lockTimeout)
  return <A, E, R>(
    { mode, organizationId }: Owner,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | SqlError.SqlError, R> => inTurn(`${mode} ${organizationId}`, work)
}
