/** The processor time that processes have taken: what work costs, also on a machine that is busy with other work. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Stage } from "./openStage.ts"

/** The length of one tick of the kernel. */
const tickUs = 10_000

interface Process {
  readonly parent: number
  readonly us: number
}

/** Null where it has ended. */
const processOf = (pid: number): Process | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name before it may hold anything.
    const [, parent, , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { parent: Number(parent), us: (Number(user) + Number(system)) * tickUs }
  } catch {
    return null
  }
}

export const processorUsOf = (pid: number): number => processOf(pid)?.us ?? 0

/** The processor time of the service and of the open sessions of its database. */
export const processorUsOfBoth = ({ database, service }: Stage): number => {
  const pidFile = join(database.dataDirectory, "postgres/postmaster.pid")
  const postmaster = Number(readFileSync(pidFile, "utf8").split("\n")[0])
  const sessions = readdirSync("/proc").flatMap((name) => {
    const found = /^\d+$/.test(name) ? processOf(Number(name)) : null
    return found?.parent === postmaster ? [found.us] : []
  })
  return processorUsOf(service.pid) + sessions.reduce((sum, us) => sum + us, 0)
}
