/** What a failure of storage means: for the caller, for the operator, and for the log. */

import { Cause, Effect, Fiber, Option, Predicate, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { backgroundRetryMs, storageReadMsMax, storageWriteMsMax } from "../limits.ts"
import { StorageTimeout, withTimeout } from "./timeouts.ts"

export class DatabaseProblem extends Schema.TaggedError<DatabaseProblem>()("DatabaseProblem", {
  message: Schema.String,
  /** It will pass by itself within moments: trying again is worth while. */
  passing: Schema.optional(Schema.Boolean),
  cause: Schema.optional(Schema.Defect())
}) {}

/**
 * Reads database failures by their SQLSTATE, because the driver calls several of them unknown.
 * The five-character code that PostgreSQL gave; null when the failure is not one of its answers.
 */
export const sqlState = (error: unknown): string | null => {
  const cause = error instanceof SqlError.SqlError ? error.reason.cause : error
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  // Every SQLSTATE in use has a digit; EPIPE and EPERM have none.
  return typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null
}

/**
 * - `unavailable`: the server is away, full, read-only or too slow; the same work can succeed later.
 * - `conflict`: another transaction won; the same work can succeed at once.
 * - `unique`: a unique index refused the row.
 * - `fault`: anything else, a mistake of ours.
 */
type DatabaseFailure = "unavailable" | "conflict" | "unique" | "fault"

const unavailable = [
  /^08/, // connection exceptions
  /^28/, // the password was changed under us
  /^25006$/, // read-only after a failover
  /^53/, // disk full, out of memory, too many connections
  /^55P03$/, // lock_timeout
  /^57/, // cancelled, shutting down, starting up, database dropped
  /^58/, // system errors of the server's machine
  /^XX/ // corruption and internal errors
]

/** What a failure or defect of a SQL effect means for the caller. */
export const classifyDatabaseFailure = (error: unknown): DatabaseFailure => {
  const state = sqlState(error)
  if (state === null)
    return error instanceof SqlError.SqlError && isConnection(error) ? "unavailable" : "fault"
  if (state === "40001" || state === "40P01") return "conflict"
  if (state === "23505") return "unique"
  return unavailable.some((pattern) => pattern.test(state)) ? "unavailable" : "fault"
}

const isConnection = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" ||
  error.reason._tag === "StatementTimeoutError" ||
  error.reason._tag === "AuthenticationError"

/** What a log may say of a fault: its kind and where it arose; its message may hold a caller's data or a statement. */
interface DescribedCause {
  readonly fault: string
  readonly sqlState: string | null
  readonly at: string
}

export const describeCause = (cause: Cause.Cause<unknown>): DescribedCause => {
  const error: unknown = Cause.squash(cause)
  if (!(error instanceof Error)) return { fault: typeof error, sqlState: null, at: "" }
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
  return {
    fault: error.name,
    sqlState: sqlState(error),
    at: frames.map((line) => line.trim()).join(" ← ")
  }
}

/**
 * What a log says of storage that did not do what it was asked: only codes, messages may hold values.
 * Defects too: the driver turns some lost connections into them. `task`: `list assessments`.
 */
export const logStorageFailure = (task: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  return Effect.logWarning(`could not ${task}`).pipe(
    Effect.annotateLogs({
      failure: error instanceof StorageTimeout ? "silent" : classifyDatabaseFailure(error),
      sqlState: sqlState(error)
    })
  )
}

/**
 * Storage as a use case sees it: an answer within a bound, or the one failure that the use case tells of it.
 * What any cause comes to: it is logged under the task's name, `list assessments`, and the caller gets the failure.
 */
export const logAndFail =
  <Failure>(failure: () => Failure) =>
  (task: string) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<never, Failure> =>
    Effect.andThen(logStorageFailure(task, cause), Effect.fail(failure()))

export const withStorageErrors = <Failure>(failure: () => Failure) => {
  const failed = logAndFail(failure)

  const read = <A, E>(task: string, reading: Effect.Effect<A, E>): Effect.Effect<A, Failure> =>
    Effect.catchCause(withTimeout(storageReadMsMax, reading), failed(task))

  /** Invariant: who goes away, or waits no longer, interrupts the wait and never the writing, which has bounds of its own. */
  const write = <A, E>(task: string, writing: Effect.Effect<A, E>): Effect.Effect<A, Failure> => {
    const written = Effect.flatMap(Effect.forkDetach(writing, { startImmediately: true }), Fiber.join)
    return Effect.catchCause(withTimeout(storageWriteMsMax, written), failed(task))
  }

  return { read, write }
}

/** Work with storage that nobody waits for: it fails for good only when it failed twice, and then a log says so. */
const oneRetry = { times: 1, schedule: Schedule.jittered(Schedule.spaced(backgroundRetryMs)) }

/** None where it failed: the next round does what this one did not. `task`: `count webhook deliveries`. */
export const retryOnceOrLog = <A, E, R>(
  task: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, never, R> =>
  work.pipe(
    // A connection that opens slowly on a busy machine, at start above all, is nothing to wake an operator for.
    Effect.retry(oneRetry),
    Effect.asSome,
    Effect.catchCause((cause) => Effect.as(logStorageFailure(task, cause), Option.none()))
  )
