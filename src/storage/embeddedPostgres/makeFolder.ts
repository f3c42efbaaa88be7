/** Makes a folder and what it lies in, one level at a time. */

import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

const isThere = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EEXIST"

/** Node's recursive call never returns where the kernel lets nobody make a folder, such as below /proc. */
export const makeFolder = (path: string, mode: number): void => {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (cause) {
    // Another process may start on the same folder at the same time.
    if (!isThere(cause)) throw cause
  }
}
