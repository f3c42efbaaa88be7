/** Writes a frozen document once; what is released is never edited again. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { canonicalForm } from "../canonicalForm.ts"
import { withDigest } from "../frozen.ts"
import type { Root } from "../readTree.ts"

export type Written = "written" | "unchanged" | "refused"

const parse = (path: string): object | null => {
  if (!existsSync(path)) return null
  const json: unknown = JSON.parse(readFileSync(path, "utf8"))
  return typeof json === "object" ? json : null
}

/** `content` carries its `released_at`; another instant alone is no other content. */
export const writeFrozen = (
  root: Root,
  file: string,
  content: object,
  replaceUnreleased: boolean
): Written => {
  const path = join(root, file)
  const before = parse(path)
  if (before !== null) {
    const undated = { digest: "", released_at: "" }
    if (isDeepStrictEqual({ ...before, ...undated }, { ...content, ...undated })) return "unchanged"
    if (!replaceUnreleased) return "refused"
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, canonicalForm(withDigest(content)))
  return "written"
}
