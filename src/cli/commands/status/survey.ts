/** What can be seen of a service from its settings and its database, read without changing anything. */

import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { AppConfig } from "../../../Config.ts"
import { databaseConnectMs, statusProbeMs } from "../../../Limits.ts"
import { Database } from "../../../storage/Database.ts"
import { clusterFolder, isInitialized } from "../../../storage/embeddedPostgres/Cluster.ts"
import { isServed } from "../../../storage/embeddedPostgres/Session.ts"

export interface Survey {
  readonly kind: "embedded" | "external"
  readonly serving: boolean
  /** Why the database cannot be read. */
  readonly problem: string | null
  /** These three are null where the database cannot be read, or has no schema of ours yet. */
  readonly schemaVersion: number | null
  readonly organizations: number | null
  readonly keys: number | null
}

export const survey = Effect.gen(function* () {
  const { databaseUrl, dataDirectory } = yield* AppConfig
  const kind = databaseUrl === null ? "embedded" : "external"
  const unread = { kind, serving: false, schemaVersion: null, organizations: null, keys: null } as const
  if (databaseUrl === null && !isInitialized(clusterFolder(dataDirectory))) {
    const problem = `there is no database in DATA_DIR ${dataDirectory} yet: action-risk serve makes one`
    return { ...unread, problem } satisfies Survey
  }
  return yield* read(kind).pipe(
    Effect.provide(Database.layer),
    Effect.catchTag("DatabaseProblem", ({ message }) =>
      Effect.succeed<Survey>({ ...unread, problem: message })
    )
  )
})

const read = Effect.fnUntraced(
  function* (kind: Survey["kind"]) {
    const { url } = yield* Database
    const sql = yield* PgClient.makeClient({ url, connectTimeout: databaseConnectMs })
    const serving = kind === "embedded" ? yield* isServed(sql) : yield* answers
    const [schema] = yield* sql<{ readonly exists: boolean }>`
      SELECT to_regclass('control.migrations') IS NOT NULL AND to_regclass('control.api_keys') IS NOT NULL AS exists
    `
    const survey: Survey = {
      kind,
      serving,
      problem: null,
      schemaVersion: null,
      organizations: null,
      keys: null
    }
    if (schema?.exists !== true) return survey
    const [counted] = yield* sql<Pick<Survey, "schemaVersion" | "organizations" | "keys">>`
      SELECT
        (SELECT max(migration_id) FROM control.migrations) AS "schemaVersion",
        (SELECT count(*)::int FROM control.organizations) AS organizations,
        (SELECT count(*)::int FROM control.api_keys) AS keys
    `
    return { ...survey, ...counted }
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

/** Whether anything serves where these settings say: an external database does not know its replicas. */
const answers = Effect.gen(function* () {
  const { host, port, publicUrl } = yield* AppConfig
  const base = publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  const probe = Effect.tryPromise((signal) => fetch(`${base}/api/public/v1/status`, { signal }))
  return yield* probe.pipe(
    Effect.timeout(statusProbeMs),
    Effect.match({ onFailure: () => false, onSuccess: ({ ok }) => ok })
  )
})
