/** Makes the cluster's files once, and starts and stops its server. */

import { Effect } from "effect"
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { initdbMs, postgresStartMs, postgresStopMs, socketPathBytesMax } from "../../limits.ts"
import { DatabaseProblem } from "../storageErrors.ts"
import { type Cluster, giveToServer, isInitialized } from "./Cluster.ts"
import { runServerCommand } from "./serverAccount.ts"

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
const lockStillHeld =
  /lock file .* already exists|pre-existing shared memory block|could not create lock file/
/** What an ending server, whose log is the same file, tells its own sessions: no reason of the one that starts. */
const fromEarlierServer =
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
  const reason = told.find((line) => !fromEarlierServer.test(line)) ?? lastLine(result.output)
  return yield* new DatabaseProblem({
    message: `PostgreSQL does not start in ${cluster.folder}: ${reason}`,
    passing: lockStillHeld.test(reason) || told.some((line) => fromEarlierServer.test(line))
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

/** Makes the cluster's folder once, all or nothing. */
const unfinished = "postgres.new-"

/**
 * Written next to its place and renamed, so that a process killed half-way leaves no half cluster and of two that start
 * at once one wins.
 */
export const initialize = Effect.fnUntraced(function* (
  cluster: Cluster
): Effect.fn.Return<void, DatabaseProblem> {
  removeLeftovers(cluster)
  const draft = join(cluster.dataDirectory, `${unfinished}${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  giveToServer(cluster, draft)
  const result = yield* runServerCommand({
    program: cluster.binaries.initdb,
    args: [
      `--pgdata=${draft}`,
      "--username=action_risk",
      "--no-instructions",
      // The socket's folder admits the server's account and root alone; nothing listens on the network.
      "--auth-local=trust",
      "--auth-host=reject",
      // Sorts alike on every machine, whatever its libraries.
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8"
    ],
    account: cluster.account,
    paths: [cluster.dataDirectory],
    timeoutMs: initdbMs
  })
  if (result.code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    return yield* new DatabaseProblem({
      message: `PostgreSQL cannot make its files in ${cluster.folder}: ${lastLine(result.output)}`
    })
  }
  moveIntoPlace(draft, cluster)
})

const moveIntoPlace = (draft: string, { folder }: Cluster): void => {
  try {
    renameSync(draft, folder)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    if (!isInitialized(folder)) throw cause
  }
}

const removeLeftovers = ({ dataDirectory }: Cluster): void => {
  for (const name of readdirSync(dataDirectory)) {
    if (!name.startsWith(unfinished)) continue
    const pid = Number(name.slice(unfinished.length))
    if (pid === process.pid || !isAlive(pid))
      rmSync(join(dataDirectory, name), { recursive: true, force: true })
  }
}

/** Whether some process has this id, ours to signal or not. */
const isAlive = (pid: number): boolean => {
  if (existsSync(`/proc/${pid}`)) return true
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/**
 * What PostgreSQL itself writes about its running server: `postmaster.pid`.
 * The folder of the running server's socket; null when no server of this very cluster wrote one.
 */
export const socketFolderInUse = (cluster: Cluster): string | null => {
  const path = join(cluster.folder, "postmaster.pid")
  if (!existsSync(path)) return null
  const [, folder, , , socketFolder] = readPidFile(path)
  // A copied data directory brings its original's file along: another cluster's server must never be taken for ours.
  return folder === cluster.folder && socketFolder !== undefined && socketFolder !== "" ? socketFolder : null
}

const readPidFile = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch {
    // The server removed it between the look and the read: it is stopping.
    return []
  }
}

/** The last line that a program printed: the one that says what was wrong. */
const lastLine = (output: string): string => output.trim().split("\n").at(-1)?.trim() ?? ""
