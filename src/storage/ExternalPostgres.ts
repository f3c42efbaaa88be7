/** The PostgreSQL server that DATABASE_URL names, checked once at the start. */

import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { databaseConnectMs, postgresVersionMin } from "../Limits.ts"
import { DatabaseProblem } from "./DatabaseProblem.ts"
import { sqlState } from "./SqlState.ts"

/** The same URL, once a server of a fitting version has answered there. */
export const openExternalPostgres = Effect.fn("ExternalPostgres.open")(function* (
  url: Redacted.Redacted
): Effect.fn.Return<Redacted.Redacted, DatabaseProblem> {
  const version = yield* serverVersion(url).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.mapError(
      (error) =>
        new DatabaseProblem({
          message: `DATABASE_URL: the server does not let us in (${reasonOf(error)}): give postgres://user:password@host:port/database of a running PostgreSQL ≥ ${postgresVersionMin}`,
          cause: error
        })
    )
  )
  const major = Math.floor(version / 10_000)
  if (major >= postgresVersionMin) return url
  return yield* new DatabaseProblem({
    message: `DATABASE_URL: the server is PostgreSQL ${major}; this needs ${postgresVersionMin} or newer`
  })
})

const serverVersion = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const sql = yield* PgClient.makeClient({ url, connectTimeout: databaseConnectMs })
  const [row] = yield* sql<{ readonly version: number }>`
    SELECT current_setting('server_version_num')::int AS version
  `
  return row?.version ?? 0
})

/** The SQLSTATE or the socket's error code: never the URL, which holds a password. */
const reasonOf = (error: {
  readonly reason: { readonly message: string; readonly cause: unknown }
}): string => sqlState(error) ?? codeOf(error.reason.cause) ?? error.reason.message

const codeOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null
