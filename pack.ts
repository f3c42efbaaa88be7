/** `npm pack` runs this after the bundle: writes the types of the clients, `dist/client-package` with the client as a package of its own, and the parts and digests of the whole package. */

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
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

const { license, name: packageName, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

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

const npm = (...args: ReadonlyArray<string>) =>
  JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 2 ** 20 }))

/** Without a time and a number of its own, so that the same sources give the same file. npm takes the name of the folder. */
const { serialNumber: _, ...parts } = npm("run", "--silent", "sbom")
const { timestamp: __, component, ...metadata } = parts.metadata
writeFileSync(
  join(root, "dist/sbom.cdx.json"),
  `${JSON.stringify({ ...parts, metadata: { ...metadata, component: { ...component, name: packageName } } }, null, 2)}\n`
)

/** `sha256sum -c dist/SHA256SUMS` reads it too. Last, because it has the digest of everything else. */
const digests = "dist/SHA256SUMS"
rmSync(join(root, digests), { force: true })
const [{ files }] = npm("pack", "--dry-run", "--json", "--ignore-scripts")
const sha256Of = (path: string) =>
  createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex")
writeFileSync(
  join(root, digests),
  files.map(({ path }: { readonly path: string }) => `${sha256Of(path)}  ${path}\n`).join("")
)
