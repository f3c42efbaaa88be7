/** In which releases a rule file exists, and whether each says the same. */

import { Result } from "effect"
import { canonicalForm } from "../canonicalForm.ts"
import { openFrozen } from "../frozen.ts"
import { listReleases } from "../loadRelease.ts"
import type { Root } from "../readTree.ts"
import { releaseFiles } from "../releaseDocument.ts"
import type { SourceFile } from "../SourceFile.ts"

export interface Holding {
  readonly version: string
  readonly same: boolean
}

/** Oldest first. A release that cannot be opened holds nothing that could be said; `rules check` tells of it. */
export const releasesHolding = (root: Root, { json, name }: SourceFile): ReadonlyArray<Holding> =>
  listReleases(root).flatMap((version) => {
    const file = `rules/releases/${version}.json`
    const read = Result.flatMap(openFrozen(root, file), (document) => releaseFiles(file, version, document))
    if (Result.isFailure(read)) return []
    const { factors, typologies } = read.success.files
    return [...factors, ...typologies]
      .filter((source) => source.name === name)
      .map((source) => ({ version, same: canonicalForm(source.json) === canonicalForm(json) }))
  })
