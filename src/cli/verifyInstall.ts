/** `action-risk verify-install`: compares the installed files with the digests in the package. */

import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { packageRoot } from "../rules/files/readTree.ts"
import { refuse } from "./commandFailures.ts"
import { int, members, nullOr, string } from "./jsonShapes.ts"
import { lines, printable, type Terminal } from "./Terminal.ts"
import { counted } from "./texts.ts"
import { verb } from "./verb.ts"

/** In the format of `sha256sum`. Created by `npm pack`. */
const digestsFile = "dist/SHA256SUMS"
const partsFile = "dist/sbom.cdx.json"

/** Folders of the package that contain only programs. Operators may add files to the others. */
const programFolders = ["bin", "dist"]

const Names = (description: string) => Schema.Array(Schema.String).annotate({ description })

const verifyInstallShape = members({
  folder: Schema.String,
  files: int("Files whose digest is known."),
  digestsSha256: string(
    `SHA-256 of \`${digestsFile}\`. Compare it with one from outside the package: a list in the package can be changed together with its files.`
  ),
  changed: Names("Files whose content changed since they were packed."),
  missing: Names("Files that are missing."),
  unknown: Names(`Files in ${programFolders.join(" or ")} that were not packed.`),
  parts: nullOr(Schema.String, "The parts of the package, as CycloneDX; null if the file is missing.")
})
type Verified = typeof verifyInstallShape.Type

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const digestsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, digest = "", path = ""]) => [path, digest])
  )

const filesBelow = (folder: string, below: string): ReadonlyArray<string> =>
  readdirSync(join(folder, below), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))

/** Null if the folder is not an installed package. A checkout keeps the digests of what it packed, and its files may change. */
export const verifyInstalled = (folder: string): Verified | null => {
  const list = join(folder, digestsFile)
  if (!existsSync(list) || existsSync(join(folder, "src"))) return null
  const digests = digestsIn(readFileSync(list, "utf8"))
  const paths = [...digests.keys()]
  const missing = paths.filter((path) => !existsSync(join(folder, path)))
  const isChanged = (path: string): boolean =>
    !missing.includes(path) && sha256(readFileSync(join(folder, path))) !== digests.get(path)
  return {
    folder,
    files: digests.size,
    digestsSha256: sha256(readFileSync(list)),
    changed: paths.filter(isChanged),
    missing,
    unknown: programFolders
      .filter((below) => existsSync(join(folder, below)))
      .flatMap((below) => filesBelow(folder, below))
      .filter((path) => path !== digestsFile && !digests.has(path))
      .toSorted(),
    parts: existsSync(join(folder, partsFile)) ? join(folder, partsFile) : null
  }
}

const render = ({ color }: Terminal, found: Verified): string => {
  const problems = (["changed", "missing", "unknown"] as const).flatMap((how) =>
    found[how].map((path) => color("red", `${how.padEnd(8)} ${printable(path)}`))
  )
  const result =
    problems.length === 0
      ? `${counted(found.files, "file")} as packed`
      : `${counted(problems.length, "file")} not as packed`
  return lines(
    problems,
    `${result}, in ${printable(found.folder)}`,
    `${found.digestsSha256}  ${digestsFile}`,
    found.parts !== null && color("dim", `its parts, as CycloneDX: ${printable(found.parts)}`)
  ).join("\n")
}

export const verifyInstall = verb({
  about: "Verify that the installed files are those in the package",
  takes: {},
  prints: verifyInstallShape,
  fails: "a file is changed, missing or unknown, or this is a checkout, which has no digests",
  examples: {
    "": "After an installation, and whenever you doubt the machine",
    "--json": "For scripts: `digests_sha256` is the one figure to compare with another machine"
  },
  run: Effect.fnUntraced(function* () {
    const found = verifyInstalled(packageRoot)
    if (found === null)
      return yield* refuse(`no digests to compare with: only a package from \`npm pack\` has them`)
    return {
      json: () => found,
      text: (screen) => render(screen, found),
      ok: found.changed.length + found.missing.length + found.unknown.length === 0
    }
  })
})
