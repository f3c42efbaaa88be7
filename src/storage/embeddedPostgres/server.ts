/** Starts and stops the embedded server with `pg_ctl`. */

import { Effect } from "effect"
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { postgresStartMs, postgresStopMs, socketPathBytesMax } from "../../Limits.ts"
import { DatabaseProblem } from "../DatabaseProblem.ts"
import { type Cluster, giveToServer } from "./Cluster.ts"
import { lastLine } from "./lastLine.ts"
import { socketFolderInUse } from "./postmasterFile.ts"
import { runServerCommand } from "./runServerCommand.ts"

const socketFolderPrefix = "action-risk-"
const longestSocketName = `${socketFolderPrefix}XXXXXX/.s.PGSQL.5432.lock`

const settings = [
  "listen_addresses=",
  "unix_socket_permissions=0700",
  "timezone=UTC",
  "log_timezone=UTC",
  "max_connections=100",
  // Invariant: no value of a caller reaches the server's log, neither by a failing statement nor by a detail of it.
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  "log_checkpoints=off"
]

/** What the server says while an earlier one of the same folder is still ending, or another start is under way. */
const stillHeld = /lock file .* already exists|pre-existing shared memory block|could not create lock file/
/** What an ending server, whose log is the same file, tells its own sessions: no reason of the one that starts. */
const ofTheEarlier =
  /terminating connection due to administrator command|the database system is shutting down/

/** Fails with the server's own words where it does not start. */
export const startServer = Effect.fnUntraced(function* (
  cluster: Cluster,
  preferredSocketFolder: string | null
): Effect.fn.Return<void, DatabaseProblem> {
  const kept = preferredSocketFolder ?? socketFolderInUse(cluster)
  const socketFolder = kept !== null && existsSync(kept) ? kept : yield* makeSocketFolder(cluster)
  closeSync(openSync(cluster.log, "a", 0o600))
  giveToServer(cluster, cluster.log)
  const loggedBefore = statSync(cluster.log).size
  const options = [...settings, `unix_socket_directories=${socketFolder}`, ...cluster.settings]
  const result = yield* pgCtl(cluster, postgresStartMs, [
    "start",
    `--log=${cluster.log}`,
    `--options=${options.map((setting) => `-c ${setting}`).join(" ")}`
  ])
  if (result.code === 0) return
  if (socketFolder !== kept) rmSync(socketFolder, { recursive: true, force: true })
  const logged = readFileSync(cluster.log).subarray(loggedBefore).toString("utf8")
  const told = logged.split("\n").filter((line) => /FATAL|PANIC/.test(line))
  const reason = told.find((line) => !ofTheEarlier.test(line)) ?? lastLine(result.output)
  return yield* new DatabaseProblem({
    message: `PostgreSQL does not start in ${cluster.folder}: ${reason}`,
    passing: stillHeld.test(reason) || told.some((line) => ofTheEarlier.test(line))
  })
})

/** Waits for open transactions to be rolled back and everything to be on disk. */
export const stopServer = Effect.fnUntraced(function* (cluster: Cluster) {
  const socketFolder = socketFolderInUse(cluster)
  const result = yield* pgCtl(cluster, postgresStopMs, ["stop", "--mode=fast"])
  if (result.code !== 0) {
    return yield* new DatabaseProblem({
      message: `PostgreSQL in ${cluster.folder} does not stop: ${lastLine(result.output)}`
    })
  }
  if (socketFolder !== null && basename(socketFolder).startsWith(socketFolderPrefix)) {
    rmSync(socketFolder, { recursive: true, force: true })
  }
})

const pgCtl = (cluster: Cluster, timeoutMs: number, args: ReadonlyArray<string>) =>
  runServerCommand({
    program: cluster.binaries.pgCtl,
    args: [...args, `--pgdata=${cluster.folder}`, "--wait", `--timeout=${timeoutMs / 1_000}`],
    account: cluster.account,
    paths: [cluster.dataDirectory],
    timeoutMs: timeoutMs + 1_000
  })

/** Socket paths are short by law of the kernel, so the socket never lies in DATA_DIR, which may be anywhere. */
const makeSocketFolder = (cluster: Cluster): Effect.Effect<string, DatabaseProblem> =>
  Effect.suspend(() => {
    const parent = ["/tmp", tmpdir()].find(
      (parent) =>
        existsSync(parent) && Buffer.byteLength(`${parent}/${longestSocketName}`) <= socketPathBytesMax
    )
    if (parent === undefined) {
      return new DatabaseProblem({
        message: "there is no folder for PostgreSQL's socket: make /tmp, or set TMPDIR to a short path"
      })
    }
    const folder = mkdtempSync(join(parent, socketFolderPrefix))
    giveToServer(cluster, folder)
    return Effect.succeed(folder)
  })
