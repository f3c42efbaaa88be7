/** The working files under `rules/` and `policies/`: lists them and reads each as parsed JSON. */

import { Result } from "effect"
import { hash } from "node:crypto"
import { type Dirent, existsSync, readdirSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { isRecord } from "../../json/json.ts"
import { type Finding, inFile, type Read, readEvery } from "../Finding.ts"
import { whileInUse } from "../whileInUse.ts"
import { parseRuleJson, readRuleBytes } from "./readJson.ts"

/** The path of the folder that contains `rules/` and `policies/`. */
export type Root = string

/** Invariant: file names in findings use `/` on every platform, because reviewers and golden files compare them. */
const nameIn = (root: Root, path: string): string => relative(root, path).replaceAll("\\", "/")

/** The text of a file. */
interface ReadText {
  readonly file: string
  readonly path: string
  readonly bytes: Buffer
  /** Hex SHA-256 of the bytes. */
  readonly digest: string
}

const readText = (root: Root, path: string): Read<ReadText> => {
  const file = nameIn(root, path)
  return Result.mapBoth(readRuleBytes(path), {
    onFailure: (problems) => inFile(file, problems),
    onSuccess: (bytes) => ({ file, path, bytes, digest: hash("sha256", bytes) })
  })
}

/** Files with equal content share one value while any rulebook uses it, so a copy of the rules is decoded only where it differs. */
const contents = whileInUse<object>()

const withoutSchema = (document: Readonly<Record<string, unknown>>): object => {
  const { $schema: _, ...json } = document
  return json
}

const contentOf = ({ bytes, digest, file }: ReadText): Read<object> => {
  const known = contents.get(digest)
  if (known !== undefined) return Result.succeed(known)
  return parseRuleJson(bytes).pipe(
    Result.mapError((problems) => inFile(file, problems)),
    Result.flatMap((document): Read<object> =>
      isRecord(document)
        ? Result.succeed(contents.keep(digest, withoutSchema(document)))
        : Result.fail([
            { rule: "wrong-type", file, path: [], message: "the document must be an object: `{` … `}`" }
          ])
    )
  )
}

/** The digests of texts as read. A modified copy of a source is a different source and has none. */
const textDigests = new WeakMap<SourceFile, string>()

const namesOf = ({ file, path }: ReadText) => ({
  file,
  name: basename(path, ".json"),
  folder: basename(dirname(path))
})

const toSource = (text: ReadText): Read<SourceFile> =>
  Result.map(contentOf(text), (json) => {
    const source = { ...namesOf(text), json }
    textDigests.set(source, text.digest)
    return source
  })

/** For a text that an earlier process read without findings: parsed on first use, and not checked again. */
const toLazySource = (text: ReadText): SourceFile => {
  let json: object | undefined
  const source = {
    ...namesOf(text),
    get json() {
      json ??= contents.get(text.digest)
      return (json ??= contents.keep(text.digest, withoutSchema(JSON.parse(text.bytes.toString("utf8")))))
    }
  }
  textDigests.set(source, text.digest)
  return source
}

export const readSource = (root: Root, path: string): Read<SourceFile> =>
  Result.flatMap(readText(root, path), toSource)

/** Identifies files by their texts, names and order. */
export const digestOfFiles = (sources: ReadonlyArray<SourceFile>): string =>
  hash(
    "sha256",
    sources
      .map((source) => {
        const digest = textDigests.get(source) ?? hash("sha256", JSON.stringify(source.json))
        return `${lexiconPart(source)} ${digest}\n`
      })
      .join("")
  )

/** The entries of a folder, with `recursive` also those of nested folders. Empty if the folder does not exist. */
export const entriesOf = (folder: string, recursive = false): ReadonlyArray<Dirent> => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    // Node's own recursion follows links to folders, and a link to a parent folder would never end.
    const inner = recursive ? entries.filter((entry) => entry.isDirectory()) : []
    return [...entries, ...inner.flatMap(({ name }) => entriesOf(join(folder, name), true))]
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  }
}

/** The paths of the listed entries of a folder at any depth, in code unit order. */
const listEntries = (folder: string, isListed: (entry: Dirent) => boolean): ReadonlyArray<string> =>
  entriesOf(folder, true)
    .filter(isListed)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

const isJson = ({ name }: Dirent): boolean => name.endsWith(".json")

/** JSON files at any depth, in code unit order. */
export const listJson = (folder: string): ReadonlyArray<string> =>
  listEntries(folder, (entry) => entry.isFile() && isJson(entry))

const isCases = (path: string): boolean => path.endsWith(".cases.json")

