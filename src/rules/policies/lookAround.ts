/** Looks at which policy sets there are and what each is made of, without reading a file: to notice that one changed. */

import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Root } from "../readTree.ts"
import { frozenFolder, newestFrozen } from "./loadPolicySet.ts"
import { reasonOf } from "../reasonOf.ts"

export interface Look {
  /** The newest frozen version; null where the working folder is all there is. */
  readonly frozen: string | null
  /** Another text where a file was added, removed or written since. */
  readonly print: string
}

const printFile = async (folder: string, name: string): Promise<string> => {
  const { ctimeMs, ino, mtimeMs, size } = await stat(join(folder, name))
  return [name, ino, size, mtimeMs, ctimeMs].join(" ")
}

const printFolder = async (folder: string): Promise<string> => {
  const names = (await readdir(folder, { recursive: true })).toSorted()
  return (await Promise.all(names.map((name) => printFile(folder, name)))).join("\n")
}

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
}

/** Fails where `policies/` itself cannot be looked into. */
export const lookAround = async (root: Root): Promise<ReadonlyMap<string, Look>> => {
  const policies = join(root, "policies")
  const names = await namesIn(policies)
  const releases = join(policies, frozenFolder)
  const frozen = newestFrozen(names.includes(`${frozenFolder}/`) ? await namesIn(releases) : [])
  const working = names.flatMap((name) => (name.endsWith("/") ? [name.slice(0, -1)] : []))
  const sets = new Set([...frozen.keys(), ...working.filter((name) => name !== frozenFolder)])
  const looks = [...sets].map(async (set): Promise<readonly [string, Look]> => {
    const version = frozen.get(set) ?? null
    const print =
      version === null ? printFolder(join(policies, set)) : printFile(releases, `${set}@${version}.json`)
    // What cannot be looked at, or vanishes under the look, is still there for the reading to say why.
    return [set, { frozen: version, print: await print.catch(reasonOf) }]
  })
  return new Map(await Promise.all(looks))
}
