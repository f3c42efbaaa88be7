/** Reads database failures by their SQLSTATE, because the driver calls several of them unknown. */

import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** The five-character code that PostgreSQL gave; null when the failure is not one of its answers. */
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
export type DatabaseFailure = "unavailable" | "conflict" | "unique" | "fault"

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
