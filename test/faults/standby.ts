/** A physical standby of an embedded cluster: a copy of its files, taken while it runs, that streams what the primary writes. */

import type { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { execFileSync } from "node:child_process"
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { clusterAt } from "../../src/storage/embeddedPostgres/Cluster.ts"
import { socketFolderInUse, startServer, stopServer } from "../../src/storage/embeddedPostgres/server.ts"
import type { DatabaseProblem } from "../../src/storage/storageErrors.ts"
import { freshDataDirectory, removeDataDirectory } from "../support/dataDirectory.ts"

const standbyName = "standby1"

interface Standby {
  /** The folder of its socket. */
  readonly socket: string
  readonly stop: Effect.Effect<void, DatabaseProblem>
  /** Starts it again after a stop. */
  readonly start: Effect.Effect<void, DatabaseProblem>
}

/**
 * Starts the standby. From then on the primary acknowledges a commit once it is on the disks
 * of both. `sql` is a superuser's one connection to the primary: a backup begins and ends in the same.
 */
export const startStandby = Effect.fnUntraced(function* (
  primaryDirectory: string,
  primarySocket: string,
  sql: PgClient.PgClient
): Effect.fn.Return<Standby, DatabaseProblem | SqlError.SqlError | Error, Scope.Scope> {
  const dataDirectory = yield* Effect.acquireRelease(Effect.sync(freshDataDirectory), (directory) =>
    Effect.sync(() => removeDataDirectory(directory))
  )
  const folder = join(dataDirectory, "postgres")
  mkdirSync(dataDirectory, { mode: 0o711 })
  yield* sql`SELECT pg_backup_start('standby', fast => true)`
  execFileSync("cp", ["-a", join(primaryDirectory, "postgres"), folder])
  const [backup] = yield* sql<{ readonly labelfile: string }>`SELECT labelfile FROM pg_backup_stop()`
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(folder, name), { force: true })
  writeFileSync(join(folder, "backup_label"), backup?.labelfile ?? "")
  writeFileSync(join(folder, "standby.signal"), "")
  appendFileSync(
    join(folder, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${primarySocket} user=action_risk application_name=${standbyName}'\n`
  )
  const { gid, uid } = statSync(folder)
  for (const name of ["backup_label", "standby.signal"]) chownSync(join(folder, name), uid, gid)

  const cluster = yield* clusterAt(dataDirectory)
  yield* Effect.acquireRelease(startServer(cluster, null), () => Effect.ignore(stopServer(cluster)))
  yield* sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`)
  yield* sql`SELECT pg_reload_conf()`
  yield* sql`SELECT sync_state FROM pg_stat_replication WHERE sync_state = 'sync'`.pipe(
    Effect.filterOrFail(
      (rows) => rows.length === 1,
      () => new Error("the standby does not stream yet")
    ),
    Effect.retry({ times: 200, schedule: Schedule.spaced("50 millis") })
  )
  const socket = socketFolderInUse(cluster) ?? ""
  return { socket, stop: stopServer(cluster), start: startServer(cluster, socket) }
})
