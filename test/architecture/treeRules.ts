/** The rules of docs/architecture.md about the source tree as a whole; each names the files that break it. */

import { posix } from "node:path"
import type { SourceFile } from "./SourceFile.ts"

type Finding = string
export type TreeRule = (files: ReadonlyArray<SourceFile>) => ReadonlyArray<Finding>

const folderOf = (path: string): string => posix.dirname(path)

/** Type imports count: a reader follows them as well. */
const importsOf = ({ imports }: SourceFile): ReadonlyArray<string> =>
  imports.filter(({ relative }) => relative).map(({ target }) => target)

/** Each cycle once, from its first file by name. */
export const noFilesImportEachOther: TreeRule = (files) => {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]))
  const reachableFrom = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const open = [...(imports.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(imports.get(next) ?? []))
    }
    return seen
  }
  const reachable = new Map(files.map(({ path }) => [path, reachableFrom(path)]))
  const cycles = files.map(({ path }) =>
    [...(reachable.get(path) ?? [])].filter((other) => reachable.get(other)?.has(path)).toSorted()
  )
  return [...new Set(cycles.filter(({ length }) => length > 0).map((cycle) => cycle.join(" ↔ ")))]
}

export const noFileIsNamedLikeAFolderBesideIt: TreeRule = (files) => {
  const folders = new Set(files.map(({ path }) => folderOf(path)))
  return files
    .filter(({ path }) => folders.has(path.replace(/\.ts$/, "")))
    .map(({ path }) => `${path} has a folder of its name beside it`)
}

export const looseFilesMax = 20

export const foldersAreSurveyable: TreeRule = (files) =>
  [...Map.groupBy(files, ({ path }) => folderOf(path))]
    .filter(([, { length }]) => length > looseFilesMax)
    .map(([folder, { length }]) => `${folder} holds ${length} files; at most ${looseFilesMax} are allowed`)

const exported = /^export (?:declare )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/

const exportsOf = ({ code }: SourceFile): ReadonlySet<string> =>
  new Set(code.flatMap((line) => exported.exec(line)?.[1] ?? []))

export const noNameIsExportedTwice: TreeRule = (files) => {
  const owners = new Map<string, Array<SourceFile>>()
  for (const file of files) {
    for (const name of exportsOf(file)) owners.set(name, [...(owners.get(name) ?? []), file])
  }
  return [...owners]
    .filter(([, own]) => own.length > 1)
    .map(([name, own]) => `${name} is exported by ${own.map(({ path }) => path).join(" and ")}`)
}

export const smallFileLinesMax = 80

/** `reasons` lists the small files that stay apart from their only importer, each with the reason. */
export const smallFilesServeSeveral =
  (reasons: Readonly<Record<string, string>>): TreeRule =>
  (files) => {
    const importers = new Map<string, Set<string>>()
    for (const file of files) {
      for (const target of importsOf(file))
        importers.set(target, new Set([...(importers.get(target) ?? []), file.path]))
    }
    const small = files
      .filter(({ lines, path }) => lines.length <= smallFileLinesMax && importers.get(path)?.size === 1)
      .map(({ path }) => path)
    return [
      ...small
        .filter((path) => reasons[path] === undefined)
        .map(
          (path) => `${path} belongs into its only importer, ${[...(importers.get(path) ?? [])].join("")}`
        ),
      ...Object.keys(reasons)
        .filter((path) => !small.includes(path))
        .map((path) => `${path} is listed as a small file, and is none`)
    ]
  }

/** The only packages that each of these entries of an agent's own process may load. */
export const lightEntries: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Runs wherever there is fetch, so not even modules of Node.
  "src/client/actionRisk.ts": [],
  // A hook is a new process for every call, and loads neither json-p3 nor canonicalize unless it needs them.
  "src/agents/main.ts": [
    ...["child_process", "crypto", "fs", "os", "path", "readline", "url"].map((name) => `node:${name}`),
    "json-p3",
    "canonicalize"
  ]
}

/** Starting fast and having no dependencies is what these entries are for. */
export const lightEntriesStayLight =
  (entries: Readonly<Record<string, ReadonlyArray<string>>>): TreeRule =>
  (files) =>
    Object.entries(entries).flatMap(([entry, packages]) => {
      const reach = reachOf(files, entry)
      return files
        .filter(({ path }) => reach.has(path))
        .flatMap(({ imports, lines, path }) =>
          imports
            .filter(
              ({ line, relative, target }) =>
                !relative && !isTypeImport(lines, line) && !packages.includes(target)
            )
            .map(({ line, target }) => `${path}:${line} makes ${entry} load ${target}`)
        )
    })

const isTypeImport = (lines: ReadonlyArray<string>, line: number): boolean =>
  /^import type\b/.test(lines[line - 1] ?? "")

const importStatement = /^import\s+(type\s+)?(\{[^}]*\}|[^"{}]*?)\s+from\s+"(\.[^"]+)"/gm

/** The files that running a file loads: its imports of values. */
const loadedBy = ({ lines, path }: SourceFile): ReadonlyArray<string> =>
  [...lines.join("\n").matchAll(importStatement)]
    .filter(([, type, names = ""]) => type === undefined && !isOfTypes(names))
    .map(([, , , target = ""]) => posix.join(folderOf(path), target))

const isOfTypes = (names: string): boolean => {
  const each = names
    .replace(/[{}]/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  return names.startsWith("{") && each.every((name) => name.startsWith("type "))
}

/** The files that a reader has to know to follow `entry` to its end: itself, and what it loads, and so on. */
export const reachOf = (files: ReadonlyArray<SourceFile>, entry: string): ReadonlySet<string> => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set<string>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = byPath.get(path)
    if (file === undefined) throw new Error(`there is no ${path}`)
    if (seen.has(path)) continue
    seen.add(path)
    // Data has nothing further to follow.
    open.push(...loadedBy(file).filter((loaded) => !loaded.endsWith(".json")))
  }
  return seen
}
