/** Whether the bundle in `dist/` is as new as the sources. */

import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const sources = join(root, "src")
export const bundle = join(root, "dist", "main.js")

const modifiedMs = (path) => statSync(path).mtimeMs

const newestSourceMs = () =>
  readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") || name.endsWith(".sql"))
    .reduce((newest, name) => Math.max(newest, modifiedMs(join(sources, name))), 0)

/** Why the bundle cannot run; null when it can. An installation may have the bundle alone. */
export const reasonAgainstBundle = () => {
  if (!existsSync(bundle)) return "there is no bundle"
  if (!existsSync(sources)) return null
  return modifiedMs(bundle) < newestSourceMs() ? "the bundle is older than the sources" : null
}
