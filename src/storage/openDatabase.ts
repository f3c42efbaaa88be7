/** Opens the PostgreSQL server in DATABASE_URL, or the embedded one. */

import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer, type Redacted, Schedule, Schema } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { AppConfig } from "../config.ts"
import { databaseConnectMs, databaseStartMs, organizationGroups, postgresVersionMin } from "../limits.ts"
import { Database, type Logins, roleLogins } from "./Database.ts"
import { clusterFolder, isInitialized } from "./embeddedPostgres/Cluster.ts"
import { openEmbeddedPostgres } from "./embeddedPostgres/EmbeddedPostgres.ts"
import { findPrimary, followingPrimary, serversOf } from "./findPrimary.ts"
import { decodeRows } from "./sql/rows.ts"
import { DatabaseProblem, passingWithin, sqlState } from "./storageErrors.ts"

interface Opening {
  /** If true, no other server may use the data directory. */
  readonly serving: boolean
  /** If true, creates the embedded database if it does not exist. */
  readonly makes: boolean
}

const openDatabase = Effect.fnUntraced(function* ({ makes, serving }: Opening) {
  const { databaseUrl, databaseUrlControl, databaseUrlLive, databaseUrlTest, dataDirectory, distributed } =
    yield* AppConfig
  if (databaseUrl === null) {
    if (distributed !== null)
      return yield* new DatabaseProblem({
        message: "DISTRIBUTED=citus needs DATABASE_URL: the embedded database is one server"
      })
    if (!makes && !isInitialized(clusterFolder(dataDirectory)))
      return yield* new DatabaseProblem({
        message: `there is no database in DATA_DIR ${dataDirectory} yet: action-risk serve creates one`
      })
    const url = yield* openEmbeddedPostgres({ dataDirectory, serving })
    return Database.of({ kind: "embedded", url, logins: roleLogins(url) })
  }
  const givenLogins: Logins = {
    ...(databaseUrlControl && { control: databaseUrlControl }),
    ...(databaseUrlLive && { live: databaseUrlLive }),
    ...(databaseUrlTest && { test: databaseUrlTest })
  }
  const servers = serversOf(databaseUrl)
  const groups = distributed === null ? undefined : organizationGroups
  for (const [schema, login] of Object.entries(givenLogins)) {
    const { length } = serversOf(login)
    if (length === 1 || length === servers.length) continue
    return yield* new DatabaseProblem({
      message: `DATABASE_URL_${schema.toUpperCase()} names ${length} hosts and DATABASE_URL ${servers.length}: name the same hosts in the same order`
    })
  }
  if (servers.length === 1) {
    const url = yield* onceStarted(openExternalPostgres(databaseUrl))
    return Database.of({ kind: "external", url, logins: givenLogins, groups })
  }
  const { primary, url } = yield* onceStarted(openPrimary(servers))
  const everyLogin = { control: databaseUrl, live: databaseUrl, test: databaseUrl, ...givenLogins }
  return Database.of({ kind: "external", url, logins: everyLogin, primary, groups })
})

/** Waits for a server that is still starting: it may have started together with the service, or be recovering after a crash of both. */
const onceStarted = <A, R>(
  opening: Effect.Effect<A, DatabaseProblem, R>
): Effect.Effect<A, DatabaseProblem, R> =>
  Effect.suspend(() =>
    Effect.retry(opening, {
      schedule: Schedule.spaced("250 millis"),
      while: passingWithin(databaseStartMs)
    })
  )

const openPrimary = Effect.fnUntraced(function* (servers: ReadonlyArray<Redacted.Redacted>) {
  const { failures, found } = yield* findPrimary(servers)
  const url = found === null ? undefined : servers[found.place]
  if (found === null || url === undefined) {
    const away = failures.length === 0 ? "" : `; no answer: ${failures.map(reasonOf).join(", ")}`
    return yield* new DatabaseProblem({
      message: `DATABASE_URL: none of its ${servers.length} servers takes writes${away}: start the primary, or promote a standby`,
      passing: failures.some(isStarting)
    })
  }
  yield* openExternalPostgres(url)
  return { url, primary: yield* followingPrimary(servers, found) }
})

/** For commands: uses a running server, or starts one for the duration of the command. Refuses if there is no database. */
export const databaseLayer = Layer.effect(Database, openDatabase({ serving: false, makes: false }))

/** For commands that may be the first one: creates the database if it does not exist. */
export const newDatabaseLayer = Layer.effect(Database, openDatabase({ serving: false, makes: true }))

/** The database of `serve` while it is being opened. Layers that need no database are built in the meantime. */
export class OpeningDatabase extends Context.Service<
  OpeningDatabase,
  Fiber.Fiber<Database["Service"], DatabaseProblem>
>()("action-risk/storage/OpeningDatabase") {
  static readonly layer = Layer.effect(
    OpeningDatabase,
    Effect.forkScoped(openDatabase({ serving: true, makes: true }), { startImmediately: true })
  )
}

/** For `serve`: no other server may use its data directory. */
export const servingDatabaseLayer = Layer.effect(
  Database,
  Effect.flatMap(OpeningDatabase, (opening) => Fiber.join(opening))
)

/** Returns `url` once a server of a supported version has answered there. */
const openExternalPostgres = Effect.fn("ExternalPostgres.open")(function* (
  url: Redacted.Redacted
): Effect.fn.Return<Redacted.Redacted, DatabaseProblem> {
  const version = yield* serverVersion(url).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.mapError(
      (error) =>
        new DatabaseProblem({
          message: `DATABASE_URL: ${refusalOf(reasonOf(error))} (${reasonOf(error)}): give postgres://user:password@host:port/database of a running PostgreSQL ≥ ${postgresVersionMin}`,
          passing: isStarting(error),
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
  const [row] = yield* decodeRows(Schema.Struct({ version: Schema.Int }))(sql`
    SELECT current_setting('server_version_num')::int AS version
  `)
  return row?.version ?? 0
})

/** The server listens, but refuses sessions until it has replayed its log. */
const isStarting = (error: unknown): boolean => sqlState(error) === "57P03"

const refusalOf = (reason: string): string =>
  withoutServer.test(reason) ? "no server answers there" : "the server refuses the connection"

/** Failures in which no server has seen the user or the password. */
const withoutServer = /^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|NOENT|NOTFOUND|TIMEDOUT|AI_AGAIN)$/

/** The SQLSTATE or the socket's error code. Never the URL, because it contains a password. */
const reasonOf = (error: {
  readonly reason: { readonly message: string; readonly cause: unknown }
}): string => sqlState(error) ?? codeOf(error.reason.cause) ?? error.reason.message

const codeOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null
