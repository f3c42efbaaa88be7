/** Creates the cluster's files once, and starts and stops its server. */

import { Effect } from "effect"
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { initdbMs, postgresStartMs, postgresStopMs, socketPathBytesMax } from "../../limits.ts"
import { DatabaseProblem } from "../storageErrors.ts"
import { type Cluster, giveToServer, isCode, isInitialized, isOnlyOurs, serverUid } from "./Cluster.ts"
import { runServerCommand } from "./serverAccount.ts"

const socketFolderPrefix = "action-risk-"
const longestSocketName = `${socketFolderPrefix}XXXXXX/.s.PGSQL.5432.lock`

const settings = [
  "listen_addresses=",
  "unix_socket_permissions=0700",
  "timezone=UTC",
  "log_timezone=UTC",
  "max_connections=100",
  // Invariant: no value of a caller reaches the server's log, neither through a failing statement nor through the details of its error.
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  "log_checkpoints=off"
]

/** Log lines of a server that cannot start yet, because an earlier server of the folder is still ending or another one is starting. */
const lockStillHeld =
  /lock file .* (already exists|is empty)|bogus data in lock file|PID file .* is empty|invalid data in PID file|pre-existing shared memory block|could not create lock file/
/** Lines in the same log file from a server that is ending or that another process is starting. They do not explain this failure. */
const fromAnotherServer =
  /terminating connection due to administrator command|the database system is (?:shutting down|starting up|not yet accepting connections)/

/** If the server does not start, fails with the reason from its log. */
export const startServer = Effect.fnUntraced(function* (
  cluster: Cluster,
  preferredSocketFolder: string | null
): Effect.fn.Return<void, DatabaseProblem> {
  removeStalePidFile(cluster)
  const kept =
    preferredSocketFolder === null
      ? socketFolderInUse(cluster)
      : yield* keepFolder(cluster, preferredSocketFolder)
  const socketFolder = kept ?? (yield* makeSocketFolder(cluster))
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
  const errors = logged.split("\n").filter((line) => /FATAL|PANIC/.test(line))
  const reason = errors.find((line) => !fromAnotherServer.test(line)) ?? lastLine(result.output)
  return yield* new DatabaseProblem({
    message: `PostgreSQL does not start in ${cluster.folder}: ${reason}`,
    passing: lockStillHeld.test(reason) || errors.some((line) => fromAnotherServer.test(line))
  })
})

/** Waits until open transactions are rolled back and all data is on disk. */
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

/** Connections of this process find the socket by its folder's path, so the folder is recreated if a /tmp cleaner removed it. */
const keepFolder = (cluster: Cluster, path: string): Effect.Effect<string, DatabaseProblem> =>
  Effect.suspend(() => {
    if (!existsSync(path)) {
      mkdirSync(path, { mode: 0o700 })
      giveToServer(cluster, path)
    }
    return isOnlyOurs(cluster, path, "folder")
      ? Effect.succeed(path)
      : new DatabaseProblem({
          message: `${path} belonged to PostgreSQL and now belongs to another account: start again`
        })
  })

/** The kernel limits the length of socket paths, so the socket is never in DATA_DIR, whose path may be long. */
const makeSocketFolder = (cluster: Cluster): Effect.Effect<string, DatabaseProblem> =>
  Effect.suspend(() => {
    const parent = ["/tmp", tmpdir()].find(
      (parent) =>
        existsSync(parent) && Buffer.byteLength(`${parent}/${longestSocketName}`) <= socketPathBytesMax
    )
    if (parent === undefined) {
      return new DatabaseProblem({
        message: "there is no folder for PostgreSQL's socket: create /tmp, or set TMPDIR to a short path"
      })
    }
    const folder = mkdtempSync(join(parent, socketFolderPrefix))
    giveToServer(cluster, folder)
    return Effect.succeed(folder)
  })

/** The prefix of the names of unfinished clusters, followed by the process id. */
const unfinished = "postgres.new-"

/** Created under a temporary name and then renamed: a killed process leaves no partial cluster, and of two processes one wins. */
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
      // Only the server's account and root can enter the socket's folder. Nothing listens on the network.
      "--auth-local=trust",
      "--auth-host=reject",
      // Sorts the same on every machine, independent of its libraries.
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

/** Whether a process with this id exists, even one that this process may not signal. */
const isAlive = (pid: number): boolean => {
  if (existsSync(`/proc/${pid}`)) return true
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return isCode(cause, "EPERM")
  }
}

/**
 * The folder of the running server's socket, as written by the server into `postmaster.pid`. Null if no server of this cluster wrote one.
 * After a machine crash the file may name a folder that is gone. Anyone could recreate it in /tmp and listen there, so only a folder of the
 * server's account counts.
 */
export const socketFolderInUse = (cluster: Cluster): string | null => {
  const path = pidFile(cluster)
  if (!isOnlyOurs(cluster, path, "file")) return null
  const [, folder, , , socketFolder] = readPidFile(path)
  // A copied data directory contains the file of its original, whose server must not be used.
  if (folder !== cluster.folder || socketFolder === undefined || socketFolder === "") return null
  return isOnlyOurs(cluster, socketFolder, "folder") ? socketFolder : null
}

const pidFile = ({ folder }: Cluster): string => join(folder, "postmaster.pid")

const readPidFile = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch {
    // The server removed the file after it was seen, so it is stopping.
    return []
  }
}

/**
 * Removes a pid file that would keep PostgreSQL from starting although no server of this cluster runs: a power loss leaves it empty or
 * torn, and after a restart of the machine its number may belong to another program. Only where /proc lists processes.
 */
const removeStalePidFile = (cluster: Cluster): void => {
  const path = pidFile(cluster)
  if (!existsSync(path)) return
  const lines = readPidFile(path)
  const [pid = ""] = lines
  const hasEnded = /^[1-9][0-9]*$/.test(pid) && !existsSync(`/proc/${pid}`)
  if (hasEnded || mayBeInUse(cluster)) return
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
    // If a server was started meanwhile and wrote its own file, that file is put back.
    if (mayBeInUse(cluster) || readPidFile(aside).join() !== lines.join()) linkSync(aside, path)
  } catch (cause) {
    // Another process was faster.
    if (existsSync(path) && existsSync(aside)) throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Whether a process works in the cluster's folder, as each process of a server does, or whether that cannot be ruled out. */
const mayBeInUse = (cluster: Cluster): boolean =>
  !existsSync("/proc/self/cwd") ||
  readdirSync("/proc").some((pid) => /^[0-9]+$/.test(pid) && mayWorkIn(cluster, `/proc/${pid}`))

const mayWorkIn = (cluster: Cluster, process: string): boolean => {
  try {
    return readlinkSync(`${process}/cwd`) === cluster.folder
  } catch (cause) {
    // In a container, root may not see the working folders of other accounts' processes.
    return (
      isCode(cause, "EACCES") && ownerOf(process) === serverUid(cluster) && nameOf(process) === "postgres"
    )
  }
}

/** Undefined for a process that has ended. */
const ownerOf = (process: string): number | undefined => statSync(process, { throwIfNoEntry: false })?.uid

/** Empty for a process that has ended. */
const nameOf = (process: string): string => {
  try {
    return readFileSync(`${process}/comm`, "utf8").trim()
  } catch {
    return ""
  }
}

/** The last line printed by a program, which says what was wrong. */
const lastLine = (output: string): string => output.trim().split("\n").at(-1)?.trim() ?? ""
