/** Where compiled files are stored: next to the bundle, which ships those of the newest release, and in a cache that is filled on first use. */

/* A file is named by the digest of its source and the digest of the code that compiled it. */

import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { compiledFilesMax } from "../../limits.ts"
import { packageRoot } from "../files/readTree.ts"
import { encodeData } from "./encodeData.ts"
import { openData } from "./openData.ts"

/** `verified`: both evaluators agree on a rule set. `checked`: a check of these files had no findings; contains the list of files. */
type Kind = "checked" | "lexicon" | "release" | "verified"

/** Defined by the bundle. Without it, the sources are hashed. */
declare const ACTION_RISK_CODE: string | undefined

const bundled = typeof ACTION_RISK_CODE === "string" ? ACTION_RISK_CODE : undefined

const codeFolders = ["domain", "json", "rules", "scoring"].map((name) => join(packageRoot, "src", name))

const digestOfSources = (): string => {
  const digest = createHash("sha256")
  for (const folder of codeFolders)
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
      if (name.endsWith(".ts")) digest.update(name).update(readFileSync(join(folder, name)))
  return digest.digest("hex").slice(0, codeLength)
}

const codeLength = 16

/** Identifies the code that reads the rules. Files compiled by another version are not used. */
export const codeDigest: () => string = (() => {
  let known = bundled
  return () => (known ??= digestOfSources())
})()

const cache = join(packageRoot, "node_modules", ".cache", "action-risk", "rules")
const beside = join(packageRoot, "dist")
const folders = [beside, cache]

const nameOf = (kind: Kind, digest: string): string => `${kind}-${digest}.${codeDigest()}.bin`

const reported = new Set<string>()

/** Prints one line to standard error: answers are unaffected, but startup is slower. */
const report = (message: string): void => {
  if (reported.has(message)) return
  reported.add(message)
  process.stderr.write(`action-risk: ${message}: the rules are read from their JSON, which takes longer\n`)
}

const openFile = (path: string): unknown => {
  try {
    const data = openData(readFileSync(path))
    if (data !== undefined) return data
    report(`${path} is damaged`)
  } catch (cause) {
    report(`${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`)
  }
  return undefined
}

/**
 * The data compiled from a text with this digest. Undefined if there is no intact file; the caller then reads the text. The caller knows
 * the type, because the file's name identifies its kind and the code that wrote it.
 */
export const openCompiled = <A>(kind: Kind, digest: string): A | undefined => {
  const name = nameOf(kind, digest)
  for (const path of folders.map((folder) => join(folder, name))) {
    const data = existsSync(path) ? openFile(path) : undefined
    if (data !== undefined) return data as A
  }
  return undefined
}

/** Reports that a file shipped with the bundle is missing. A source checkout has none before the first use. */
export const reportMissing = (what: string, files: ReadonlyArray<readonly [Kind, digest: string]>): void => {
  const isThere = ([kind, digest]: (typeof files)[number]) => hasCompiled(beside, kind, digest)
  if (bundled !== undefined && !files.every(isThere)) report(`${what} has no compiled form`)
}

export const hasCompiled = (folder: string, kind: Kind, digest: string): boolean =>
  existsSync(join(folder, nameOf(kind, digest)))

const removeOldest = (folder: string): void => {
  const files = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
  for (const { name } of files.toSorted((a, b) => b.at - a.at).slice(compiledFilesMax))
    rmSync(join(folder, name), { force: true })
}

/** Writes to a temporary name first, because another process may be reading the file. */
export const writeCompiled = (folder: string, kind: Kind, digest: string, data: unknown): void => {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, nameOf(kind, digest))
  const made = `${path}.${process.pid}`
  writeFileSync(made, encodeData(data))
  renameSync(made, path)
}

/** Stores it in the cache. An installation without write access uses only what the bundle ships. */
export const keepCompiled = (kind: Kind, digest: string, data: unknown): void => {
  try {
    writeCompiled(cache, kind, digest, data)
    removeOldest(cache)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause
  }
}
