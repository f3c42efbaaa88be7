/** Data directories for tests that run real processes: made once, then copied, because initdb is slow. */

import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A path that does not exist yet, in a folder that everyone may enter. */
export const freshDataDirectory = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-data-"))
  execFileSync("chmod", ["711", folder])
  return join(folder, "data")
}

/** With owners and modes, which PostgreSQL requires. */
export const copyOf = (dataDirectory: string): string => {
  const copy = freshDataDirectory()
  execFileSync("cp", ["-a", dataDirectory, copy])
  return copy
}

/** The process id of the running postmaster; null if none runs. */
export const postmasterOf = (dataDirectory: string): number | null => {
  const path = join(dataDirectory, "postgres", "postmaster.pid")
  return existsSync(path) ? Number(readFileSync(path, "utf8").split("\n")[0]) : null
}

/** Kills the postmaster if one still runs, and removes everything. */
export const removeDataDirectory = (dataDirectory: string): void => {
  const postmaster = postmasterOf(dataDirectory)
  if (postmaster !== null && existsSync(`/proc/${postmaster}`)) process.kill(postmaster, "SIGQUIT")
  rmSync(join(dataDirectory, ".."), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
