/** Lines of the files that findings are about, each file read once. */

import { join } from "node:path"
import { ruleFileBytesMax } from "../../../Limits.ts"
import { readBytes } from "../../../rules/readJson/readBytes.ts"
import type { Root } from "../../../rules/readTree.ts"

/** A line of a file, from 1; undefined where there is none. */
export type LineOf = (file: string, line: number) => string | undefined

const read = (path: string): ReadonlyArray<string> => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? [] : bytes.toString("utf8").split(/\r\n|\r|\n/)
}

export const sourceLines = (root: Root): LineOf => {
  const files = new Map<string, ReadonlyArray<string>>()
  return (file, line) => {
    const lines = files.get(file) ?? read(join(root, file))
    files.set(file, lines)
    return lines[line - 1]
  }
}
