/** `action-risk status`: shows whether the service is running and what its database contains. Changes nothing. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { AppConfig } from "../../config.ts"
import { urlOf } from "../../environment.ts"
import { databaseConnectMs, statusProbeMs } from "../../limits.ts"
import { Database } from "../../storage/Database.ts"
import { databaseLayer } from "../../storage/openDatabase.ts"
import { isServed } from "../../storage/embeddedPostgres/Session.ts"
import { schemaVersion } from "../../storage/migrate.ts"
import { table, type Terminal } from "../Terminal.ts"
import { members, nullOr } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const Count = nullOr(Schema.Int, "Null if the database cannot be read.")

const statusShape = members({
  server: Schema.Literals(["running", "stopped"]),
  database: Schema.Struct({ kind: Schema.Literals(["embedded", "external"]), reachable: Schema.Boolean }),
  schemaVersion: nullOr(Schema.Int, "Null if the database has no schema of this service."),
  schemaVersionOfThisRelease: Schema.Int,
  organizations: Count,
  keys: Count
})

export const status = verb({
  about: "Show whether the service runs and what its database contains",
  takes: {},
  prints: statusShape,
  fails: "there is no database to read",
  reads: "`DATABASE_URL`, `DATA_DIR`, and `HOST`, `PORT` or `PUBLIC_URL` to find the server",
  examples: {
    "--json": "For scripts; exit code 1 without a database"
  },
  run: Effect.fnUntraced(function* () {
    const current = yield* readStatus
    return {
      json: () => ({
        ...current,
        server: current.serving ? "running" : "stopped",
        database: { kind: current.kind, reachable: current.problem === null },
        schemaVersionOfThisRelease: schemaVersion
      }),
      text: (screen) => renderStatus(screen, current),
      refused: current.problem
    }
  })
})

const renderStatus = (screen: Terminal, found: ServiceStatus): string => {
  const schema = `${found.schemaVersion ?? "none"}${found.schemaVersion === schemaVersion ? "" : ` (this release has ${schemaVersion})`}`
  const rows = [
    ["server", mark(found.serving, "running", "stopped")],
    ["database", mark(found.problem === null, `${found.kind}, reachable`, `${found.kind}, not reachable`)],
    ["schema version", schema],
    ["organizations", String(found.organizations ?? "unknown")],
    ["keys", String(found.keys ?? "unknown")]
  ]
  return table(screen, rows, 0).join("\n")
}

const mark = (good: boolean, yes: string, no: string) =>
  ({ text: good ? yes : no, style: good ? "green" : "yellow" }) as const

/** Null if the database cannot be read or has no schema of this service yet. */
const unread = { schemaVersion: null, organizations: null, keys: null }

interface ServiceStatus extends Pick<typeof statusShape.Type, keyof typeof unread> {
  readonly kind: "embedded" | "external"
  readonly serving: boolean
  /** Why the database cannot be read; null if it can. */
  readonly problem: string | null
}

const readStatus = Effect.gen(function* () {
  const { databaseUrl } = yield* AppConfig
  const kind = databaseUrl === null ? "embedded" : "external"
  return yield* readDatabase(kind).pipe(
    Effect.provide(databaseLayer),
    Effect.catchTag("DatabaseProblem", ({ message: problem }) =>
      Effect.succeed<ServiceStatus>({ ...unread, kind, serving: false, problem })
    )
  )
})

const readDatabase = Effect.fnUntraced(
  function* (kind: ServiceStatus["kind"]) {
    const { url } = yield* Database
    const sql = yield* PgClient.makeClient({ url, connectTimeout: databaseConnectMs })
    const serving = kind === "embedded" ? yield* isServed(sql) : yield* serverAnswers
    const [schema] = yield* sql<{ readonly exists: boolean }>`
      SELECT to_regclass('control.migrations') IS NOT NULL AND to_regclass('control.api_keys') IS NOT NULL AS exists
    `
    const empty: ServiceStatus = { ...unread, kind, serving, problem: null }
    if (schema?.exists !== true) return empty
    const [counted] = yield* sql<Pick<ServiceStatus, keyof typeof unread>>`
      SELECT
        (SELECT max(migration_id) FROM control.migrations) AS "schemaVersion",
        (SELECT count(*)::int FROM control.organizations) AS organizations,
        (SELECT count(*)::int FROM control.api_keys) AS keys
    `
    return { ...empty, ...counted }
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

/** Asks the configured address over HTTP, because an external database does not know which processes serve it. */
const serverAnswers = Effect.gen(function* () {
  const { host, port, publicUrl } = yield* AppConfig
  const base = publicUrl ?? urlOf(host, port)
  const probe = Effect.tryPromise((signal) => fetch(`${base}/api/public/v1/status`, { signal }))
  return yield* probe.pipe(
    Effect.timeout(statusProbeMs),
    Effect.match({ onFailure: () => false, onSuccess: ({ ok }) => ok })
  )
})
