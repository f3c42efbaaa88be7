/** Makes the cluster's folder once, all or nothing. */

import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { initdbMs } from "../../Limits.ts"
import { DatabaseProblem } from "../DatabaseProblem.ts"
import { type Cluster, giveToServer, isInitialized } from "./Cluster.ts"
import { lastLine } from "./lastLine.ts"
import { runServerCommand } from "./runServerCommand.ts"

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
