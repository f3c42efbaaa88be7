/** `npm run lockfile`: completes package-lock.json after dependencies changed, where npm left other platforms out. */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { completed, missingOptionals } from "./completed.ts"

const file = join(import.meta.dirname, "..", "..", "package-lock.json")
const lockfile = JSON.parse(readFileSync(file, "utf8"))
const missing = missingOptionals(lockfile)
writeFileSync(file, `${JSON.stringify(completed(lockfile), null, 2)}\n`)
console.log(
  missing.size === 0 ? "package-lock.json is complete" : `locked ${missing.size} packages of other platforms`
)
