/** `npm run lockfile`: completes both lockfiles after dependencies changed, where npm left other platforms out. */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { completed, lockfiles, missingOptionals } from "./completed.ts"

for (const name of lockfiles) {
  const file = join(import.meta.dirname, "..", "..", name)
  const lockfile = JSON.parse(readFileSync(file, "utf8"))
  const missing = missingOptionals(lockfile)
  writeFileSync(file, `${JSON.stringify(completed(lockfile), null, 2)}\n`)
  console.log(
    missing.size === 0
      ? `${name} is complete`
      : `locked ${missing.size} packages of other platforms in ${name}`
  )
}
