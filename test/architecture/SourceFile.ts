/** One TypeScript file as the architecture test reads it: its lines, its imports, and its code without prose. */

import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { codeOnly } from "./codeOnly.ts"

interface Import {
  /** From 1. */
  readonly line: number
  /** A path from the repository's root for a relative import, else the package as written. */
  readonly target: string
  readonly relative: boolean
}

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string
  /** First folder below `src`, or the file's own name for the few that lie in `src` itself. */
  readonly room: string
  readonly lines: ReadonlyArray<string>
  /** The same lines with comments, strings and regular expressions blanked out. */
  readonly code: ReadonlyArray<string>
  readonly imports: ReadonlyArray<Import>
}

const specifier = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/

export const sourceFile = (path: string, text: string): SourceFile => {
  const lines = text.split("\n")
  const code = codeOnly(text).split("\n")
  const imports = lines.flatMap((line, index): ReadonlyArray<Import> => {
    const found = specifier.exec(line)?.[1]
    // A comment or a string that only looks like an import leaves no keyword in the code.
    if (found === undefined || !/\b(?:from|import)\b/.test(code[index] ?? "")) return []
    const relative = found.startsWith(".")
    const target = relative ? posix.join(posix.dirname(path), found) : found
    return [{ line: index + 1, target, relative }]
  })
  return { path, room: roomOf(path), lines, code, imports }
}

const roomOf = (path: string): string => path.split("/")[1] ?? path

/** Every TypeScript file below a folder, sorted by path. */
export const sourceTree = (folder: string): ReadonlyArray<SourceFile> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .toSorted()
    .map((path) => sourceFile(path, readFileSync(path, "utf8")))
