/** Runs examples/verify-evidence.mjs as an outsider does: with the system's Node if there is one, else with ours. */

import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Not the one that npm brings along. */
const node =
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .find(isProgram) ?? process.execPath

const verifier = join(import.meta.dirname, "../../examples/verify-evidence.mjs")

export const standAlone = (...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(node, [verifier, ...args], { encoding: "utf8" })
  return { code: status, stdout, stderr }
}
