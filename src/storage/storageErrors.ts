/** Failures of storage: how they are classified, what the caller gets, and what is logged. */

import { Cause, Effect, Fiber, Option, Predicate, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { backgroundRetryMs, faultLogMs, storageReadMsMax, storageWriteMsMax } from "../limits.ts"
import { monotonicNow, StorageTimeout, withTimeout } from "./timeouts.ts"

export class DatabaseProblem extends Schema.TaggedError<DatabaseProblem>()("DatabaseProblem", {
  message: Schema.String,
  /** True if the problem will end by itself within moments, so that a retry is worthwhile. */
  passing: Schema.optional(Schema.Boolean),
  cause: Schema.optional(Schema.Defect())
}) {}

/** Whether a problem is worth a retry, for `limitMs` from now. */
export const passingWithin = (limitMs: number) => {
  const startedAtMs = performance.now()
  return ({ passing }: DatabaseProblem) => passing === true && performance.now() - startedAtMs < limitMs
}

/** The SQLSTATE in PostgreSQL's answer, otherwise null. The driver reports several such failures as unknown errors. */
export const sqlState = (error: unknown): string | null => {
  const cause = error instanceof SqlError.SqlError ? error.reason.cause : error
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  // Every SQLSTATE in use contains a digit; EPIPE and EPERM do not.
  return typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null
}

/** Whether a statement was cancelled because it, or its wait for a lock, took too long. */
export const tookTooLong = (error: unknown): boolean => ["57014", "55P03"].includes(sqlState(error) ?? "")

/**
 * - `unavailable`: the server is unreachable, full, read-only or too slow. A retry may succeed later.
 * - `conflict`: another transaction won. A retry may succeed immediately.
 * - `unique`: a unique index rejected the row.
 * - `fault`: anything else. It is a bug of this service.
 */
type DatabaseFailure = "unavailable" | "conflict" | "unique" | "fault"

const unavailable = [
  /^08/, // connection exceptions
  /^28/, // the password was changed in the meantime
  /^25006$/, // read-only after a failover
  /^53/, // disk full, out of memory, too many connections
  /^55P03$/, // lock_timeout
  /^57/, // cancelled, shutting down, starting up, database dropped
  /^58/, // system errors of the server's machine
  /^XX/ // corruption and internal errors
]

/** Classifies a failure or defect of a SQL effect. */
export const classifyDatabaseFailure = (error: unknown): DatabaseFailure => {
  const state = sqlState(error)
  if (state === null)
    return error instanceof SqlError.SqlError && isConnection(error) ? "unavailable" : "fault"
  if (state === "40001" || state === "40P01") return "conflict"
  if (state === "23505") return "unique"
  return unavailable.some((pattern) => pattern.test(state)) ? "unavailable" : "fault"
}

const isConnection = ({ reason }: SqlError.SqlError): boolean =>
  ["ConnectionError", "StatementTimeoutError", "AuthenticationError"].includes(reason._tag)

/** The parts of a fault that may be logged. Excludes the message, which may contain a caller's data or a statement. */
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

/** Logs one of many faults. `message` is a fixed text. */
export type FaultLog = (message: string, cause: Cause.Cause<unknown>) => Effect.Effect<void>

/**
 * For faults that many requests encounter at once, so that a flood of requests does not become a flood of stack traces: logs one line per
 * `faultLogMs` for each message and kind of fault, with the number of lines left out before it.
 */
export const makeFaultLog = (log: (...message: ReadonlyArray<unknown>) => Effect.Effect<void>): FaultLog => {
  const logged = new Map<string, { readonly atMs: number; leftOut: number }>()
  return (message, cause) =>
    Effect.flatMap(monotonicNow, (nowMs) => {
      const error = Cause.squash(cause)
      const kind = `${message} ${error instanceof Error ? error.name : typeof error} ${sqlState(error)}`
      const last = logged.get(kind)
      if (last !== undefined && nowMs - last.atMs < faultLogMs) {
        last.leftOut++
        return Effect.void
      }
      logged.set(kind, { atMs: nowMs, leftOut: 0 })
      const leftOut = last?.leftOut ?? 0
      return Effect.annotateLogs(log(message, describeCause(cause)), leftOut > 0 ? { left_out: leftOut } : {})
    })
}

/** Logs a failure or defect without its message, which may contain values. `task`: for example `list assessments`. */
export const logStorageFailure = (task: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  return Effect.logWarning(`could not ${task}`).pipe(
    Effect.annotateLogs({
      failure: error instanceof StorageTimeout ? "silent" : classifyDatabaseFailure(error),
      sqlState: sqlState(error)
    })
  )
}

/** Logs any cause with the name of the task, and fails with the use case's one failure for storage. */
export const logAndFail =
  <Failure>(failure: () => Failure) =>
  (task: string) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<never, Failure> =>
    Effect.andThen(logStorageFailure(task, cause), Effect.fail(failure()))

/** The reads and writes of a use case: each has a timeout, and fails with the use case's one failure for storage. */
export const withStorageErrors = <Failure>(failure: () => Failure) => {
  const failed = logAndFail(failure)

  const read = <A, E, R>(task: string, reading: Effect.Effect<A, E, R>): Effect.Effect<A, Failure, R> =>
    Effect.catchCause(withTimeout(storageReadMsMax, reading), failed(task))

  /** Invariant: an interrupted caller, or a timeout, interrupts only the wait and never the write, which has its own timeouts. */
  const write = <A, E>(task: string, writing: Effect.Effect<A, E>): Effect.Effect<A, Failure> => {
    const written = Effect.flatMap(Effect.forkDetach(writing, { startImmediately: true }), Fiber.join)
    return Effect.catchCause(withTimeout(storageWriteMsMax, written), failed(task))
  }

  return { read, write }
}

const oneRetry = { times: 1, schedule: Schedule.jittered(Schedule.spaced(backgroundRetryMs)) }

/** Retries background work once. None if it failed twice, which is logged: the next round repeats the work. */
export const retryOnceOrLog = <A, E, R>(
  task: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, never, R> =>
  work.pipe(
    // The retry avoids log lines about connections that open slowly on a busy machine, especially at startup.
    Effect.retry(oneRetry),
    Effect.asSome,
    Effect.catchCause((cause) => Effect.as(logStorageFailure(task, cause), Option.none()))
  )
