/** Reads the working files under `rules/` and `policies/`. */

import { Result } from "effect"
import { type Dirent, existsSync, readdirSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { isRecord } from "../../json/json.ts"
import { type Finding, inFile, type Read, readEvery } from "../Finding.ts"
import { readRuleJson } from "./readJson.ts"

/** The folder that holds `rules/` and `policies/`. */
export type Root = string

/** Invariant: file names in findings use `/` on every platform, since reviewers and goldens compare them. */
const nameIn = (root: Root, path: string): string => relative(root, path).replaceAll("\\", "/")

export const readSource = (root: Root, path: string): Read<SourceFile> => {
  const file = nameIn(root, path)
  return readRuleJson(path).pipe(
    Result.mapError((problems) => inFile(file, problems)),
    Result.flatMap((document): Read<SourceFile> => {
      if (!isRecord(document)) {
        return Result.fail([
          { rule: "wrong-type", file, path: [], message: "the document must be an object: `{` … `}`" }
        ])
      }
      const { $schema: _, ...json } = document
      return Result.succeed({ file, name: basename(path, ".json"), folder: basename(dirname(path)), json })
    })
  )
}

/** Entries of a folder and, where wanted, of the folders in it; none where there is no such folder. */
export const entriesOf = (folder: string, recursive = false): ReadonlyArray<Dirent> => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    // Node's own recursion follows links to folders, also to those that it stands in.
    const inner = recursive ? entries.filter((entry) => entry.isDirectory()) : []
    return [...entries, ...inner.flatMap(({ name }) => entriesOf(join(folder, name), true))]
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  }
}

/** JSON files at any depth, in code unit order. */
export const listJson = (folder: string): ReadonlyArray<string> =>
  entriesOf(folder, true)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** What looks like a rule file or a folder of them, and is a link, a pipe or the like, in code unit order. */
const listUnread = (folder: string): ReadonlyArray<string> =>
  entriesOf(folder, true)
    .filter((entry) => !entry.isFile() && (entry.isSymbolicLink() || entry.name.endsWith(".json")))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

const isCases = (path: string): boolean => path.endsWith(".cases.json")

/** What is opened by its name is read through a link, and refused there where it is no file. */
const readByName = /\/(?:ruleset|currencies|calibration|recommendations|policy)\.json$/

/** Entries that would be rules if they were files. Invariant: what stands there and is not read is told. */
export const unreadIn = (root: Root, folder: string): ReadonlyArray<Finding> =>
  listUnread(folder)
    .map((path) => nameIn(root, path))
    .filter((file) => !readByName.test(file))
    .map((file) => ({
      rule: "unreadable-file",
      file,
      path: [],
      message: "is no plain file, and links are not followed: nothing reads it"
    }))

const readFolder = (root: Root, folder: string): Read<ReadonlyArray<SourceFile>> =>
  readEvery([
    ...listJson(folder)
      .filter((path) => !isCases(path))
      .map((path) => readSource(root, path)),
    ...unreadIn(root, folder).map((finding) => Result.fail([finding]))
  ])

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

/** One rule file as parsed JSON, with the names that its place in the tree gives it. */
export interface SourceFile {
  /** As a reviewer would name it: `rules/factors/volume/HIGH_ENTITY_COUNT.json`. */
  readonly file: string
  /** The file name without its extension; what the file calls itself must be the same. */
  readonly name: string
  /** The folder it stands in; a factor's category must be the same. */
  readonly folder: string
  readonly json: unknown
}

/** All files of a rule release. */
export interface RuleFiles {
  readonly ruleset: SourceFile
  readonly currencies: SourceFile
  readonly lexicon: ReadonlyArray<SourceFile>
  readonly factors: ReadonlyArray<SourceFile>
  readonly typologies: ReadonlyArray<SourceFile>
}

/** All files of a policy set. */
export interface PolicyFiles {
  readonly policy: SourceFile
  readonly rules: ReadonlyArray<SourceFile>
}

/** The folder of this package, where the shipped `rules/` and `policies/` are. */
export const packageRoot = ((): string => {
  // Up from this file: the sources and the bundle lie at different depths.
  let folder = import.meta.dirname
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder)
  return folder
})()
