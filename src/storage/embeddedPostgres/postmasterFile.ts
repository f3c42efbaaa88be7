/** What PostgreSQL itself writes about its running server: `postmaster.pid`. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Cluster } from "./Cluster.ts"

/** The folder of the running server's socket; null when no server of this very cluster wrote one. */
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