/** The service opens these files by name, so a link is followed, and reported only if it leads to no file. */
const readByName = /\/(?:ruleset|currencies|calibration|recommendations|policy)\.json$/

/** Entries that would be rules if they were files. Invariant: each entry is either read or reported. */
export const unreadIn = (root: Root, folder: string): ReadonlyArray<Finding> =>
  // Links, and entries that are named like a rule file but are not files.
  listEntries(folder, (entry) => !entry.isFile() && (entry.isSymbolicLink() || isJson(entry)))
    .map((path) => nameIn(root, path))
    .filter((file) => !readByName.test(file))
    .map((file) => ({
      rule: "unreadable-file",
      file,
      path: [],
      message: "is not a regular file, and links are not followed: it is ignored"
    }))

/** `wasRead`: whether files with this digest have been read before without findings. */
const readFolder = (
  root: Root,
  folder: string,
  wasRead: (digest: string) => boolean = () => false
): Read<ReadonlyArray<SourceFile>> => {
  const texts = listJson(folder)
    .filter((path) => !isCases(path))
    .map((path) => readText(root, path))
  const lazy = texts.flatMap((text) => (Result.isSuccess(text) ? [toLazySource(text.success)] : []))
  const unread = unreadIn(root, folder)
  if (unread.length === 0 && lazy.length === texts.length && wasRead(digestOfFiles(lazy)))
    return Result.succeed(lazy)
  return readEvery([
    ...texts.map((text) => Result.flatMap(text, toSource)),
    ...unread.map((finding) => Result.fail([finding]))
  ])
}

export const readCaseFiles = (root: Root, folder: string): Read<ReadonlyArray<SourceFile>> =>
  readEvery(
    listJson(folder)
      .filter(isCases)
      .map((path) => readSource(root, path))
  )

/** `wasRead`: whether a lexicon with this digest has been read before without findings. */
export const readRuleTree = (root: Root, wasRead?: (digest: string) => boolean): Read<RuleFiles> =>
  Result.gen(function* () {
    const [ruleset, currencies] = yield* readEvery([
      readSource(root, join(root, "rules", "ruleset.json")),
      readSource(root, join(root, "rules", "currencies.json"))
    ])
    const [lexicon = [], factors = [], typologies = []] = yield* readEvery(
      ["lexicon", "factors", "typologies"].map((folder) =>
        readFolder(root, join(root, "rules", folder), folder === "lexicon" ? wasRead : undefined)
      )
    )
    if (ruleset === undefined || currencies === undefined) return yield* Result.fail([])
    return { ruleset, currencies, lexicon, factors, typologies }
  })

const isCatalogue =
  (set: string) =>
  ({ file }: SourceFile): boolean =>
    file === `policies/${set}/catalogue.json`

export const readPolicyTree = (root: Root, set: string): Read<PolicyFiles> => {
  const folder = join(root, "policies", set)
  return Result.gen(function* () {
    const policy = yield* readSource(root, join(folder, "policy.json"))
    const files = yield* readFolder(root, folder)
    const catalogue = files.find(isCatalogue(set))
    return {
      policy,
      rules: files.filter((file) => file.name !== "policy" && file !== catalogue),
      ...(catalogue === undefined ? {} : { catalogue })
    }
  })
}

/** One rule file as parsed JSON, with the names that follow from its location. */
export interface SourceFile {
  /** The path below the root: `rules/factors/volume/HIGH_ENTITY_COUNT.json`. */
  readonly file: string
  /** The file name without extension. The code, name or id in the file must be equal. */
  readonly name: string
  /** The name of the folder that contains the file. A factor's category must be equal. */
  readonly folder: string
  readonly json: unknown
}

/** A file by its name. The tree must contain it. */
export const fileNamed = (
  sources: ReadonlyArray<SourceFile>,
  name: string,
  folder: string
): Read<SourceFile> => {
  const found = sources.find((source) => source.name === name)
  return found === undefined
    ? Result.fail([
        {
          rule: "unreadable-file",
          file: `${folder}/${name}.json`,
          path: [],
          message: "there is no such file"
        }
      ])
    : Result.succeed(found)
}

/** The name of a file relative to the lexicon folder: `commands`, `words/verbs`, `programs/git`. */
export const lexiconPart = ({ folder, name }: Pick<SourceFile, "folder" | "name">): string =>
  folder === "" || folder === "lexicon" ? name : `${folder}/${name}`

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
  /** Absent if the set has none. */
  readonly catalogue?: SourceFile
}

/** The path of this package, which contains the shipped `rules/` and `policies/`. */
export const packageRoot = ((): string => {
  // Searches upwards, because the sources and the bundle are at different depths.
  let folder = import.meta.dirname
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
})()
