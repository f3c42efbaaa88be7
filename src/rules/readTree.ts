/** Reads the working files under `rules/` and `policies/`. */

import { type Dirent, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { Result } from "effect"
import { type Read, readEvery } from "./Read.ts"
import type { PolicyFiles, RuleFiles, SourceFile } from "./SourceFile.ts"

/** The folder that holds `rules/` and `policies/`. */
export type Root = string

const because = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Invariant: file names in findings use `/` on every platform, since reviewers and goldens compare them. */
const nameIn = (root: Root, path: string): string => relative(root, path).replaceAll("\\", "/")

const withoutSchemaLine = (json: unknown): unknown => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json
  const { $schema: _, ...rest } = json as { readonly $schema?: unknown }
  return rest
}

export const readSource = (root: Root, path: string): Read<SourceFile> =>
  Result.try({
    try: () => ({
      file: nameIn(root, path),
      name: basename(path, ".json"),
      folder: basename(dirname(path)),
      json: withoutSchemaLine(JSON.parse(readFileSync(path, "utf8")))
    }),
    catch: (cause) => [{ file: nameIn(root, path), path: [], message: because(cause) }]
  })

/** Entries of a folder and, where wanted, of the folders in it; none where there is no such folder. */
export const entriesOf = (folder: string, recursive = false): ReadonlyArray<Dirent> => {
  try {
    return readdirSync(folder, { recursive, withFileTypes: true })
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  }
}

/** JSON files at any depth, in code unit order. */
const listJson = (folder: string): ReadonlyArray<string> =>
  entriesOf(folder, true)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

const isCases = (path: string): boolean => path.endsWith(".cases.json")

const readFolder = (root: Root, folder: string): Read<ReadonlyArray<SourceFile>> =>
  readEvery(
    listJson(folder)
      .filter((path) => !isCases(path))
      .map((path) => readSource(root, path))
  )

export const readCaseFiles = (root: Root, folder: string): Read<ReadonlyArray<SourceFile>> =>
  readEvery(
    listJson(folder)
      .filter(isCases)
      .map((path) => readSource(root, path))
  )

export const readRuleTree = (root: Root): Read<RuleFiles> => {
  const rules = join(root, "rules")
  return Result.gen(function* () {
    const [ruleset, currencies] = yield* readEvery([
      readSource(root, join(rules, "ruleset.json")),
      readSource(root, join(rules, "currencies.json"))
    ])
    const [lexicon = [], factors = [], typologies = []] = yield* readEvery(
      ["lexicon", "factors", "typologies"].map((folder) => readFolder(root, join(rules, folder)))
    )
    if (ruleset === undefined || currencies === undefined) return yield* Result.fail([])
    return { ruleset, currencies, lexicon, factors, typologies }
  })
}

export const readPolicyTree = (root: Root, set: string): Read<PolicyFiles> => {
  const folder = join(root, "policies", set)
  return Result.gen(function* () {
    const policy = yield* readSource(root, join(folder, "policy.json"))
    const files = yield* readFolder(root, folder)
    return { policy, rules: files.filter(({ name }) => name !== "policy") }
  })
}
