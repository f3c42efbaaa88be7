/** The changelog that a release must stand in. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readChangelog } from "../changelog.ts"
import type { Root } from "../readTree.ts"

/** Without entries where there is no such file. */
export const changelogAt = (root: Root, file: string) => {
  const path = join(root, file)
  return { file, entries: existsSync(path) ? readChangelog(readFileSync(path, "utf8")) : [] }
}
