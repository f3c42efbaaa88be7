/** `npm pack` runs this after the bundle: writes the types of the clients, and `dist/client-package`, the client as a package of its own. */

import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = import.meta.dirname
const types = join(root, "dist/types")
const clientPackage = join(root, "dist/client-package")

rmSync(types, { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.pack.json"], {
  cwd: root,
  stdio: "inherit"
})

/** What an import of each of these files reads. The compiler writes declarations of all that it saw, down to the rules. */
const reachableFrom = (entries: ReadonlyArray<string>): ReadonlySet<string> => {
  const reachable = new Set<string>()
  const open = entries.map((entry) => join(types, entry))
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reachable.has(path)) continue
    reachable.add(path)
    for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]*)\.ts"/g))
      open.push(join(dirname(path), `${target}.d.ts`))
  }
  return reachable
}

const published = reachableFrom([
  "agents/frameworks.d.ts",
  "client/actionRisk.d.ts",
  "client/effectClient.d.ts"
])

/** Declarations keep the names of the sources, and whoever installs the package has none of those. */
for (const name of readdirSync(types, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue
  const path = join(types, name)
  if (!published.has(path)) {
    rmSync(path)
    continue
  }
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'))
}

writeFileSync(
  join(types, "client.d.ts"),
  `export * from "./client/actionRisk.js"
export type { Answer, ClientCode, NoOpinion } from "./client/Answer.js"
export type { Assessment, ProposedAction } from "./client/Assessment.js"
export type { ObservedFigures, OutcomeReported, OutcomeStored, Reported } from "./client/Reported.js"
`
)

const { license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

rmSync(clientPackage, { recursive: true, force: true })
mkdirSync(clientPackage, { recursive: true })
for (const part of ["client.d.ts", "client", "domain", "json"])
  cpSync(join(types, part), join(clientPackage, part), {
    recursive: true,
    filter: (path) => !path.includes("effectClient")
  })
cpSync(join(root, "dist/client.js"), join(clientPackage, "client.js"))
writeFileSync(
  join(clientPackage, "package.json"),
  `${JSON.stringify(
    {
      name: "action-risk-client",
      version,
      description: "Ask a service of action-risk how risky an action is, with fetch alone",
      license,
      private: true,
      type: "module",
      engines: { node: ">=20" },
      exports: { ".": { types: "./client.d.ts", default: "./client.js" } }
    },
    null,
    2
  )}\n`
)
