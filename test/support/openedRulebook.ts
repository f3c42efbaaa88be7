/** The rulebooks of this checkout, each opened once for a worker: to open one takes longer than most tests. */

import type { Read } from "../../src/rules/Finding.ts"
import { openRulebook, type Rulebook } from "../../src/rules/Rulebook.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { read } from "./read.ts"

const opened = new Map<string, Read<Rulebook>>()

/** `version`: of a release, or `draft`. */
export const openOnce = (version: string): Read<Rulebook> => {
  const book = opened.get(version) ?? openRulebook(packageRoot, version)
  opened.set(version, book)
  return book
}

export const openedRulebook = (version: string): Rulebook => read(openOnce(version))
