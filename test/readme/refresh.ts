/** Part of `npm run golden`: writes the outputs that README.md shows as they are now. */

import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { refreshed } from "./shownOutput.ts"

const file = "README.md"

const run = (command: string): string => execFileSync("bash", ["-c", command], { encoding: "utf8" })

writeFileSync(file, refreshed(readFileSync(file, "utf8"), run))
