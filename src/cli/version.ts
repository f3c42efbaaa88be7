/** The version of this package. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../rules/files/readTree.ts"

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8")
)

export const version = manifest.version
